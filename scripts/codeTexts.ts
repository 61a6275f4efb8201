import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { sourceStrings } from './sourceStrings';

const SOURCES = ['nodes/**/*.ts', 'credentials/*.ts', 'client/**/*.ts'];

/** Labels of one word, and the strings of templates, which are shown as names of nodes and fields. */
const LABEL = /\b(?:displayName|name): '([^'\\]+)'/g;
const TEMPLATE_STRING = /"(?:name|formTitle|fieldLabel)": "([^"\\]+)"/g;

const LEAST_LETTERS = 4;

/** The texts that people see because they are written in this project: whole labels, and the fixed parts of longer texts. */
export function codeTexts(projectRoot: string): Set<string> {
	const filesOf = (patterns: string[]) =>
		globSync(patterns, { cwd: projectRoot }).map((file) => path.join(projectRoot, file));
	const literals = (files: string[], literal: RegExp) =>
		files.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(literal)].map(([, text]) => text!));
	const sources = filesOf(SOURCES);
	const sentences = sources.flatMap((file) =>
		sourceStrings(file).flatMap(({ text }) => text.split(/<[^<>]*>?|[^<>]*>/)),
	);
	const labels = [
		...literals(sources, LABEL),
		...literals(filesOf(['templates/*.json']), TEMPLATE_STRING),
	].filter((label) => /^\p{Lu}/u.test(label));
	const texts = [...sentences, ...labels];
	return new Set(
		texts.map((text) => text.replace(/\s+/g, ' ').trim()).filter(({ length }) => length >= LEAST_LETTERS),
	);
}
