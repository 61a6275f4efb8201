/** From the first character to behind the last. */
export type Range = readonly [start: number, end: number];

/** Stands for no character in a text that is searched loosely. */
export const FILLER = '\0';

/**
 * Finds a text in time that grows only with the length of what is searched, whatever both consist of (by Knuth, Morris and
 * Pratt): how long the engine's own search takes can depend on both.
 */
export class TextSearch {
	private readonly wanted: string;

	/** By how many characters match: how many still do if the next one does not. */
	private readonly fallback = [0, 0];

	/** @param isLoose whether to ignore the case of ASCII letters, and fillers */
	constructor(
		wanted: string,
		private readonly isLoose = false,
	) {
		this.wanted = isLoose ? wanted.toLowerCase() : wanted;
		for (let index = 1, matched = 0; index < wanted.length; index++) {
			matched = this.next(matched, this.wanted.charCodeAt(index));
			this.fallback.push(matched);
		}
	}

	/** Where the text stands in another, and how many characters of its beginning the other ends with. */
	in(text: string): { found: Range[]; matched: number } {
		const found: Range[] = [];
		let matched = 0;
		for (let index = 0; index < text.length; index++) {
			let code = text.charCodeAt(index);
			if (this.isLoose && code === 0) continue;
			if (this.isLoose && code >= 0x41 && code <= 0x5a) code += 0x20;
			matched = this.next(matched, code);
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
		for (let left = this.wanted.length - 1; left > 0;) {
			start--;
			if (!this.isLoose || text[start] !== FILLER) left--;
		}
		while (this.isLoose && text[end] === FILLER) end++;
		return [start, end];
	}
}
