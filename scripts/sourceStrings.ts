import { readFileSync } from 'node:fs';

import {
	createSourceFile,
	forEachChild,
	isStringLiteral,
	isTemplateLiteralToken,
	ScriptTarget,
	type Node,
} from 'typescript';

/** The strings of a TypeScript file that read like sentences, with two words or more. For a template, its parts. */
export function sourceStrings(file: string): Array<{ line: number; text: string }> {
	const source = createSourceFile(file, readFileSync(file, 'utf8'), ScriptTarget.Latest, true);
	const strings: Array<{ line: number; text: string }> = [];
	const visit = (node: Node): void => {
		if ((isStringLiteral(node) || isTemplateLiteralToken(node)) && /\p{L} \p{L}/u.test(node.text)) {
			strings.push({
				line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1,
				text: node.text,
			});
		}
		forEachChild(node, visit);
	};
	visit(source);
	return strings;
}
