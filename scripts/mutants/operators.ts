import ts from 'typescript';

import type { TextEdit } from './TextEdit';

/** A change of a program that its tests should notice. */
export interface Mutation extends TextEdit {
	/** What kind of change it is. */
	operator: string;
	/** The part of the file that runs where the change makes a difference, when it is smaller than what is changed. */
	noticedIn?: { start: number; end: number };
}

type Operator = (node: ts.Node, sourceFile: ts.SourceFile) => Array<Omit<Mutation, 'operator'>>;

const { SyntaxKind } = ts;

const COMPARISONS = new Map<ts.SyntaxKind, string[]>([
	[SyntaxKind.LessThanToken, ['<=', '>=']],
	[SyntaxKind.LessThanEqualsToken, ['<', '>']],
	[SyntaxKind.GreaterThanToken, ['>=', '<=']],
	[SyntaxKind.GreaterThanEqualsToken, ['>', '<']],
	[SyntaxKind.EqualsEqualsEqualsToken, ['!==']],
	[SyntaxKind.ExclamationEqualsEqualsToken, ['===']],
]);

const ARITHMETIC = new Map<ts.SyntaxKind, string[]>([
	[SyntaxKind.PlusToken, ['-']],
	[SyntaxKind.MinusToken, ['+']],
	[SyntaxKind.AsteriskToken, ['/']],
	[SyntaxKind.SlashToken, ['*']],
	[SyntaxKind.PercentToken, ['*']],
	[SyntaxKind.PlusEqualsToken, ['-=']],
	[SyntaxKind.MinusEqualsToken, ['+=']],
	[SyntaxKind.QuestionQuestionEqualsToken, ['=']],
]);

const LOGIC = new Map<ts.SyntaxKind, string[]>([
	[SyntaxKind.AmpersandAmpersandToken, ['||']],
	[SyntaxKind.BarBarToken, ['&&']],
]);

const STEPS = new Map<ts.SyntaxKind, string>([
	[SyntaxKind.PlusPlusToken, '--'],
	[SyntaxKind.MinusMinusToken, '++'],
]);

/** Methods whose call may be left away. */
const PASSING = new Set([
	...['filter', 'sort', 'toSorted', 'reverse', 'toReversed', 'slice', 'flat', 'concat', 'subarray'],
	...['trim', 'trimStart', 'trimEnd', 'toLowerCase', 'toUpperCase', 'normalize'],
]);

const OPPOSITES = new Map(
	[
		['every', 'some'],
		['startsWith', 'endsWith'],
		['push', 'unshift'],
		['shift', 'pop'],
		['min', 'max'],
		['floor', 'ceil'],
		['indexOf', 'lastIndexOf'],
		['find', 'findLast'],
	].flatMap(([one, other]) => [
		[one!, other!],
		[other!, one!],
	]),
);

const OPERATORS: Record<string, Operator> = {
	comparison: binary(COMPARISONS),
	arithmetic: binary(ARITHMETIC),
	logic: binary(LOGIC),
	'nullish fallback': (node, sourceFile) =>
		ts.isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.QuestionQuestionToken
			? [
					{
						...replace(node, node.left.getText(sourceFile), sourceFile),
						noticedIn: spanOf(node.right, sourceFile),
					},
					replace(node, node.right.getText(sourceFile), sourceFile),
				]
			: [],
	boolean: (node, sourceFile) => {
		if (node.kind === SyntaxKind.TrueKeyword) return [replace(node, 'false', sourceFile)];
		return node.kind === SyntaxKind.FalseKeyword ? [replace(node, 'true', sourceFile)] : [];
	},
	number: (node, sourceFile) =>
		ts.isNumericLiteral(node) ? [replace(node, otherNumber(node), sourceFile)] : [],
	sign: (node, sourceFile) => {
		if (!ts.isPrefixUnaryExpression(node) && !ts.isPostfixUnaryExpression(node)) return [];
		if ([SyntaxKind.ExclamationToken, SyntaxKind.MinusToken].includes(node.operator)) {
			return [replace(node, node.operand.getText(sourceFile), sourceFile)];
		}
		const step = STEPS.get(node.operator);
		const operand = node.operand.getText(sourceFile);
		if (!step) return [];
		return [replace(node, ts.isPrefixUnaryExpression(node) ? step + operand : operand + step, sourceFile)];
	},
	condition: (node, sourceFile) => {
		if (ts.isIfStatement(node)) {
			return [
				replace(node.expression, 'true', sourceFile),
				{
					...replace(node.expression, 'false', sourceFile),
					noticedIn: spanOf(node.thenStatement, sourceFile),
				},
			];
		}
		if (ts.isWhileStatement(node)) return [replace(node.expression, 'false', sourceFile)];
		return ts.isForStatement(node) && node.condition ? [replace(node.condition, 'false', sourceFile)] : [];
	},
	choice: (node, sourceFile) => {
		if (!ts.isConditionalExpression(node)) return [];
		const [condition, yes, no] = [node.condition, node.whenTrue, node.whenFalse].map((part) =>
			part.getText(sourceFile),
		);
		return [
			replace(node, `${condition} ? ${no} : ${yes}`, sourceFile),
			{
				...replace(node, `true ? ${yes} : ${no}`, sourceFile),
				noticedIn: spanOf(node.whenFalse, sourceFile),
			},
			{
				...replace(node, `false ? ${yes} : ${no}`, sourceFile),
				noticedIn: spanOf(node.whenTrue, sourceFile),
			},
		];
	},
	'optional chaining': (node, sourceFile) => {
		if (node.kind !== SyntaxKind.QuestionDotToken) return [];
		return [replace(node, ts.isPropertyAccessExpression(node.parent) ? '.' : '', sourceFile)];
	},
	'removed statement': (node, sourceFile) =>
		ts.isExpressionStatement(node) ||
		ts.isThrowStatement(node) ||
		ts.isBreakOrContinueStatement(node) ||
		(ts.isReturnStatement(node) && !node.expression)
			? [replace(node, ';', sourceFile)]
			: [],
	'emptied return': (node, sourceFile) => {
		if (ts.isReturnStatement(node) && node.expression) {
			// Callers tell undefined from false as little as the compiler lets them, and the boolean has a mutant of its own.
			const isEmpty = ['undefined', 'false'].includes(node.expression.getText(sourceFile));
			return isEmpty ? [] : [replace(node, 'return;', sourceFile)];
		}
		return ts.isArrowFunction(node) && !ts.isBlock(node.body)
			? [replace(node.body, 'undefined', sourceFile)]
			: [];
	},
	'emptied body': (node, sourceFile) =>
		ts.isBlock(node) && ts.isFunctionLike(node.parent) && node.statements.length > 0
			? [replace(node, '{}', sourceFile)]
			: [],
	'emptied list': (node, sourceFile) =>
		ts.isArrayLiteralExpression(node) && node.elements.length > 0 ? [replace(node, '[]', sourceFile)] : [],
	'removed spread': (node, sourceFile) => {
		if (ts.isSpreadAssignment(node)) return [replace(node, '...{}', sourceFile)];
		return ts.isSpreadElement(node) ? [replace(node, '...[]', sourceFile)] : [];
	},
	'removed call': (node, sourceFile) => {
		if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return [];
		const { name, expression } = node.expression;
		return PASSING.has(name.text) ? [replace(node, expression.getText(sourceFile), sourceFile)] : [];
	},
	'opposite method': (node, sourceFile) => {
		if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return [];
		const opposite = OPPOSITES.get(node.expression.name.text);
		return opposite ? [replace(node.expression.name, opposite, sourceFile)] : [];
	},
	'regular expression': (node, sourceFile) =>
		ts.isRegularExpressionLiteral(node)
			? looserExpressions(node.text).map((text) => replace(node, text, sourceFile))
			: [],
};

/** All mutations of a node, without those of what it consists of. */
export function mutationsOf(node: ts.Node, sourceFile: ts.SourceFile): Mutation[] {
	return Object.entries(OPERATORS).flatMap(([operator, mutate]) =>
		mutate(node, sourceFile).map((edit) => ({ ...edit, operator })),
	);
}

function binary(replacements: Map<ts.SyntaxKind, string[]>): Operator {
	return (node, sourceFile) =>
		ts.isBinaryExpression(node)
			? (replacements.get(node.operatorToken.kind) ?? []).map((text) =>
					replace(node.operatorToken, text, sourceFile),
				)
			: [];
}

function spanOf(node: ts.Node, sourceFile: ts.SourceFile): { start: number; end: number } {
	return { start: node.getStart(sourceFile), end: node.end };
}

function replace(node: ts.Node, replacement: string, sourceFile: ts.SourceFile): TextEdit {
	return { start: node.getStart(sourceFile), end: node.end, replacement };
}

function otherNumber({ text }: ts.NumericLiteral): string {
	const value = Number(text);
	return String(value === 1 ? 0 : value + 1);
}

/** Without its anchors, and without each of the flags that change what it finds. */
function looserExpressions(literal: string): string[] {
	const end = literal.lastIndexOf('/');
	const source = literal.slice(1, end);
	const flags = literal.slice(end + 1);
	return [
		...(source.startsWith('^') ? [`/${source.slice(1)}/${flags}`] : []),
		...(/(^|[^\\])\$$/.test(source) ? [`/${source.slice(0, -1)}/${flags}`] : []),
		...['g', 'i', 's']
			.filter((flag) => flags.includes(flag))
			.map((flag) => `/${source}/${flags.replace(flag, '')}`),
	];
}
