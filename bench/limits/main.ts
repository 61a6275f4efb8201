import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { adaptive, limiter, loadDesign, type Design } from './design';
import { matrix } from './matrix';
import { measureMatrix } from './measureMatrix';
import type { Row } from './row';
import { unseenRows } from './unseenRows';
import { weathers } from './weathers';

const USAGE = `Usage: npx tsx bench/limits/main.ts [options]

  --seeds N          how many runs of each row to take the medians of; 9 by default
  --first-seed N     the seed of the first run; 1 by default
  --rows PART        only own, new or unseen; all except unseen by default
  --rows FILE        a module that exports rows
  --only TEXT        rows whose group and name match the regular expression
  --design NAME=DIR  the limiter of another checkout under a name, to compare with; as often as you like
  --adaptive         a simple design to compare with
  --without-own      leave out this checkout's limiter
  --groups           only the table of groups`;

async function main(): Promise<void> {
	const { values: flags } = parseArgs({
		options: {
			seeds: { type: 'string', default: '9' },
			'first-seed': { type: 'string', default: '1' },
			rows: { type: 'string' },
			only: { type: 'string', default: '' },
			design: { type: 'string', multiple: true, default: [] },
			adaptive: { type: 'boolean' },
			'without-own': { type: 'boolean' },
			groups: { type: 'boolean' },
			help: { type: 'boolean' },
		},
	});
	if (flags.help) return console.log(USAGE);
	const designs: Design[] = flags['without-own'] ? [] : [limiter];
	for (const design of flags.design) {
		const [name, folder] = design.split('=');
		designs.push(await loadDesign(name!, folder!));
	}
	if (flags.adaptive) designs.push(adaptive);
	const only = new RegExp(flags.only);
	const rows = (await rowsOf(flags.rows)).filter(({ group, scenario }) =>
		only.test(`${group}: ${scenario.name}`),
	);
	const measured = await measureMatrix(rows, {
		designs,
		seeds: Number(flags.seeds),
		firstSeed: Number(flags['first-seed']),
	});
	if (!flags.groups) console.log(`${measured.rows}\n`);
	console.log(measured.groups);
}

async function rowsOf(part: string | undefined): Promise<Row[]> {
	if (part === undefined) return [...matrix, ...weathers];
	if (part === 'own') return matrix;
	if (part === 'new') return weathers;
	if (part === 'unseen') return unseenRows;
	return ((await import(resolve(part))) as { rows: Row[] }).rows;
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
