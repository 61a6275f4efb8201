import { setField } from './Gathered';
import { FILLER, TextSearch, type Range } from './TextSearch';

const MASK = '*****';

/** Keys shorter than this would be found in ordinary words. */
const SHORTEST_KEY = 8;

/** The maximum length of one character of the key in any spelling: `&#0000115;`. */
const LONGEST_SPELLING = 10;

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const unescapeJson = decoding(/\\\0*(?:u00([0-9a-f]{2})|([^\0]))/gi, ([, hex, character]) =>
	hex === undefined ? character! : fromCode(hex, 16),
);

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

	/** Find the key in each of its spellings in an error. */
	private readonly searches: Array<(text: string) => Range[]>;

	constructor(private readonly apiKey: string) {
		this.isOff = apiKey.length < SHORTEST_KEY;
		this.exact = new TextSearch(apiKey);
		const inAnyCase = new TextSearch(apiKey, true);
		this.searches = [
			...DECODINGS.map((decode) => (text: string) => inAnyCase.in(decode(text)).found),
			...[0, 1, 2].map((before) => base64Search(apiKey, before)),
		];
	}

	/**
	 * Masks the key in a text for an error, in every spelling: in another case, escaped for JSON, for a URL or for HTML, or
	 * in base64.
	 * @param longest in characters; what lies beyond is cut off, with an ellipsis
	 */
	ofError(text: string, longest: number): string {
		const head = text.slice(0, longest + this.apiKey.length * LONGEST_SPELLING);
		const canHold = !this.isOff && head.length >= this.apiKey.length;
		const ranges = canHold ? this.searches.flatMap((search) => search(head)) : [];
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
		// A list instead of recursion, because a response may be nested deeply.
		const left: unknown[] = this.isOff ? [] : [result];
		for (let value = left.pop(); value !== undefined; value = left.pop()) {
			if (typeof value === 'object' && value !== null) {
				this.maskWithin(value as Record<string, unknown>, left);
			}
		}
		return result;
	}

	private maskWithin(container: Record<string, unknown>, left: unknown[]): void {
		const names = Object.keys(container);
		const isNamed = names.some((name) => name.includes(this.apiKey));
		for (const name of names) {
			const value = container[name];
			if (typeof value === 'object') left.push(value);
			const shown = typeof value === 'string' ? this.ofOutput(value) : value;
			// All fields are inserted again where a name changes, which keeps their order.
			if (isNamed) delete container[name];
			if (isNamed || shown !== value) setField(container, this.ofOutput(name), shown);
		}
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

/** @param end where the text is cut off, unless it is masked there */
function masked(text: string, ranges: Range[], end = text.length): string {
	let shown = '';
	let from = 0;
	for (const [start, behind] of ranges.sort(([a], [b]) => a - b)) {
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

function fromCode(digits: string, radix: number): string {
	return String.fromCharCode(parseInt(digits, radix));
}

/**
 * Finds the base64 of a text that begins at this place in a group of three bytes, in both alphabets. Most of its digits do not
 * depend on the text around it; the first and the last may share their bits with the neighbours.
 */
function base64Search(text: string, before: number): (searched: string) => Range[] {
	const bits = [before * 8, (before + text.length) * 8] as const;
	const digits = btoa('\0'.repeat(before) + text).slice(Math.ceil(bits[0] / 6), Math.floor(bits[1] / 6));
	const [sharesFirst, sharesLast] = bits.map((bit) => bit % 6 !== 0);
	const search = new TextSearch(digits);
	const shared = (character: string | undefined) => (/[\w+/-]/.test(character ?? '') ? 1 : 0);
	return (searched) =>
		search
			.in(searched.replaceAll('-', '+').replaceAll('_', '/'))
			.found.map(([start, end]) => [
				start - (sharesFirst ? shared(searched[start - 1]) : 0),
				end + (sharesLast ? shared(searched[end]) : 0),
			]);
}
