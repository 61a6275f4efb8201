import { parseArgs } from 'node:util';

import { limiter, loadDesign } from './design';
import { findComplaints } from './findComplaints';
import { randomWeather } from './randomWeather';

const USAGE = `Usage: npx tsx bench/limits/fuzz.ts [options]

  --runs N      how many weathers to try; 1000 by default
  --seed S      the seed of the first weather; 1 by default
  --design DIR  the checkout whose limiter to test; this one by default`;

async function main(): Promise<void> {
	const { values: flags } = parseArgs({
		options: {
			runs: { type: 'string', default: '1000' },
			seed: { type: 'string', default: '1' },
			design: { type: 'string' },
			help: { type: 'boolean' },
		},
	});
	if (flags.help) return console.log(USAGE);
	const design = flags.design === undefined ? limiter : await loadDesign('design', flags.design);
	const first = Number(flags.seed);
	const runs = Number(flags.runs);
	let failed = 0;
	for (let seed = first; seed < first + runs; seed++) {
		const weather = randomWeather(seed);
		const complaints = await findComplaints(weather, seed, design);
		if (complaints.length === 0) continue;
		failed++;
		console.log(`${weather.scenario.name}: ${complaints.join('; ')}`);
	}
	console.log(`${failed} of ${runs} weathers failed, seeds ${first} to ${first + runs - 1}`);
	process.exitCode = failed === 0 ? 0 : 1;
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
