import ts from 'typescript';

import { sourceTextFunctions } from './sourceTextFunctions';
import { applyEdits, type TextEdit } from './TextEdit';

/** A part of a file that runs as a whole or not at all, but for what lies in regions within it. */
export interface Region {
	start: number;
	end: number;
}

/** The name of the global function that instrumented sources call: `__entered(file, region)`. */
export const ENTERED = '__entered';

/** The regions of a file, outer ones first. The first is the whole file. */
export function regionsOf(sourceFile: ts.SourceFile): Region[] {
	return partsOf(sourceFile).map((node) => ({ start: node.getStart(sourceFile), end: node.end }));
}

/** The number of the smallest region that holds a part of the file. */
export function regionOf(regions: Region[], { start, end }: { start: number; end: number }): number {
	let smallest = 0;
	regions.forEach((region, index) => {
		const size = ({ start: from, end: to }: Region) => to - from;
		if (region.start <= start && end <= region.end && size(region) <= size(regions[smallest]!)) {
			smallest = index;
		}
	});
	return smallest;
}

/** A file's text, with a call at the start of each region that tells of its being entered. */
export function instrument(sourceFile: ts.SourceFile, fileNumber: number): string {
	const edits = partsOf(sourceFile).flatMap((node, region) =>
		editsFor(node, `${ENTERED}(${fileNumber}, ${region})`, sourceFile),
	);
	return applyEdits(sourceFile.text, edits);
}

function partsOf(sourceFile: ts.SourceFile): ts.Node[] {
	const parts: ts.Node[] = [sourceFile];
	const untouchable = sourceTextFunctions(sourceFile);
	const visit = (node: ts.Node): void => {
		if (untouchable.has(node)) return;
		if (isPart(node)) parts.push(node);
		ts.forEachChild(node, visit);
	};
	ts.forEachChild(sourceFile, visit);
	return parts;
}

function isPart(node: ts.Node): boolean {
	const { parent } = node;
	if (ts.isCaseOrDefaultClause(node)) return true;
	if (ts.isFunctionLike(parent)) return 'body' in parent && parent.body === node;
	if (ts.isIfStatement(parent)) return node !== parent.expression;
	if (ts.isIterationStatement(parent, false)) return node === parent.statement;
	if (ts.isTryStatement(parent) || ts.isCatchClause(parent)) return ts.isBlock(node);
	if (ts.isConditionalExpression(parent)) return node === parent.whenTrue || node === parent.whenFalse;
	return ts.isBinaryExpression(parent) && isShortCircuit(parent.operatorToken.kind) && node === parent.right;
}

function isShortCircuit(operator: ts.SyntaxKind): boolean {
	return [
		ts.SyntaxKind.AmpersandAmpersandToken,
		ts.SyntaxKind.BarBarToken,
		ts.SyntaxKind.QuestionQuestionToken,
	].includes(operator);
}

function editsFor(node: ts.Node, call: string, sourceFile: ts.SourceFile): TextEdit[] {
	const start = node.getStart(sourceFile);
	const insert = (position: number, replacement: string) => ({ start: position, end: position, replacement });
	if (ts.isSourceFile(node)) return [insert(start, `${call};`)];
	if (ts.isBlock(node)) return [insert(start + 1, `${call};`)];
	if (ts.isCaseOrDefaultClause(node)) {
		const [first] = node.statements;
		return first ? [insert(first.getStart(sourceFile), `${call};`)] : [];
	}
	if (ts.isStatement(node)) return [insert(start, `{ ${call}; `), insert(node.end, ' }')];
	return [insert(start, `(${call}, `), insert(node.end, ')')];
}
