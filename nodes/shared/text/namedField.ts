import { pathFinder } from './fieldPath';

/** Whoever means the value of a field may type its name as in an expression. */
export const ITEM_PREFIX = /^(?:\$?json)(?:\.(?=.)|(?=\[))/;

/**
 * Returns the keys that lead to the field of an item that a text names, outermost first, or undefined if the text names none. The text
 * may differ from the name in upper and lower case, or be a path such as `body.message` or `json.message`.
 */
export function namedField(text: string, json: object): string[] | undefined {
	if (Object.hasOwn(json, text)) return [text];
	const lower = text.toLowerCase();
	const [similar, ...others] = Object.keys(json).filter((name) => name.toLowerCase() === lower);
	if (similar !== undefined && others.length === 0) return [similar];
	// A sentence is no path, although it may have a dot.
	const isPath = ITEM_PREFIX.test(text) || (/[.[]/.test(text) && !/\s/.test(text));
	return isPath ? (pathFinder(text)(json) ?? pathFinder(text.replace(ITEM_PREFIX, ''))(json)) : undefined;
}
