import { parseArgs } from 'node:util';

import { measureMatrix } from './measureMatrix';

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
	const measured = await measureMatrix({
		seeds: Number(flags.seeds),
		only: new RegExp(flags.only),
		oldFolder: flags.old,
	});
	console.log(measured.table);
	console.log(`\n${measured.kept} of ${measured.rows} rows reach their goals`);
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
