/** Tokens that the emulator counts for a text that it is given: one for every four characters begun. */
export function countTokens(text: string): number {
	return Math.ceil(text.length / 4);
}

/** Splits a text of the emulator into tokens: each is a word with the white space before it. */
export function splitIntoTokens(text: string): string[] {
	return text.match(/\s*\S+|\s+$/g) ?? [];
}

/** Words of a text, separated by white space. */
export function countWords(text: string): number {
	return text.match(/\S+/g)?.length ?? 0;
}

/** The first words of a text, with an ellipsis when there are more. */
export function excerpt(text: string, words: number): string {
	const all = text.trim().split(/\s+/);
	return all.length <= words ? all.join(' ') : all.slice(0, words).join(' ') + '…';
}
