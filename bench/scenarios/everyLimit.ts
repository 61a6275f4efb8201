import type { Bench } from '../Bench';
import { AdaptiveSender } from '../limits/AdaptiveSender';
import { newLimiter, type NewGate } from '../limits/Gate';
import { measureRow, tableOfGroups, type Figures } from '../limits/measure';
import { GOALS, ROWS } from '../limits/rows';
import type { Section } from '../Section';

/** For which nothing was tuned. */
const FRESH_SEED = 2001;

/** Scenario 4: the limiter alone, against every kind of limit, in virtual time. */
export async function everyLimit(bench: Bench): Promise<Section> {
	const seeds = bench.size(3, 1);
	const own = await measure(newLimiter, seeds);
	const adaptive = await measure((clock, random) => new AdaptiveSender(clock, random), seeds);
	return {
		title: '4. Every kind of limit, in virtual time',
		setting: `The limiter alone against a simulated service: ${ROWS.length} kinds of service and use, whose numbers are drawn by seeds that nothing was tuned on (from ${FRESH_SEED}); medians of ${seeds} runs. Time: a multiple of what a client needs that knows the limit and when it has places, as the mean of the rows and the worst of them. Refused: share of the requests, without the first refusals, one for each request that may be in flight. Lost: the most items of a run that failed though the service does not always refuse them. \`npx tsx bench/limits/main.ts --rows\` shows the rows.`,
		table: `${tableOfGroups(own)}\n\nThe same for one pace for all that is cut at each refusal, as in the adaptive mode of AWS's clients:\n\n${tableOfGroups(adaptive)}`,
		goals: Object.entries(GOALS).map(([group, goal]) => {
			const times = own.filter(({ row }) => row.group === group).map(({ time }) => time);
			return {
				what: `${group}: mean time, compared with the ideal`,
				figure: times.reduce((sum, time) => sum + time, 0) / times.length,
				digits: 2,
				atMost: goal.mean,
			};
		}),
	};
}

async function measure(newGate: NewGate, seeds: number): Promise<Figures[]> {
	const figures: Figures[] = [];
	for (const row of ROWS) figures.push(await measureRow(row, { seeds, firstSeed: FRESH_SEED, newGate }));
	return figures;
}
