import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';

import { mutationsOf, type Mutation } from './operators';
import { ROOT } from './paths';
import { applyEdits } from './TextEdit';

/** One change of one file of the project. */
export interface Mutant extends Mutation {
	/** Short, and the same as long as the line and its change are. */
	id: string;
	/** Relative to the project. */
	file: string;
	line: number;
	/** What is replaced. */
	original: string;
}

/** Properties that hold words for people. */
const TEXTS = new Set(['displayName', 'description', 'hint', 'placeholder', 'action', 'message']);

export function parseSource(file: string): ts.SourceFile {
	return ts.createSourceFile(file, readFileSync(join(ROOT, file), 'utf8'), ts.ScriptTarget.ES2022, true);
}

/** All mutants of a file, the compiler's opinion aside. */
export function mutantsOf(sourceFile: ts.SourceFile): Mutant[] {
	const mutants: Mutant[] = [];
	const counts = new Map<string, number>();
	const lines = sourceFile.text.split('\n');
	const visit = (node: ts.Node): void => {
		if (isLeftOut(node)) return;
		for (const mutation of mutationsOf(node, sourceFile)) {
			const { line } = sourceFile.getLineAndCharacterOfPosition(mutation.start);
			const original = sourceFile.text.slice(mutation.start, mutation.end);
			const identity = [sourceFile.fileName, lines[line]!.trim(), original, mutation.replacement].join('\n');
			const count = (counts.get(identity) ?? 0) + 1;
			counts.set(identity, count);
			const id = hash(`${identity}\n${count}`).slice(0, 10);
			mutants.push({ ...mutation, id, file: sourceFile.fileName, line: line + 1, original });
		}
		ts.forEachChild(node, visit);
	};
	ts.forEachChild(sourceFile, visit);
	return mutants;
}

/** The text of the mutant's file. */
export function mutatedText({ start, end, replacement }: Mutant, sourceFile: ts.SourceFile): string {
	return applyEdits(sourceFile.text, [{ start, end, replacement }]);
}

/** As a person reads it: `file:line: what → what instead`. */
export function describeMutant({ id, file, line, operator, original, replacement }: Mutant): string {
	return `${file}:${line} ${operator}: ${onOneLine(original)} → ${onOneLine(replacement)} (${id})`;
}

/** The first mutants in an order that the seed decides, and that other mutants do not change. */
export function sampleOf(mutants: Mutant[], seed: number): Mutant[] {
	const rank = new Map(mutants.map((mutant) => [mutant, hash(`${seed}\n${mutant.id}`)]));
	return mutants.toSorted((a, b) => rank.get(a)!.localeCompare(rank.get(b)!));
}

export function hash(text: string): string {
	return createHash('sha256').update(text).digest('hex');
}

function isLeftOut(node: ts.Node): boolean {
	if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node)) return true;
	if (ts.isTypeAliasDeclaration(node)) return true;
	return ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && TEXTS.has(node.name.text);
}

function onOneLine(text: string): string {
	const line = text.replace(/\s+/g, ' ');
	return line.length > 100 ? `${line.slice(0, 97)}...` : line;
}
