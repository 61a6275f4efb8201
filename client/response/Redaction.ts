import { setField } from '../generation/Gathered';

const MASK = '*****';

/** Stands for no character, and is passed over. */
const FILLER = '\0';

/** Keys shorter than this would be found in ordinary words. */
const SHORTEST_KEY = 8;

/** The maximum length of one character of the key in any spelling: `&#0000115;`. */
const LONGEST_SPELLING = 10;

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const unescapeJson = decoding(/\\\0*(?:u00([0-9a-f]{2})|([^\0]))/gi, ([, hex, character]) =>
	hex === undefined ? character! : fromCode(hex, 16),
);

/** From the first character to behind the last. */
type Range = readonly [start: number, end: number];

/** Undo the ways in which a text may be spelled in an error, and keep the place of each character. */
const DECODINGS = [
	(text: string) => text,
	unescapeJson,
	(text: string) => unescapeJson(unescapeJson(text)),
	decoding(/%([2-7][0-9a-f])/gi, ([, hex]) => fromCode(hex!, 16)),
	decoding(
		/&(?:#x0{0,4}([0-9a-f]{2})|#0{0,4}(\d{2,3})|(amp|lt|gt|quot|apos));/gi,
		([, hex, decimal, name]) =>
			name === undefined ? fromCode(hex ?? decimal!, hex ? 16 : 10) : ENTITIES[name.toLowerCase()]!,
	),
];

/** Keeps a key out of what a service, or a proxy on the way, sends back: they may repeat the request's headers. */
export class Redaction {
	private readonly isOff: boolean;

	private readonly exact: TextSearch;

	private readonly inLowerCase: TextSearch;

	/** The digits that do not depend on the text around the key, by its place in a group of three bytes. */
	private readonly inBase64: TextSearch[];

	constructor(private readonly apiKey: string) {
		this.isOff = apiKey.length < SHORTEST_KEY;
		this.exact = new TextSearch(apiKey);
		this.inLowerCase = new TextSearch(toLowerCase(apiKey));
		this.inBase64 = [0, 1, 2].map((before) => new TextSearch(base64Of(apiKey, before)));
	}

	/**
	 * Masks the key in a text for an error, in every spelling: in another case, escaped for JSON, for a URL or for HTML, or
	 * in base64.
	 * @param longest in characters; what lies beyond is cut off, with an ellipsis
	 */
	ofError(text: string, longest: number): string {
		const head = text.slice(0, longest + this.apiKey.length * LONGEST_SPELLING);
		const ranges = this.isOff ? [] : this.inEverySpelling(head);
		return `${masked(head, ranges, Math.min(head.length, longest))}${text.length > longest ? '…' : ''}`;
	}

	/** Masks the key in a text if it is not split. */
	ofOutput(text: string): string {
		// The quick search for a few characters decides for almost every text.
		if (this.isOff || !text.includes(this.apiKey.slice(0, SHORTEST_KEY))) return text;
		return masked(text, this.exact.in(text).found);
	}

	/** Masks the key in text that arrives in pieces, even if it is split between them. */
	inPieces(): RedactedPieces {
		return new RedactedPieces(this.isOff ? undefined : this.exact);
	}

	/** Masks the key in all texts and names within a decoded result, in place, if it is not split. */
	ofResult<Result>(result: Result): Result {
		if (typeof result === 'string') return this.ofOutput(result) as Result;
		const isContainer = typeof result === 'object' && result !== null;
		if (isContainer && !this.isOff) this.maskWithin(result as Record<string, unknown>);
		return result;
	}

	private maskWithin(container: Record<string, unknown>): void {
		if (Array.isArray(container)) {
			// `Object.keys` of a list of millions takes a second.
			return container.forEach((value, index) => (container[index] = this.ofResult(value)));
		}
		const names = Object.keys(container);
		const isNamed = names.some((name) => name.includes(this.apiKey));
		for (const name of names) {
			const value = container[name];
			const shown = this.ofResult(value);
			// All fields are inserted again where a name changes, which keeps their order.
			if (isNamed) delete container[name];
			if (isNamed || shown !== value) setField(container, this.ofOutput(name), shown);
		}
	}

	private inEverySpelling(text: string): Range[] {
		const ranges = DECODINGS.flatMap((decode) => this.inLowerCase.in(toLowerCase(decode(text))).found);
		for (const { 0: digits, index } of text.matchAll(/[\w+/-]+=*/g)) {
			const standard = digits.replaceAll('-', '+').replaceAll('_', '/');
			const hasKey = this.inBase64.some((search) => search.in(standard).found.length > 0);
			if (hasKey) ranges.push([index, index + digits.length]);
		}
		return ranges.sort(([a], [b]) => a - b);
	}
}

/** A text that is shown in pieces. Its end is held back as long as it may be the beginning of the key. */
class RedactedPieces {
	private held = '';

	/** @param key undefined if nothing is masked */
	constructor(private readonly key: TextSearch | undefined) {}

	/** @returns what can be shown by now */
	push(piece: string): string {
		const text = this.held + piece;
		const { found, matched } = this.key?.in(text) ?? { found: [], matched: 0 };
		this.held = text.slice(text.length - matched);
		return masked(text, found, text.length - matched);
	}

	/** @returns what is still held back, when no more will come */
	end(): string {
		return this.held;
	}
}

/**
 * Finds a text in time that grows only with the length of what is searched, whatever both consist of (by Knuth, Morris and
 * Pratt): how long the engine's own search takes can depend on both.
 */
class TextSearch {
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

/**
 * @param ranges in their order
 * @param end where the text is cut off, unless it is masked there
 */
function masked(text: string, ranges: Range[], end = text.length): string {
	let shown = '';
	let from = 0;
	for (const [start, behind] of ranges) {
		if (start >= end) break;
		if (start >= from) shown += text.slice(from, start) + MASK;
		from = Math.max(from, behind);
	}
	return shown + text.slice(from, Math.max(from, end));
}

/** A decoded character is followed by fillers, so that all others keep their place. */
function decoding(escapes: RegExp, decode: (match: string[]) => string): (text: string) => string {
	return (text) =>
		text.replace(escapes, (...match: string[]) => decode(match) + FILLER.repeat(match[0]!.length - 1));
}

/** Only of ASCII letters, so that all characters keep their place. */
function toLowerCase(text: string): string {
	return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function fromCode(digits: string, radix: number): string {
	return String.fromCharCode(parseInt(digits, radix));
}

/** @param before how many bytes stand before the text in its group of three */
function base64Of(text: string, before: number): string {
	const [firstBit, endBit] = [before * 8, (before + text.length) * 8];
	return btoa('\0'.repeat(before) + text).slice(Math.ceil(firstBit / 6), Math.floor(endBit / 6));
}
