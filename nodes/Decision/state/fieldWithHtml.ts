import { hasContent } from '../../shared/text/hasContent';
import { valueAt } from '../../shared/text/fieldPath';

/** These are parts of HTML that people do not see. */
const MARKUP = /<[^<>]*>|&nbsp;/g;

/**
 * Returns the keys that lead to the field beside another one that has the same text as HTML, such as `html` beside `text`, or `body_html`
 * beside `body`. Returns undefined if there is none, or if it has no text either.
 * @param path the keys that lead to the other field
 */
export function fieldWithHtml(json: object, path: string[]): string[] | undefined {
	const [parent, name] = [path.slice(0, -1), lettersOf(path.at(-1)!)];
	const names = [
		name.replace(name.includes('plain') ? 'plain' : 'text', 'html'),
		`${name}html`,
		`${name}ashtml`,
	];
	const siblings = Object.entries(valueAt(json, parent) as object);
	const found = siblings.find(([key, value]) => names.includes(lettersOf(key)) && hasTextInHtml(value));
	return found && [...parent, found[0]];
}

function lettersOf(key: string): string {
	return key.toLowerCase().replace(/[^a-z]/g, '');
}

function hasTextInHtml(value: unknown): boolean {
	return typeof value === 'string' && hasContent(value.replace(MARKUP, ''));
}
