import { isPlainObject } from '../../../client/values/records';
import { isBlank } from './composed';

/** These tags show nothing without a text between them. Others may be XML, whose attributes say something. */
const PLAIN_TAGS = [
	...['html', 'head', 'meta', 'body', 'div', 'p', 'br', 'span', 'b', 'i', 'u', 'em', 'strong', 'font', 'a'],
	...['center', 'h[1-6]', 'hr', 'ul', 'ol', 'li', 'table', 'tbody', 'tr', 'td', 'th', 'blockquote', 'pre'],
	// Nobody reads a picture without a description.
	String.raw`img(?![^<>]*\balt\s*=\s*(?:"[^"]|'[^']|[^\s"'>]))`,
].join('|');

/** Matches a piece of HTML that nobody sees, at the place where the search stands. */
const UNSEEN_HTML = new RegExp(
	[
		String.raw`[\s\p{Cc}\p{Default_Ignorable_Code_Point}]+`,
		'&(?:nbsp|#160|#xa0);',
		'<!doctype[^<>]*>|<!--.*?-->|<style[^<>]*>.*?</style>',
		String.raw`</?(?:${PLAIN_TAGS})(?:[\s/][^<>]*)?>`,
	].join('|'),
	'isuy',
);

/** Returns whether a value is or contains more than null, blank text, HTML without text, and empty lists and objects. */
export function hasContent(value: unknown): boolean {
	if (Array.isArray(value) || isPlainObject(value)) return Object.values(value).some(hasContent);
	return !isBlank(value) && !(typeof value === 'string' && isBlankHtml(value));
}

/** Looks at one piece after another, and stops at the first one that is seen, which in most texts is the first letter. */
function isBlankHtml(text: string): boolean {
	UNSEEN_HTML.lastIndex = 0;
	while (UNSEEN_HTML.lastIndex < text.length) if (!UNSEEN_HTML.test(text)) return false;
	return true;
}
