/** Tokens that the emulator counts for a text that it is given: one for every four characters begun. */
export function countTokens(text: string): number {
	return Math.ceil(text.length / 4);
}

/** Splits a text of the emulator into tokens: each is a word with the white space before it. */
export function splitIntoTokens(text: string): string[] {
	return text.match(/\s*\S+|\s+$/g) ?? [];
}
