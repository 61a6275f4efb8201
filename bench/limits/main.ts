import { parseArgs } from 'node:util';

import { fixed, table } from '../markdown';
import { isKept, matrix, measureRow, type Figures } from './matrix';
import { loadRateGates } from './rateGates';

const USAGE = `Usage: npx tsx bench/limits/main.ts [options]

  --seeds N    runs of each row, medians of which count; 9 by default
  --only TEXT  rows whose name matches the regular expression
  --old DIR    a checkout with client/RateGate.ts, to put beside it`;

async function main(): Promise<void> {
	const { values: flags } = parseArgs({
		options: {
			seeds: { type: 'string', default: '9' },
			only: { type: 'string', default: '' },
			old: { type: 'string' },
			help: { type: 'boolean' },
		},
	});
	if (flags.help) return console.log(USAGE);
	const oldGates = flags.old === undefined ? undefined : await loadRateGates(flags.old);
	const rows = matrix.filter(({ scenario }) => new RegExp(flags.only).test(scenario.name));
	const lines: string[][] = [];
	let kept = 0;
	for (const row of rows) {
		const old = oldGates && (await measureRow(row, Number(flags.seeds), oldGates));
		const figures = await measureRow(row, Number(flags.seeds));
		if (isKept(row, figures)) kept++;
		const { goal } = row;
		lines.push([
			row.scenario.name,
			...(old ? cellsOf(old) : []),
			...cellsOf(figures),
			`${fixed(goal.time, 2)}, ${fixed(100 * goal.refused, 0)} %`,
			isKept(row, figures) ? 'yes' : '**no**',
		]);
	}
	const columns = ['delivered', 'time', 'refused'];
	const head = [
		'limiter',
		...(oldGates ? columns.map((name) => `old: ${name}`) : []),
		...columns,
		'goal',
		'reached',
	];
	console.log(table(head, lines));
	console.log(`\n${kept} of ${rows.length} rows reach their goals`);
}

function cellsOf({ lost, items, time, refused }: Figures): string[] {
	return [lost === 0 ? 'all' : `${items - lost} of ${items}`, fixed(time, 2), `${fixed(100 * refused, 1)} %`];
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
