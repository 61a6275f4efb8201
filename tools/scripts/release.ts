import { globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

import { Checklist } from './Checklist';

const PROJECT_ROOT = path.resolve(__dirname, '../..');

/** The brackets keep this pattern as it is when an owner replaces these words in all files. */
const PLACEHOLDER = /\bOWNE[R]\b|maintainers@exampl[e]\.com|Inference Service node[s]/;

const read = (file: string) => readFileSync(path.join(PROJECT_ROOT, file), 'utf8');

/** The lines that an owner has yet to fill in. */
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

/** Where the version of package.json differs from the first one of the changelog, or from the tag, if there is one. */
function findOtherVersions(tag: string | undefined): string[] {
	const { version } = JSON.parse(read('package.json')) as { version: string };
	const heading = /^## .*/m.exec(read('CHANGELOG.md'))?.[0] ?? '';
	const isDated = heading.startsWith(`## [${version}] - `) && /\d{4}-\d\d-\d\d$/.test(heading);
	return [
		...(isDated ? [] : [`CHANGELOG.md begins with "${heading}", not with ${version} and its date`]),
		...(tag === undefined || tag === `v${version}` ? [] : [`the tag is ${tag}, not v${version}`]),
	];
}

/** Whether this tree can be released, under the tag that is given, if any. */
async function main([tag]: string[]): Promise<void> {
	const checklist = new Checklist();
	await checklist.check('nothing is left to be filled in', () => ({ findings: findPlaceholders() }));
	await checklist.check('the changelog and the tag have the version of package.json', () => ({
		findings: findOtherVersions(tag),
	}));
	checklist.finish();
}

void main(process.argv.slice(2));
