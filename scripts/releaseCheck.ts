import { globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** In brackets, so that an owner who replaces these words in all files does not change this pattern. */
const PLACEHOLDER = /\bOWNE[R]\b|maintainers@exampl[e]\.com|Inference Service node[s]/;

/** The lines that an owner has yet to fill in. */
export function findPlaceholders(root: string): string[] {
	const files = globSync(['package.json', 'LICENSE', 'SECURITY.md', '{credentials,nodes,.github}/**'], {
		cwd: root,
	}).filter((file) => statSync(path.join(root, file)).isFile());
	return files.sort().flatMap((file) =>
		readFileSync(path.join(root, file), 'utf8')
			.split('\n')
			.flatMap((line, index) => (PLACEHOLDER.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
	);
}

/**
 * Lists where the version of package.json differs from the first one of the changelog, or from the tag.
 * @param tag none before there is one
 */
export function findOtherVersions(root: string, tag?: string): string[] {
	const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
	const { version } = JSON.parse(read('package.json')) as { version: string };
	const heading = /^## .*/m.exec(read('CHANGELOG.md'))?.[0] ?? '';
	const isDated = heading.startsWith(`## [${version}] - `) && /\d{4}-\d\d-\d\d$/.test(heading);
	return [
		...(isDated ? [] : [`CHANGELOG.md begins with "${heading}", not with ${version} and its date`]),
		...(tag === undefined || tag === `v${version}` ? [] : [`the tag is ${tag}, not v${version}`]),
	];
}
