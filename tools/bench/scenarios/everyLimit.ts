import type { Bench } from '../Bench';
import { measureRow, tableOfGroups, type Figures } from '../../../test/limiter/simulator/measure';
import { ROWS } from '../../../test/limiter/simulator/rows';
import type { Section } from '../Section';

/** The limiter was not tuned on the scenarios of this seed and the following ones. */
const FRESH_SEED = 2001;

/** Scenario 4 measures the limiter alone, against every kind of limit, in virtual time. */
export async function everyLimit(bench: Bench): Promise<Section> {
	const seeds = bench.size(3, 1);
	const own = await measure(seeds);
	return {
		title: '4. Every kind of limit, in virtual time',
		setting: `The limiter alone against a simulated service: ${ROWS.length} kinds of service and use, with numbers drawn by seeds that nothing was tuned on (from ${FRESH_SEED}); medians of ${seeds} runs. Time: a multiple of what a client needs that knows the limit and its free places; mean and worst of the rows. Refused: share of the requests, without the first refusals, up to what may be in flight. Lost: the most items that failed in a run, without those always refused. Bold: goal missed. \`npx tsx tools/bench/limits/main.ts --rows\` lists them.`,
		table: tableOfGroups(own),
		// There is no list of goals, because the table marks each figure that misses its goal.
		goals: [],
	};
}

async function measure(seeds: number): Promise<Figures[]> {
	const figures: Figures[] = [];
	for (const row of ROWS) figures.push(await measureRow(row, { seeds, firstSeed: FRESH_SEED }));
	return figures;
}
