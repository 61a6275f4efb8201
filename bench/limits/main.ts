import { parseArgs } from 'node:util';

import { fixed, table } from '../markdown';
import { median } from '../median';
import { matrix } from './matrix';
import { simulate } from './simulate';

async function main(): Promise<void> {
	const { values: flags } = parseArgs({
		options: { seeds: { type: 'string', default: '9' }, only: { type: 'string' }, progress: { type: 'boolean' } },
	});
	const rows = matrix.filter(({ scenario }) => !flags.only || new RegExp(flags.only).test(scenario.name));
	const lines: string[][] = [];
	let short = 0;
	for (const { scenario, goal } of rows) {
		const outcomes = [];
		if (flags.progress) console.log(scenario.name);
		for (let seed = 1; seed <= Number(flags.seeds); seed++) outcomes.push(await simulate(scenario, seed));
		const time = median(outcomes.map((o) => o.timeMs / o.idealMs));
		const refused = median(outcomes.map((o) => o.refusedShare));
		const lost = Math.max(...outcomes.map((o) => o.failed));
		const ok = time <= goal.time && refused <= goal.refused && lost === 0;
		if (!ok) short++;
		lines.push([
			scenario.name,
			lost === 0 ? 'all' : `${lost} lost`,
			`${fixed(time, 2)} (${fixed(Math.max(...outcomes.map((o) => o.timeMs / o.idealMs)), 2)})`,
			`${fixed(100 * refused, 1)} % (${fixed(100 * Math.max(...outcomes.map((o) => o.refusedShare)), 0)})`,
			fixed(median(outcomes.map((o) => o.idealMs / 1000)), 0),
			ok ? '' : 'SHORT',
		]);
	}
	console.log(table(['limiter', 'delivered', 'time, of the ideal', 'refused', 'ideal s', ''], lines));
	console.log(`${rows.length - short} of ${rows.length}`);
}

void main();
