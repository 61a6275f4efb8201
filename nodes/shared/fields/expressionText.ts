import { shorten } from '../../../client/values/shorten';
import { isBlank } from '../text/composed';
import { hasContent } from '../text/hasContent';
import { ITEM_PREFIX } from '../text/namedField';
import { whyUnreadable, type Unreadable } from '../text/unreadable';
import {
	emptyWordsIn,
	holdsObject,
	mayHoldObject,
	mayWriteWord,
	writesEmptyWord,
	writesObject,
} from './strayWords';

/** An error gives this advice if all expressions of a text are empty. */
export const EMPTY_EXPRESSIONS_ADVICE = 'Check the names of the fields, or filter such items out.';

/** Hints and errors shorten longer expressions. */
export const MAX_EXPRESSION_CHARS = 80;

const BEGIN = '{{';
const END = '}}';

/** Describes a stored text, split at its expressions. There is one more literal than expressions, and each may be empty. */
interface ExpressionText {
	/** Holds the parts between the expressions, as n8n writes them into the text. */
	literals: string[];
	/** Holds the expressions, with their braces. */
	expressions: string[];
}

/** Returns whether n8n resolves a stored value: an expression, or an empty one. */
export function isResolved(stored: unknown): stored is string {
	return typeof stored === 'string' && stored.startsWith('=');
}

/** Returns whether a stored value is an expression. A field that was only switched to "Expression" is still empty. */
export function isExpression(stored: unknown): stored is string {
	return isResolved(stored) && stored.trim() !== '=';
}

/** Describes an expression of which only "[object Object]" or the like is left, or the code of a function. */
interface LostObject {
	/** Holds the expression, with its braces. */
	expression: string;
	/**
	 * Says whether the expression gives the object itself, joins it to text within, or gives a function that it does not call.
	 */
	gives: 'object' | 'textOfObject' | 'function';
}

/**
 * Finds an expression that gives an object or a function, but stands within text, or that itself joins an object to text, so that only
 * "[object Object]" or the like is left of it. The text alone does not show this, because an item may contain these words.
 * @param stored a value of a parameter as it is stored
 * @param resolved the same value with its expressions resolved
 * @param evaluate returns the value of one expression, which has its braces
 */
export function findObjectInText(
	stored: unknown,
	resolved: unknown,
	evaluate: (expression: string) => unknown,
): LostObject | undefined {
	if (typeof stored === 'string') {
		if (!isResolved(stored)) return undefined;
		const { expressions } = splitAtExpressions(stored);
		if (!mayHoldObject(expressions, resolved)) return undefined;
		for (const expression of expressions) {
			const gives = lostIn(expression, typeof resolved === 'string', evaluate);
			if (gives) return { expression, gives };
		}
		return undefined;
	}
	if (!isObject(stored) || !isObject(resolved)) return undefined;
	for (const [key, inner] of Object.entries(stored)) {
		const found = findObjectInText(inner, (resolved as Record<string, unknown>)[key], evaluate);
		if (found !== undefined) return found;
	}
	return undefined;
}

/**
 * Returns what is lost of an expression's value, if anything is.
 * @param isWithinText false if the text is nothing but this expression, so that it keeps its value
 */
function lostIn(
	expression: string,
	isWithinText: boolean,
	evaluate: (expression: string) => unknown,
): LostObject['gives'] | undefined {
	let value: unknown;
	try {
		value = evaluate(expression);
	} catch {
		// Within text, n8n writes the code of a function, but refuses an expression that gives nothing else.
		return isWithinText ? 'function' : undefined;
	}
	if (isWithinText && isLostInText(value)) return 'object';
	return writesObject(expression, value, evaluate) ? 'textOfObject' : undefined;
}

/**
 * Returns the expressions of a text that are undefined or null, which n8n replaces by empty text, or that join such a value to
 * text within, as "undefined". Only those are evaluated whose place in the resolved text may be empty, or all if the text holds such
 * a word, because evaluating one takes about 30 µs.
 * @param evaluate returns the value of one expression, which has its braces
 */
export function expressionsWithoutValue(
	stored: string,
	resolved: unknown,
	evaluate: (expression: string) => unknown,
): string[] {
	const { literals, expressions } = splitAtExpressions(stored);
	// A text that is nothing but one expression keeps its value, which may be no text.
	if (hasNoValue(resolved)) return expressions;
	const words = emptyWordsIn(expressions, resolved);
	return expressions.filter((expression, index) => {
		const isSuspect = mayWriteWord(expression, words);
		const isEmpty = typeof resolved === 'string' && mayBeEmpty(resolved, literals, index);
		if (!isEmpty && !isSuspect) return false;
		const value = evaluate(expression);
		return hasNoValue(value) || (isSuspect && writesEmptyWord(expression, value, evaluate));
	});
}

/** Returns whether the expression at this position may have left nothing in the text, so that its neighbours touch. */
function mayBeEmpty(resolved: string, literals: string[], index: number): boolean {
	const touching = literals[index]! + literals[index + 1]!;
	const isLast = index === literals.length - 2;
	if (index === 0) return isLast ? resolved === touching : resolved.startsWith(touching);
	return isLast ? resolved.endsWith(touching) : resolved.includes(touching);
}

/** A separator alone may be meant, but not if it is left of two values that an expression joins. */
const LONE_SEPARATOR = /^\s*[,;|]\s*$/;
const JOINS = /\.join\(/;

/**
 * Finds the expressions of a text whose whole value is one that the model cannot read, such as "[object Object]" in a field. A text to
 * write may well mention a link beside other values, so one is found only if nothing else comes from an item. Only an expression is
 * evaluated that has such a value between the literals around it.
 * @param faults the reasons that count
 * @param evaluate returns the value of one expression, which has its braces
 */
export function unreadableExpressions(
	stored: string,
	resolved: unknown,
	faults: readonly Unreadable[],
	evaluate: (expression: string) => unknown,
): Array<[expression: string, reason: Unreadable]> {
	if (typeof resolved !== 'string' || faults.length === 0) return [];
	const { literals, expressions } = splitAtExpressions(stored);
	const whyCounted = (value: string, expression: string) => {
		const isOfJoin = JOINS.test(expression) && LONE_SEPARATOR.test(value);
		const reason = isOfJoin ? 'leftover' : whyUnreadable(value);
		return reason !== undefined && faults.includes(reason) ? reason : undefined;
	};
	const written = writtenBetween(literals, resolved);
	return expressions.flatMap((expression, index) => {
		if (whyCounted(written[index]!, expression) === undefined) return [];
		// The text between two literals may be only a part of the value, if a literal stands within it too.
		const reason = whyCounted(String(evaluate(expression)), expression);
		const isLoneLink = () =>
			expressions.every((other) => other === expression || !hasContent(evaluate(other)));
		return reason === undefined || (reason === 'link' && !isLoneLink()) ? [] : [[expression, reason]];
	});
}

/**
 * Returns what the expressions have written between the literals of a text. Where a literal stands within a value too, it takes the
 * first words of the value, or of the last value the last ones.
 */
function writtenBetween(literals: string[], resolved: string): string[] {
	const between = literals.slice(1, -1);
	const end = resolved.length - literals.at(-1)!.length;
	let begin = literals[0]!.length;
	const written = between.map((literal) => {
		const next = resolved.indexOf(literal, begin);
		const text = resolved.slice(begin, next);
		begin = next + literal.length;
		return text;
	});
	const before = between.at(-1);
	if (before !== undefined) begin = resolved.lastIndexOf(before, end - before.length) + before.length;
	return [...written, resolved.slice(begin, end)];
}

/** Returns whether a stored value is a text with expressions in it. Without them, it is the same for every item. */
export function hasExpressions(stored: unknown): boolean {
	return isExpression(stored) && splitAtExpressions(stored).expressions.length > 0;
}

/** Returns whether a text has expressions, and each of them is undefined, null or blank. */
export function hasOnlyEmptyExpressions(stored: unknown, resolved: unknown): boolean {
	if (!isExpression(stored)) return false;
	const { literals, expressions } = splitAtExpressions(stored);
	if (expressions.length === 0) return false;
	if (typeof resolved !== 'string') return isBlank(resolved);
	if (!hasContent(resolved)) return true;
	const [first, ...others] = literals;
	// Blank expressions add nothing but white space to the literals. Most other texts differ from them at the first letter.
	return differOnlyInSpace(resolved.slice(first!.length), others.join(''));
}

/** Names the expressions of a text that has nothing but empty ones, such as "{{ $json.message }} is empty". */
export function describeOnlyEmptyExpressions(stored: unknown): string {
	const { expressions } = splitAtExpressions(String(stored));
	const named = expressions.map((expression) => shorten(expression, MAX_EXPRESSION_CHARS));
	return `${named.join(' and ')} ${named.length === 1 ? 'is' : 'are'} empty`;
}

/**
 * An expression that contains one of these reads the JSON of an item. `$today` does not, and `$binary` has no text of a file. Three are
 * older names, which n8n still knows.
 */
export const READS_ITEM = /\$(?:json|input|node|data|items?)\b|\$\(/;

/** Matches an expression in a text that writes the whole input item. */
export const WRITES_ITEM = /\{\{\s*(?:JSON\.stringify\(\s*\$json\s*[,)]|\$json\.toJsonString\(\))/;

/** Returns the path of the field of the item that an expression reads, if it does nothing else. Of others, it is no path of a field. */
export function pathRead(expression: string): string | undefined {
	const read = expression.slice(BEGIN.length, -END.length).trim();
	return ITEM_PREFIX.test(read) ? read.replace(ITEM_PREFIX, '') : undefined;
}

/** Matches the name of a member that an expression reads, as in `.text` and `["text"]`. */
const MEMBER = /\.([\w$]+)|\[\s*(['"])([^'"]*)\2\s*\]/g;

/** Returns whether one of these expressions reads a member of this name, of whatever object. */
export function readMember(expressions: string[], name: string): boolean {
	const members = expressions.flatMap((expression) => [...expression.matchAll(MEMBER)]);
	return members.some(([, plain, , quoted]) => (plain ?? quoted) === name);
}

/** Returns the expressions in the texts of a stored value, at any depth. */
export function expressionsWithin(stored: unknown): string[] {
	return findInTexts(stored, (text) => (isExpression(text) ? splitAtExpressions(text).expressions : []));
}

/** Returns the texts without expressions in a stored value, at any depth. */
export function fixedTextsWithin(stored: unknown): string[] {
	return findInTexts(stored, (text) => (hasExpressions(text) ? [] : [text]));
}

/** Returns what a person wrote around the expressions of a stored value, at any depth. */
export function literalsWithin(stored: unknown): string[] {
	return findInTexts(stored, (text) => (isExpression(text) ? splitAtExpressions(text).literals : [text]));
}

function findInTexts(stored: unknown, find: (text: string) => string[]): string[] {
	if (typeof stored === 'string') return find(stored);
	if (typeof stored !== 'object' || stored === null) return [];
	return Object.values(stored).flatMap((inner) => findInTexts(inner, find));
}

/** Splits a text by n8n's rules. Without the end of an expression, the rest is a literal, and n8n gives an error. */
export function splitAtExpressions(stored: string): ExpressionText {
	const literals: string[] = [];
	const expressions: string[] = [];
	let position = 1;
	for (;;) {
		const begin = indexOfBraces(stored, BEGIN, position);
		const end = begin === -1 ? -1 : indexOfBraces(stored, END, begin + BEGIN.length);
		if (end === -1) break;
		literals.push(stored.slice(position, begin).replaceAll('\\\\', '\\'));
		position = end + END.length;
		expressions.push(stored.slice(begin, position));
	}
	literals.push(stored.slice(position));
	return { literals, expressions };
}

/** Returns the index of the next braces, or -1. After an odd number of backslashes, braces are plain text. */
function indexOfBraces(text: string, braces: string, from: number): number {
	let index = text.indexOf(braces, from);
	while (index !== -1) {
		let backslashes = 0;
		while (index - backslashes > from && text[index - backslashes - 1] === '\\') backslashes++;
		if (backslashes % 2 === 0) return index;
		index = text.indexOf(braces, index + braces.length);
	}
	return -1;
}

function differOnlyInSpace(a: string, b: string): boolean {
	let indexA = 0;
	let indexB = 0;
	for (;;) {
		while (isSpace(a[indexA])) indexA++;
		while (isSpace(b[indexB])) indexB++;
		if (indexA === a.length || indexB === b.length) return indexA === a.length && indexB === b.length;
		if (a[indexA++] !== b[indexB++]) return false;
	}
}

function isSpace(character: string | undefined): boolean {
	return character !== undefined && isBlank(character);
}

/** NaN counts as no value, because n8n replaces it by empty text. */
function hasNoValue(value: unknown): boolean {
	return value === undefined || value === null || Number.isNaN(value);
}

/** Returns whether a value is an object that has no text of its own, as a date has, or a list with such an object. */
function isLostInText(value: unknown): boolean {
	return isObject(value) && holdsObject(String(value));
}

function isObject(value: unknown): value is object {
	return typeof value === 'object' && value !== null;
}
