/**
 * This is a number as people write it: with a dot or a comma, and perhaps with a percent sign. Separators of thousands are not
 * read.
 */
const NUMBER = /^([+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d+)?)\s*(%?)$/i;

/** Reads a number that is given as text, such as `0.91`, `0,91` or `91 %`. Returns undefined for other text. */
export function readNumber(text: string): number | undefined {
	const [, digits, percentSign] = NUMBER.exec(text.trim()) ?? [];
	if (digits === undefined) return undefined;
	const number = Number(digits.replace(',', '.'));
	return percentSign === '' ? number : number / 100;
}
