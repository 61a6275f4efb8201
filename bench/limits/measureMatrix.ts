import { fixed, table } from '../markdown';
import type { Design } from './design';
import { measureRow, missedGoals, type Figures } from './measureRow';
import type { Row } from './row';

const COLUMNS = ['delivered', 'time', 'refused', 'misses'];

export interface MatrixOptions {
	/** The designs to compare. */
	designs: Design[];
	/** How many runs of each row there are. The medians count. */
	seeds: number;
	/** The seed of the first run. */
	firstSeed?: number;
}

interface Measured {
	row: Row;
	figures: Figures;
}

export interface MeasuredMatrix {
	/** A table in Markdown with a line for each row. */
	rows: string;
	/** A table in Markdown with a line for each group of rows. */
	groups: string;
	/** How many rows reach their goals, for each design. */
	kept: number[];
}

/** Measures designs in the rows' weathers, in virtual time. */
export async function measureMatrix(
	rows: Row[],
	{ designs, seeds, firstSeed }: MatrixOptions,
): Promise<MeasuredMatrix> {
	const measured = new Map<Design, Measured[]>(designs.map((design) => [design, []]));
	const lines: string[][] = [];
	for (const row of rows) {
		const cells: string[] = [];
		for (const [design, ofDesign] of measured) {
			const figures = await measureRow(row, seeds, design, firstSeed);
			ofDesign.push({ row, figures });
			cells.push(...cellsOf(row, figures));
		}
		lines.push([`${row.group}: ${row.scenario.name}`, ...cells, goalOf(row)]);
	}
	const columns = designs.flatMap(({ name }) =>
		COLUMNS.map((column) => (designs.length === 1 ? column : `${name}: ${column}`)),
	);
	return {
		rows: table(['weather', ...columns, 'goals'], lines),
		groups: groupTable(rows, measured),
		kept: [...measured.values()].map((all) => all.filter(isKept).length),
	};
}

function isKept({ row, figures }: Measured): boolean {
	return missedGoals(row, figures).length === 0;
}

function groupTable(rows: Row[], measured: Map<Design, Measured[]>): string {
	const groups = [...new Set(rows.map(({ group }) => group))];
	const lines = groups.map((name) => {
		const cells: string[] = [];
		let count = 0;
		for (const all of measured.values()) {
			const own = all.filter(({ row }) => row.group === name);
			count = own.length;
			const kept = own.filter(isKept).length;
			const mean = (figure: (figures: Figures) => number) =>
				own.reduce((sum, { figures }) => sum + figure(figures), 0) / own.length;
			cells.push(
				String(kept),
				fixed(
					mean(({ time }) => time),
					3,
				),
				percent(mean(({ refused }) => refused)),
				fixed(mean(({ lost, items }) => lost / items) * 100, 1) + '%',
			);
		}
		return [name, String(count), ...cells];
	});
	const columns = [...measured.keys()].flatMap(({ name }) =>
		['kept', 'mean time', 'mean refused', 'lost'].map((column) => `${name}: ${column}`),
	);
	return table(['group', 'rows', ...columns], lines);
}

function cellsOf(row: Row, figures: Figures): string[] {
	const { lost, items, time, refused, othersShare, processRatio, worstSpan, startsBeforeForm } = figures;
	const shown = {
		threw: figures.error?.message ?? '',
		lost: '',
		time: '',
		refused: '',
		others: fixed(othersShare, 2),
		processes: fixed(processRatio, 2),
		span: fixed(worstSpan, 2),
		turns: String(startsBeforeForm),
	};
	return [
		lost === 0 ? 'all' : `${items - lost} of ${items}`,
		fixed(time, 2),
		percent(refused),
		missedGoals(row, figures)
			.map((goal) => `**${goal}** ${shown[goal]}`.trim())
			.join(', '),
	];
}

/** The goals that a row sets. */
function goalOf({ goal }: Row): string {
	const { time, refused, lost, othersShare, processRatio, worstSpan, startsBeforeForm } = goal;
	return [
		`${fixed(time, 2)}, ${percent(refused)}`,
		lost === undefined ? '' : `${lost} lost`,
		othersShare === undefined ? '' : `others ${fixed(othersShare, 2)}`,
		processRatio === undefined ? '' : `shares ${fixed(processRatio, 2)}`,
		worstSpan === undefined ? '' : `spans ${fixed(worstSpan, 2)}`,
		startsBeforeForm === undefined ? '' : `${startsBeforeForm} starts before a form`,
	]
		.filter(Boolean)
		.join('; ');
}

function percent(share: number): string {
	return `${fixed(100 * share, 1)}%`;
}
