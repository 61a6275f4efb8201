import { valueAt } from './fieldPath';
import { hasContent } from './hasContent';

/**
 * Returns the keys that lead to the field beside another one that has the same text as HTML, such as `html` beside `text`, or `body_html`
 * beside `body`. Returns undefined if there is none, or if it has no text either.
 * @param path the keys that lead to the other field
 */
export function fieldWithHtml(json: object, path: string[]): string[] | undefined {
	const [parent, name] = [path.slice(0, -1), plainName(path.at(-1)!)];
	const kind = ['plain', 'text'].find((one) => name.includes(one));
	const names = [...(kind === undefined ? [] : [name.replace(kind, 'html')]), `${name}html`, `${name}ashtml`];
	const siblings = Object.entries(valueAt(json, parent) as object);
	const found = siblings.find(
		([key, value]) => names.includes(plainName(key)) && typeof value === 'string' && hasContent(value),
	);
	return found && [...parent, found[0]];
}

/** Returns a name without its signs, but with its digits: the second line of an address is not the first one. */
function plainName(key: string): string {
	return key.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
