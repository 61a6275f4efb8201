import { median } from '../../support/median';
import { fixed, table } from '../../support/markdown';
import { GOALS, type Goal, type Row } from './rows';
import { simulate } from './simulate';

/** Describes the figures of a row: medians of its runs, except for the lost items. */
export interface Figures {
	row: Row;
	/** Holds the time, as a multiple of the ideal sender's time. */
	time: number;
	/** Holds the share of the requests that were refused. */
	refused: number;
	/** Holds the most items that failed in one of the runs, as a number and as a share. */
	lost: number;
	lostShare: number;
}

/** Simulates a row with several seeds, and measures it. */
export async function measureRow(row: Row, { seeds = 3, firstSeed = 1 } = {}): Promise<Figures> {
	const outcomes = [];
	for (let seed = firstSeed; seed < firstSeed + seeds; seed++) {
		outcomes.push(await simulate(row.draw(seed), seed));
	}
	return {
		row,
		time: median(outcomes.map(({ timeMs, idealMs }) => timeMs / idealMs)),
		refused: median(outcomes.map(({ refused, requests }) => refused / requests)),
		lost: Math.max(...outcomes.map(({ lost }) => lost)),
		lostShare: Math.max(...outcomes.map(({ lost, items }) => lost / items)),
	};
}

export const isLostBeyond = ({ lost, lostShare }: Figures, goal: Goal) =>
	goal.lost > 0 && goal.lost < 1 ? lostShare > goal.lost : lost > goal.lost;

/** Makes a Markdown table with a line for each group. */
export function tableOfGroups(figures: Figures[]): string {
	const lines = Object.entries(GOALS).flatMap(([group, goal]) => {
		const own = figures.filter(({ row }) => row.group === group);
		if (own.length === 0) return [];
		const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
		const mark = (text: string, isMissed: boolean) => (isMissed ? `**${text}**` : text);
		const times = own.map(({ time }) => time);
		const refused = mean(own.map((one) => one.refused));
		const lost = Math.max(...own.map((one) => one.lost));
		return [
			[
				group,
				String(own.length),
				mark(fixed(mean(times), 2), mean(times) > goal.mean),
				String(goal.mean),
				mark(fixed(Math.max(...times), 2), Math.max(...times) > goal.worst),
				String(goal.worst),
				mark(percent(refused), refused > goal.refused),
				percent(goal.refused),
				mark(
					String(lost),
					own.some((one) => isLostBeyond(one, goal)),
				),
			],
		];
	});
	return table(['rows', '', 'time', 'goal', 'worst', 'goal', 'refused', 'goal', 'lost'], lines);
}

function percent(share: number): string {
	return `${fixed(100 * share, 1)}%`;
}
