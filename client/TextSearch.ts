/** From the first character to behind the last. */
export type Range = readonly [start: number, end: number];

/** Stands for no character, and is passed over. */
export const FILLER = '\0';

/**
 * Finds a text in time that grows only with the length of what is searched, whatever both consist of (by Knuth, Morris and
 * Pratt): how long the engine's own search takes can depend on both.
 */
export class TextSearch {
	/** By how many characters match: how many still do if the next one does not. */
	private readonly fallback = [0, 0];

	constructor(private readonly wanted: string) {
		for (let index = 1, matched = 0; index < wanted.length; index++) {
			matched = this.next(matched, wanted.charCodeAt(index));
			this.fallback.push(matched);
		}
	}

	/** Where it stands in another text, and how many characters of its beginning the other ends with. */
	in(text: string): { found: Range[]; matched: number } {
		const found: Range[] = [];
		let matched = 0;
		for (let index = 0; index < text.length; index++) {
			if (text[index] === FILLER) continue;
			matched = this.next(matched, text.charCodeAt(index));
			if (matched < this.wanted.length) continue;
			found.push(this.rangeTo(index, text));
			matched = 0;
		}
		return { found, matched };
	}

	private next(matched: number, code: number): number {
		while (matched > 0 && this.wanted.charCodeAt(matched) !== code) matched = this.fallback[matched]!;
		return this.wanted.charCodeAt(matched) === code ? matched + 1 : 0;
	}

	private rangeTo(last: number, text: string): Range {
		let [start, end] = [last, last + 1];
		for (let left = this.wanted.length - 1; left > 0;) if (text[--start] !== FILLER) left--;
		while (text[end] === FILLER) end++;
		return [start, end];
	}
}
