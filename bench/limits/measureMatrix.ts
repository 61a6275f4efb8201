import { fixed, table } from '../markdown';
import { isKept, matrix, measureRow, type Figures } from './matrix';
import { loadRateGates } from './rateGates';

const COLUMNS = ['delivered', 'time', 'refused'];

export interface MatrixOptions {
	/** Runs of each row, medians of which count. */
	seeds: number;
	/** Rows whose name matches; all when not given. */
	only?: RegExp;
	/** A checkout with `client/RateGate.ts`, to put beside this one. */
	oldFolder?: string | undefined;
}

export interface MeasuredMatrix {
	/** Markdown. */
	table: string;
	rows: number;
	/** Rows that reach their goals. */
	kept: number;
}

/** Measures the limiter against every kind of limit, in virtual time. */
export async function measureMatrix({
	seeds,
	only = /^/,
	oldFolder,
}: MatrixOptions): Promise<MeasuredMatrix> {
	const oldGates = oldFolder === undefined ? undefined : await loadRateGates(oldFolder);
	const rows = matrix.filter(({ scenario }) => only.test(scenario.name));
	const lines: string[][] = [];
	let kept = 0;
	for (const row of rows) {
		const old = oldGates && (await measureRow(row, seeds, oldGates));
		const figures = await measureRow(row, seeds);
		const reached = isKept(row, figures);
		if (reached) kept++;
		lines.push([
			row.scenario.name,
			...(old ? cellsOf(old) : []),
			...cellsOf(figures),
			`${fixed(row.goal.time, 2)}, ${fixed(100 * row.goal.refused, 0)} %`,
			reached ? 'yes' : '**no**',
		]);
	}
	const beside = oldGates ? COLUMNS.map((name) => `beside: ${name}`) : [];
	return {
		table: table(['limit', ...beside, ...COLUMNS, 'goal', 'reached'], lines),
		rows: rows.length,
		kept,
	};
}

function cellsOf({ lost, items, time, refused }: Figures): string[] {
	return [lost === 0 ? 'all' : `${items - lost} of ${items}`, fixed(time, 2), `${fixed(100 * refused, 1)} %`];
}
