import { dirname, relative } from 'node:path';

import type { MutantResult } from '@stryker-mutator/api/core' with { 'resolution-mode': 'import' };

const INTRODUCTION = `# Mutants

What \`npm run mutants -- --write\` last found; CONTRIBUTING.md says how. A mutant that no test enters counts as survived.
`;

/** The score of each room, and what survived, in Markdown. */
export function describeRun(results: MutantResult[], seed: string, root: string): string {
	const tried = results.filter(isTried).toSorted((a, b) => placeOf(a, root).localeCompare(placeOf(b, root)));
	const rooms = Map.groupBy(tried, ({ fileName }) => dirname(relative(root, fileName)));
	const survivors = tried.filter((mutant) => !isNoticed(mutant));
	return [
		INTRODUCTION,
		`${tried.length} of ${results.filter(({ status }) => status !== 'Ignored').length} mutants, seed ${seed}.\n`,
		'| room | mutants | noticed | score |',
		'| --- | ---: | ---: | ---: |',
		...[['**all**', tried] as const, ...rooms].map(([room, mutants]) => rowOf(room, mutants)),
		'\n## Survivors\n',
		...survivors.map((mutant) => `- ${placeOf(mutant, root)} ${describe(mutant)}`),
		'',
	].join('\n');
}

function isTried({ status }: MutantResult): boolean {
	return isNoticed({ status }) || ['Survived', 'NoCoverage', 'RuntimeError'].includes(status);
}

function isNoticed({ status }: Pick<MutantResult, 'status'>): boolean {
	return status === 'Killed' || status === 'Timeout';
}

function rowOf(room: string, mutants: MutantResult[]): string {
	const noticed = mutants.filter(isNoticed).length;
	return `| ${room} | ${mutants.length} | ${noticed} | ${((100 * noticed) / mutants.length).toFixed(1)}% |`;
}

function placeOf({ fileName, location: { start, end } }: MutantResult, root: string): string {
	const last = end.line === start.line ? end.column : `${end.line}:${end.column}`;
	return `${relative(root, fileName)}:${start.line}:${start.column}-${last}`;
}

function describe({ mutatorName, replacement, status }: MutantResult): string {
	const note = status === 'Survived' ? '' : ` (${status})`;
	return `${mutatorName}: \`${replacement.replace(/\s+/g, ' ').slice(0, 100)}\`${note}`;
}
