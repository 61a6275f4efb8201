import { globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

import { Checklist } from './Checklist';

const PROJECT_ROOT = path.resolve(__dirname, '../..');

/**
 * Matches the placeholders. The brackets keep the pattern from matching itself, so that replacing the words in all files spares
 * it.
 */
const PLACEHOLDER = /\bOWNE[R]\b|maintainers@exampl[e]\.com|Inference Service node[s]/;

const read = (file: string) => readFileSync(path.join(PROJECT_ROOT, file), 'utf8');

/** Returns the lines that an owner has not yet filled in. */
function findPlaceholders(): string[] {
	const patterns = ['package.json', 'LICENSE', 'SECURITY.md', '{credentials,nodes,.github}/**'];
	return globSync(patterns, { cwd: PROJECT_ROOT })
		.filter((file) => statSync(path.join(PROJECT_ROOT, file)).isFile())
		.sort()
		.flatMap((file) =>
			read(file)
				.split('\n')
				.flatMap((line, index) => (PLACEHOLDER.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
		);
}

/** Compares the version of package.json with the first one of the changelog, and with the tag if there is one. */
function findOtherVersions(tag: string | undefined): string[] {
	const { version } = JSON.parse(read('package.json')) as { version: string };
	const heading = /^## .*/m.exec(read('CHANGELOG.md'))?.[0] ?? '';
	const isDated = heading.startsWith(`## [${version}] - `) && /\d{4}-\d\d-\d\d$/.test(heading);
	return [
		...(isDated ? [] : [`CHANGELOG.md begins with "${heading}", not with ${version} and its date`]),
		...(tag === undefined || tag === `v${version}` ? [] : [`the tag is ${tag}, not v${version}`]),
	];
}

/** Checks whether this tree can be released, under the given tag if there is one. */
async function main([tag]: string[]): Promise<void> {
	const checklist = new Checklist();
	await checklist.check('nothing is left to be filled in', () => ({ findings: findPlaceholders() }));
	await checklist.check('the changelog and the tag have the version of package.json', () => ({
		findings: findOtherVersions(tag),
	}));
	checklist.finish();
}

void main(process.argv.slice(2));
