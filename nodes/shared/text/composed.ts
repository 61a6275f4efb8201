import { hasVisibleText } from '../../../client/values/hasVisibleText';
import { isMissing } from '../../../client/values/records';

/** Below U+0300, where the accents begin that stand alone, each text is composed. To find that out is cheaper than to compose it. */
const MAY_CHANGE = /[\u0300-\uffff]/;

/**
 * Writes accented letters in Unicode's composed form (NFC). Files of a Mac hold "é" as two characters where others have one, and
 * people see no difference. It is for comparing texts: what the node gives out is spelt as it was written.
 */
export function composed(text: string): string {
	return MAY_CHANGE.test(text) ? text.normalize('NFC') : text;
}

/** Returns a text that is equal for all spellings of a label or an ID. */
export function labelKey(label: string): string {
	return composed(label.trim());
}

/**
 * These are the characters that nobody sees: a zero-width space, a soft hyphen, marks of the direction of writing, selectors of
 * an emoji's style, and the byte order mark. Not the joiners U+200C and U+200D, which change how a word or an emoji looks.
 */
const INVISIBLE = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]/g;

/** Sheets and web pages have line breaks and spaces that do not break where people see one space. */
const WHITE_SPACE = /\s+/g;

/** Returns a text that is equal for all texts that look the same: without what nobody sees, and with one space for each gap. */
export function visibleText(text: string): string {
	return composed(text.replace(INVISIBLE, '').trim().replace(WHITE_SPACE, ' '));
}

/** Returns a text that is equal for all texts that look the same, whatever their case. */
export function caselessKey(text: string): string {
	return visibleText(text).toLowerCase();
}

/**
 * Returns the letters and digits of a label, whatever their case. Two labels of one thing may differ in the kind of an apostrophe or a
 * dash, or in the zeros at the beginning of a number, which a sheet drops. Where there are no letters or digits, it is the label itself.
 */
export function withoutSigns(label: string): string {
	const signless = label.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]/gu, '');
	return (/^\d+$/.test(signless) ? signless.replace(/^0+(?=\d)/, '') : signless) || label;
}

/** Returns whether a value is missing, or a text in which people see nothing. */
export function isBlank(value: unknown): boolean {
	return typeof value === 'string' ? !hasVisibleText(value) : isMissing(value);
}
