import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A string of a TypeScript file, in any kind of quotation marks. */
const LITERAL = /'([^'\n]+)'|"([^"\n]+)"|`([^`]+)`/g;

const LEAST_LETTERS = 4;

/** All that the sources and templates say, with single spaces and without escapes. */
export function codeText(projectRoot: string): string {
	const patterns = ['nodes/**/*.ts', 'credentials/*.ts', 'client/**/*.ts', 'templates/*.json'];
	const files = globSync(patterns, { cwd: projectRoot }).sort();
	const texts = files.map((file) => readFileSync(path.join(projectRoot, file), 'utf8'));
	return texts.join('\n').replace(/\\(['"`])/g, '$1');
}

/** The texts that people see because they are written in this project: labels, and the fixed parts of longer texts. */
export function codeTexts(projectRoot: string): Set<string> {
	const literals = [...codeText(projectRoot).matchAll(LITERAL)].map((groups) =>
		groups.slice(1).find(Boolean)!,
	);
	const texts = literals
		.flatMap((text) => text.split(/\$\{[^}]*\}|<[^<>]*>?|[^<>]*>/))
		.map((text) => text.replace(/\s+/g, ' ').trim())
		.filter((text) => text.length >= LEAST_LETTERS && (text.includes(' ') || /^\p{Lu}/u.test(text)));
	return new Set(texts);
}
