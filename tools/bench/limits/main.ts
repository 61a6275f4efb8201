import { parseArgs } from 'node:util';

import {
	isLostBeyond,
	measureRow,
	tableOfGroups,
	type Figures,
} from '../../../test/limiter/simulator/measure';
import { GOALS, ROWS } from '../../../test/limiter/simulator/rows';

const USAGE = `Usage: npx tsx tools/bench/limits/main.ts [options]

  --seeds N       how many runs of each row to take the medians of; 3 by default
  --first-seed N  the seed of the first run; 1 by default
  --only TEXT     rows whose group and name match the regular expression
  --rows          each row, too
  --fuzz N        instead, list the runs of N seeds that were slower than the worst of their group may be, or lost items`;

/** A single run may be slower than the median of three by this factor. */
const MAX_FUZZ_FACTOR = 1.25;

async function main(): Promise<void> {
	const { values: flags } = parseArgs({
		options: {
			seeds: { type: 'string', default: '3' },
			'first-seed': { type: 'string', default: '1' },
			only: { type: 'string', default: '' },
			rows: { type: 'boolean' },
			fuzz: { type: 'string' },
			help: { type: 'boolean' },
		},
	});
	if (flags.help) return console.log(USAGE);
	const only = new RegExp(flags.only);
	const rows = ROWS.filter(({ group, name }) => only.test(`${group}: ${name}`));
	const firstSeed = Number(flags['first-seed']);
	if (flags.fuzz !== undefined) return await fuzz(rows, firstSeed, Number(flags.fuzz));
	const figures: Figures[] = [];
	for (const row of rows) {
		figures.push(await measureRow(row, { seeds: Number(flags.seeds), firstSeed }));
	}
	for (const { row, time, refused, lost } of flags.rows ? figures : []) {
		console.log(`${row.group}: ${row.name}: ${describe(time, refused, lost)}`);
	}
	console.log(tableOfGroups(figures));
}

function describe(time: number, refused: number, lost: number): string {
	return `${time.toFixed(2)} times the ideal, ${Math.round(100 * refused)}% refused, ${lost} lost`;
}

async function fuzz(rows: typeof ROWS, firstSeed: number, seeds: number): Promise<void> {
	let failed = 0;
	for (let seed = firstSeed; seed < firstSeed + seeds; seed++) {
		for (const row of rows) {
			const goal = GOALS[row.group];
			const figures = await measureRow(row, { seeds: 1, firstSeed: seed });
			const { time, refused, lost } = figures;
			if (time <= goal.worst * MAX_FUZZ_FACTOR && !isLostBeyond(figures, goal)) continue;
			failed++;
			console.log(`seed ${seed}, ${row.group}: ${row.draw(seed).name}: ${describe(time, refused, lost)}`);
		}
	}
	console.log(
		`${failed} of ${seeds * rows.length} runs failed, seeds ${firstSeed} to ${firstSeed + seeds - 1}`,
	);
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
