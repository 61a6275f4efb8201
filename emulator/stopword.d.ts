/** The package `stopword` has no types of its own. */
declare module 'stopword' {
	export const eng: string[];
	export function removeStopwords(words: string[], stopwords: string[]): string[];
}
