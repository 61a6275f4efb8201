import { parseJson } from '../../../client/values/parseJson';
import { jsonTokensOf } from '../../../client/values/jsonTokens';
import { isMissing } from '../../../client/values/records';
import { unsafeIntegersIn } from '../../../client/values/unsafeIntegers';
import { isExpression, splitAtExpressions } from './expressionText';
import { describeValue, field, type Field, type Place, type PropertyWithoutType } from './Field';
import { ParameterError } from './ParameterError';
import { literalsIn } from './strayWords';

/** JSON allows no character with a lower code within quotes. */
const FIRST_PRINTABLE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Backslashes and quotes that an expression writes itself, and a function that does. */
const WRITES_ESCAPES = /"|\\\\/;
const CALLS_STRINGIFY = /stringify|toJsonString/i;

/** Makes a field for JSON text, or for an expression that gives the value itself. Its value is undefined if it is empty. */
export function jsonField(property: PropertyWithoutType<'type' | 'default'>): Field<unknown> {
	return field({ type: 'json', default: '', ...property }, (value, place) => {
		if (isMissing(value)) return undefined;
		return typeof value === 'string' ? readJsonText(value, place) : value;
	});
}

/**
 * Parses JSON text that a person wrote, with the expressions in it resolved.
 * @throws ParameterError for invalid JSON, and for JSON that parses, but not to what a person meant
 */
export function readJsonText(text: string, place: Place): unknown {
	checkTextsInQuotes(text, place);
	const parsed = parseJson(text);
	if (!parsed.success) throw new ParameterError(place.subject, `must be valid JSON (${parsed.problem})`);
	checkKeys(text, place);
	checkIntegers(text, place);
	return parsed.value;
}

/**
 * Checks that the text of each expression within quotes stays what it is. A quotation mark in it would end the string, so that the
 * rest of the text becomes further fields or messages, and a backslash would change the character after it.
 */
function checkTextsInQuotes(text: string, { subject, stored, expressions: item }: Place): void {
	if (!item || !isExpression(stored)) return;
	const { literals, expressions } = splitAtExpressions(stored);
	const quoted = quotedIn(literals).filter((index) => !makesJson(expressions[index]!));
	if (quoted.length === 0) return;
	// Most texts hold no such character but those of the person who wrote the JSON. Then nothing is evaluated.
	if (countUnsafe(text) === literals.reduce((sum, literal) => sum + countUnsafe(literal), 0)) return;
	const index = quoted.find((one) => countUnsafe(String(item.evaluate(expressions[one]!) ?? '')) > 0);
	if (index === undefined) return;
	const expression = expressions[index]!;
	const isAlone = literals[index]!.endsWith('"') && literals[index + 1]!.startsWith('"');
	const written = isAlone ? expression.slice(2, -2).trim() : "'Text: ' + $json.field";
	throw new ParameterError(
		subject,
		`must not have ${describeValue(expression)} within quotes, because its text has a quotation mark, a backslash or a line break`,
		`${isAlone ? 'Write' : 'Write the whole text as one expression, such as'} {{ JSON.stringify(${written}) }}, without quotes around it.`,
	);
}

/** Returns the indexes of the expressions that stand within quotes. */
function quotedIn(literals: string[]): number[] {
	let isInQuotes = false;
	return literals.slice(0, -1).flatMap((literal, index) => {
		if (countQuotes(literal) % 2 === 1) isInQuotes = !isInQuotes;
		return isInQuotes ? [index] : [];
	});
}

/** Counts the characters that end a string of JSON, change its text, or may not stand in it. */
function countUnsafe(text: string): number {
	let count = 0;
	for (let index = 0; index < text.length; index++) {
		const code = text.charCodeAt(index);
		if (code < FIRST_PRINTABLE || code === QUOTE || code === BACKSLASH) count++;
	}
	return count;
}

/** Counts the quotation marks that begin or end a string. */
function countQuotes(literal: string): number {
	return literal.replaceAll(/\\./gs, '').split('"').length - 1;
}

/** An expression that writes quotation marks or backslashes is meant to write JSON, such as `$json.tags.join('","')`. */
function makesJson(expression: string): boolean {
	return CALLS_STRINGIFY.test(expression) || WRITES_ESCAPES.test(literalsIn(expression));
}

/** `JSON.parse` keeps only the last value of a key that stands twice. */
function checkKeys(text: string, { subject }: Place): void {
	const open: Array<Set<string>> = [];
	for (const token of jsonTokensOf(text)) {
		if (token.text === '{') open.push(new Set());
		else if (token.text === '}') open.pop();
		if (!token.isKey) continue;
		const key = JSON.parse(token.text) as string;
		const keys = open.at(-1)!;
		if (keys.has(key)) {
			throw new ParameterError(
				subject,
				`must not have "${describeValue(key)}" twice in one object: rename or remove one`,
			);
		}
		keys.add(key);
	}
}

function checkIntegers(text: string, { subject }: Place): void {
	const [unsafe] = unsafeIntegersIn(text);
	if (unsafe === undefined) return;
	throw new ParameterError(
		subject,
		`must not have the number ${describeValue(unsafe)}, because so large a number loses its last digits: put it in quotes`,
	);
}
