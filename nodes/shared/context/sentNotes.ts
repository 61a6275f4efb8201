import { hasExpressions, pathRead, readMember, READS_ITEM } from '../fields/expressionText';
import type { Field } from '../fields/Field';
import { fieldWithHtml } from '../text/fieldWithHtml';
import { valueAt } from '../text/fieldPath';
import { hasContent } from '../text/hasContent';
import { isFieldIn } from '../text/isFieldIn';
import { namedField } from '../text/namedField';
import { hasSentence } from '../text/sentence';
import type { ItemContext } from './ItemContext';
import { beginningOfEmail, contentsOf, lengthOfText } from './knownItems';
import { MIN_EQUAL_ITEMS } from './SentTexts';

/** Other programs fill in the value of a field where a text has its name so, such as {message}. */
const PLACEHOLDER = /(?<!\{)\{([^{}]+)\}(?!\})/g;

/** Returns the names in a text that stand in single braces. */
export function placeholdersIn(text: unknown): string[] {
	return typeof text !== 'string' ? [] : [...text.matchAll(PLACEHOLDER)].map(([, field]) => field!);
}

/**
 * Takes note of a text without expressions that is to be sent. If it is the name of a field, or has one in single braces, the value of
 * the field was probably meant.
 */
export function noteFixedText(item: ItemContext, text: unknown): void {
	if (typeof text !== 'string') return;
	noteFieldName(item, text);
	for (const field of placeholdersIn(text)) notePlaceholder(item, field);
}

/** Takes note of a text without expressions that is nothing but the name of a field. */
export function noteFieldName(item: ItemContext, text: string): void {
	const name = text.trim();
	const path = namedField(name, item.input.json);
	if (path) item.run.fieldNames.add(item.index, JSON.stringify([name, ...path]));
}

/**
 * Takes note of names in single braces, if the item has such fields, and they are not sent.
 * @param sent a text, an object, or a list of these
 */
export function notePlaceholders(item: ItemContext, names: Iterable<string>, sent: unknown): void {
	const { json } = item.input;
	// A text may name a field that the model gets.
	for (const name of names) if (!isFieldIn(sent, name, json[name])) notePlaceholder(item, name);
}

/** Takes note of a name in single braces, if the item has such a field. */
function notePlaceholder(item: ItemContext, field: string): void {
	if (!Object.hasOwn(item.input.json, field)) return;
	item.run.fieldNames.add(item.index, JSON.stringify([`{${field}}`, field]));
}

/**
 * Takes note of an item with a text if nothing of any item is sent. Of several items without an expression, it is said that all sent
 * the same.
 * @param expressions all expressions in what is sent
 */
export function noteUnused(item: ItemContext, expressions: string[]): void {
	const { isTool, items } = item.run;
	if (isTool) return;
	if (items.length >= MIN_EQUAL_ITEMS && expressions.length === 0) return;
	if (expressions.some((expression) => READS_ITEM.test(expression))) return;
	const { json } = item.input;
	// The headers of a webhook name the browser in a sentence.
	for (const name of contentsOf(json, false)) {
		if (!hasSentence(json[name])) continue;
		item.noteFields('unused', [name]);
		return;
	}
}

/**
 * Takes note if only the beginning of an email is to be sent.
 * @param sent a text, an object, or a list of these
 * @param expressions the expressions in it
 */
export function noteEmail(item: ItemContext, sent: unknown, expressions: string[]): void {
	const { json } = item.input;
	const email = beginningOfEmail(json);
	if (!email || !isFieldIn(sent, email.field, json[email.field])) return;
	const { field, wholes } = email;
	if (wholes.some((name) => isSent(item, [name], sent, expressions))) return;
	// A short email is no longer than its beginning.
	const isLonger = (name: string) => lengthOfText(json[name]) > lengthOfText(json[field]);
	if (wholes.length === 0 || wholes.some(isLonger)) item.noteFields('email', [field]);
}

/**
 * Takes note of fields that expressions read, and that are blank beside the same text as HTML, which is not sent.
 * @param sent a text, an object, or a list of these
 * @param expressions the expressions in it
 */
export function noteBlankFields(item: ItemContext, sent: unknown, expressions: string[]): void {
	const { json } = item.input;
	for (const expression of expressions) {
		const name = pathRead(expression);
		const path = name === undefined ? undefined : item.run.findPath(name, json);
		if (!path || hasContent(valueAt(json, path))) continue;
		const withHtml = fieldWithHtml(json, path);
		if (!withHtml || isSent(item, withHtml, sent, expressions)) continue;
		item.noteFields('blank', [withHtml.join('.')]);
	}
}

/** Returns whether a field is to be sent, as a whole or as a part that an expression makes of it. */
function isSent(item: ItemContext, path: string[], sent: unknown, expressions: string[]): boolean {
	const name = path.at(-1)!;
	return isFieldIn(sent, name, valueAt(item.input.json, path)) || readMember(expressions, name);
}

/** Takes note of the texts of these fields as `noteFixedText` does, except of those with expressions. */
export function noteFixedTexts(item: ItemContext, ...fields: Array<Field<string>>): void {
	for (const field of fields) {
		if (!hasExpressions(item.run.parameters.stored(field))) noteFixedText(item, item.read(field));
	}
}
