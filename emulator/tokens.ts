/** Counts the tokens of an input text: one for every four characters, rounded up. */
export function countTokens(text: string): number {
	return Math.ceil(text.length / 4);
}

/** Splits a generated text into tokens, each of which is a word with the white space before it. */
export function splitIntoTokens(text: string): string[] {
	return text.match(/\s*\S+|\s+$/g) ?? [];
}

export function countWords(text: string): number {
	return text.match(/\S+/g)?.length ?? 0;
}

/** Returns the first words of a text, with an ellipsis if there are more. */
export function excerpt(text: string, words: number): string {
	const all = text.trim().split(/\s+/);
	return all.length <= words ? all.join(' ') : all.slice(0, words).join(' ') + '…';
}
