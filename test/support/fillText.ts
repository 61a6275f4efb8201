/** A function whose time grows with the square of the length would take minutes for so many characters. */
export const FILLED_LENGTH = 400_000;

/** Repeats a text up to 400 kB, for tests of functions that loop over a text. ESLint checks regular expressions (eslint-plugin-regexp). */
export function fillText(unit: string): string {
	return unit.repeat(Math.ceil(FILLED_LENGTH / unit.length)).slice(0, FILLED_LENGTH);
}
