import { existsSync } from 'node:fs';
import { join } from 'node:path';

import type { Bench } from '../Bench';
import { adaptive, limiter, loadDesign, type Design } from '../limits/design';
import { matrix } from '../limits/matrix';
import { measureMatrix, type MatrixOptions } from '../limits/measureMatrix';
import type { Row } from '../limits/row';
import { unseenRows } from '../limits/unseenRows';
import { weathers } from '../limits/weathers';
import type { Section } from '../Section';

/** For which nothing was tuned. */
const FRESH_SEED = 1001;

/** Scenario 11: the limiter alone, against every kind of limit, in virtual time. */
export async function everyLimit(bench: Bench): Promise<Section> {
	const designs = await designsOf(bench.options.besideFolder);
	const seeds = bench.size(9, 1);
	const fewSeeds = bench.size(3, 1);
	const own = await measure('The kinds of limits that the tests know', 'own', matrix, { designs, seeds });
	const harder = await measure('Harder ones', 'new', weathers, { designs, seeds: fewSeeds });
	const unseen = await measure(
		'The same kinds with other numbers, for which nothing was tuned; one change was taken back because of them',
		'unseen',
		unseenRows,
		{ designs, seeds: fewSeeds },
	);
	const count = matrix.length;
	return {
		title: '11. Every kind of limit, in virtual time',
		setting: `The limiter alone against a simulated service. ${explain(designs)}Kept: rows that reach all their goals. Time: the mean of the rows, each as a multiple of the time that a client needs that knows the limit and when it has places; where another client takes part of the limit, one that pushes it aside is faster than that. Refused: share of the requests, without the first refusals, one for each request that may be in flight. Lost: share of the items that failed though the service does not always refuse them. Figures of a row are medians of its seeds. \`npx tsx bench/limits/main.ts\` without \`--groups\` shows the rows. Where the limiter is weak, and why: "Known to be weak" in \`CONTRIBUTING.md\`.`,
		table: [own, harder, unseen].map(({ text }) => text).join('\n\n'),
		goals: [
			{
				what: 'rows of the first table that reach their goals',
				figure: own.kept,
				digits: 0,
				unit: ` of ${count}`,
				atLeast: 98,
			},
			{
				what: 'the same on fresh seeds',
				figure: own.keptFresh,
				digits: 0,
				unit: ` of ${count}`,
				atLeast: 98,
			},
		],
	};
}

async function designsOf(besideFolder: string | undefined): Promise<Design[]> {
	const hasLimiter =
		besideFolder !== undefined && existsSync(join(besideFolder, 'client', 'limiter', 'Limiter.ts'));
	return hasLimiter
		? [limiter, await loadDesign('other clone', besideFolder), adaptive]
		: [limiter, adaptive];
}

function explain(designs: Design[]): string {
	const other = designs.length > 2 ? '"Other clone": the limiter of another commit. ' : '';
	return `${other}"Adaptive": one pace for all that is cut at each refusal, as in the adaptive mode of AWS's clients. `;
}

async function measure(title: string, part: string, rows: Row[], options: MatrixOptions) {
	const measured = await measureMatrix(rows, options);
	const firstSeed = FRESH_SEED;
	const fresh = await measureMatrix(rows, { ...options, firstSeed, seeds: Math.min(3, options.seeds) });
	const names = options.designs.map(({ name }, index) => `${name} ${fresh.kept[index]}`).join(', ');
	const text = `${title} (\`--rows ${part} --seeds ${options.seeds}\`):\n\n${measured.groups}\n\nKept on fresh seeds (from ${firstSeed}), of ${rows.length}: ${names}.`;
	return { text, kept: measured.kept[0]!, keptFresh: fresh.kept[0]! };
}
