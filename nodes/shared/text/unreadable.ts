import { isRecord } from '../../../client/values/records';
import { hasContent } from './hasContent';
import { hasSentence } from './sentence';

/** Says why the model cannot read a value as a person would: it is left of a value that could not be written, it is encoded, or it leads to a file. */
export type Unreadable = 'leftover' | 'encoded' | 'link';

/** JavaScript writes these in place of an object or of a value that is none. */
const LEFTOVER = /^(?:\[object [A-Z]\w*\]|undefined|NaN)$/;

/**
 * A sheet shows such a text in place of the value of a formula, in its own language: #REF!, #NOM?, #N/D. LibreOffice also writes Err:502. A
 * hashtag has no sign at its end.
 */
const SHEET_ERROR = /^(?:#[¡¿]?\p{Lu}[\p{Lu}\d/_]*[!?]|#\p{Lu}\/\p{Lu}|#NV|Err:\d{3})$/u;

/** These are left of several values that are none: joined, or in a list as JSON. A single separator may be meant. */
const WITHOUT_VALUES = /^(?:[,;|](?:\s*[,;|])+|\[\s*(?:\{\s*\}|null)(?:\s*,\s*(?:\{\s*\}|null))*\s*\])$/;

/** Base64 of two kinds. A shorter text of such characters may be an ID or a key. */
const BASE64 = /^[\w+/-]{200,}={0,2}$/;

/** Matches a link to a document. One to a picture is often a fact among others, such as that of a product. */
const DOCUMENT_LINK =
	/^https?:\/\/(?:(?:drive|docs)\.google\.com\/|\S+\.(?:pdf|docx?|odt|rtf|txt)(?:[?#]\S*)?$)/i;

/**
 * Finds the fields that the model cannot read. Beside text that says something, all but what is left of a value may well be left unread.
 */
export function unreadableIn(state: object): Array<[field: string, reason: Unreadable]> {
	const found: Array<[field: string, reason: Unreadable]> = [];
	let hasText: boolean | undefined;
	for (const [field, value] of Object.entries(state)) {
		const reason = typeof value === 'string' ? whyUnreadable(value) : areFiles(value) ? 'link' : undefined;
		if (reason === undefined) continue;
		// Few items have such a field, so the others are not searched for text.
		const isLeftover = typeof value === 'string' && LEFTOVER.test(value.trim());
		if (isLeftover || !(hasText ??= hasSentence(state))) found.push([field, reason]);
	}
	return found;
}

/** Returns whether a list holds nothing but files as APIs such as those of Airtable and Tally describe them, or links to documents. */
function areFiles(value: unknown): boolean {
	return Array.isArray(value) && value.length > 0 && value.every(isFile);
}

function isFile(entry: unknown): boolean {
	if (typeof entry === 'string') return DOCUMENT_LINK.test(entry.trim());
	if (!isRecord(entry)) return false;
	const hasText = (names: string[]) => names.some((name) => typeof entry[name] === 'string');
	return (
		hasText(['url']) && hasText(['filename', 'fileName', 'name']) && hasText(['type', 'mimeType', 'mimetype'])
	);
}

/** A number of so many digits is most likely a phone number or an ID, which says nothing on its own. A local phone number has seven. */
const MIN_DIGITS = 7;

/** People group the digits of such a number with these. */
const DIGITS = /^\+?[\d\s()./-]+$/;

/** A date says something without words. */
const DATE = /^(?:\d{4}([./-])\d{1,2}\1\d{1,2}|\d{1,2}([./-])\d{1,2}\2\d{4})$/;

/** Returns the only field of a state, or 'Text' for a text, if it is a long number. Several numbers with their names may well be judged. */
export function lonelyNumberIn(state: unknown): string | undefined {
	if (typeof state !== 'object' || state === null) return isLongNumber(state) ? 'Text' : undefined;
	const [only, ...others] = Object.entries(state).filter(([, value]) => hasContent(value));
	return only && others.length === 0 && isLongNumber(only[1]) ? only[0] : undefined;
}

function isLongNumber(value: unknown): boolean {
	if (typeof value !== 'string' && !Number.isInteger(value)) return false;
	const text = String(value);
	return DIGITS.test(text) && !DATE.test(text.trim()) && text.replace(/\D/g, '').length >= MIN_DIGITS;
}

/** Says why the model cannot read a text, or returns undefined if it can, or if that is not certain. */
export function whyUnreadable(value: string): Unreadable | undefined {
	const text = value.trim();
	if ([LEFTOVER, SHEET_ERROR, WITHOUT_VALUES].some((left) => left.test(text))) return 'leftover';
	if (BASE64.test(text)) return 'encoded';
	return DOCUMENT_LINK.test(text) ? 'link' : undefined;
}
