/** The types of the package `stopword`, which has none of its own. */
declare module 'stopword' {
	export const eng: string[];
	export function removeStopwords(words: string[], stopwords: string[]): string[];
}
