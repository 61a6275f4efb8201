import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

import * as ts from 'typescript';

/** All that the sources and templates say, without escapes. */
export function codeText(projectRoot: string): string {
	return Object.values(readSources(projectRoot))
		.join('\n')
		.replace(/\\(['"`])/g, '$1');
}

/** The texts that people see because they are written in this project: labels, and the fixed parts of longer texts. */
export function codeTexts(projectRoot: string): Set<string> {
	const texts = Object.entries(readSources(projectRoot))
		.flatMap(([file, source]) => literalsOf(ts.createSourceFile(file, source, ts.ScriptTarget.Latest)))
		.flatMap((text) => text.split(/\n|<[^<>]*>?|[^<>]*>/))
		.map((text) => text.replace(/\s+/g, ' ').trim())
		.filter((text) => /\p{L}{4}/u.test(text) && (text.includes(' ') || /^\p{Lu}/u.test(text)));
	return new Set(texts);
}

function readSources(projectRoot: string): Record<string, string> {
	const patterns = ['nodes/**/*.ts', 'credentials/*.ts', 'client/**/*.ts', 'templates/*.json'];
	const files = globSync(patterns, { cwd: projectRoot }).sort();
	return Object.fromEntries(files.map((file) => [file, readFileSync(path.join(projectRoot, file), 'utf8')]));
}

/** Of a template with expressions: the parts between these. */
function literalsOf(node: ts.Node): string[] {
	const isText =
		ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
	if (isText) return [node.text];
	const texts: string[] = [];
	ts.forEachChild(node, (child) => void texts.push(...literalsOf(child)));
	return texts;
}
