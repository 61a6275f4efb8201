import { setField } from './growField';
import { isRecord } from './isRecord';

const MASK = '*****';

/** Keys shorter than this would be found in ordinary words. */
const SHORTEST_KEY = 8;

/** The names of characters in HTML. */
const ENTITIES: Record<string, string> = {
	'&': 'amp',
	'<': 'lt',
	'>': 'gt',
	'"': 'quot',
	"'": 'apos',
};

/** A digit with bits of the key and of the character next to it. It is missing if the text is cut off. */
const SHARED_DIGIT = '[\\w+/-]?';

/** The maximum length of one character of the key in any spelling: `\\\\u0073`. */
const LONGEST_SPELLING = 9;

/** Keeps a key out of what a service, or a proxy on the way, sends back: they may repeat the request's headers. */
export class Redaction {
	private readonly spellings: RegExp | undefined;

	constructor(private readonly apiKey: string) {
		if (apiKey.length >= SHORTEST_KEY) this.spellings = spellingsOf(apiKey);
	}

	/**
	 * Masks the key in a text for an error, in every spelling: in another case, escaped for JSON, for a URL or for HTML, or
	 * in base64.
	 * @param longest in characters; what lies beyond is cut off, with an ellipsis
	 */
	ofError(text: string, longest: number): string {
		if (!this.spellings) return text.length > longest ? `${text.slice(0, longest)}…` : text;
		// Only the part that is shown is searched, with a margin, so that no beginning of the key is left at its end.
		const margin = this.apiKey.length * LONGEST_SPELLING;
		const head = text.slice(0, longest + margin);
		const redacted = head.replace(this.spellings, MASK);
		const shown = head.length < text.length ? redacted.slice(0, -margin) : redacted;
		return head.length < text.length || shown.length > longest ? `${shown.slice(0, longest)}…` : shown;
	}

	/** Masks the key in a text if it is not split. */
	ofOutput(text: string): string {
		return this.spellings ? text.replaceAll(this.apiKey, MASK) : text;
	}

	/** Masks the key in text that arrives in pieces, even if it is split between them. */
	inPieces(): RedactedPieces {
		return new RedactedPieces((text) => this.ofOutput(text), this.spellings ? this.apiKey : '');
	}

	/** Masks the key in all texts and names within a decoded result, in place, if it is not split. */
	ofResult<Result>(result: Result): Result {
		if (!this.spellings) return result;
		if (typeof result === 'string') return this.ofOutput(result) as Result;
		// A list instead of recursion, because a response may be nested deeply.
		const containers: unknown[] = [result];
		for (let container = containers.pop(); container !== undefined; container = containers.pop()) {
			if (Array.isArray(container)) this.maskList(container, containers);
			else if (isRecord(container)) this.maskRecord(container, containers);
		}
		return result;
	}

	private maskList(list: unknown[], containers: unknown[]): void {
		list.forEach((value, index) => {
			if (typeof value === 'string') list[index] = this.ofOutput(value);
			else if (typeof value === 'object' && value !== null) containers.push(value);
		});
	}

	private maskRecord(record: Record<string, unknown>, containers: unknown[]): void {
		const names = Object.keys(record);
		const isNamed = names.some((name) => name.includes(this.apiKey));
		for (const name of names) {
			const value = record[name];
			const masked = typeof value === 'string' ? this.ofOutput(value) : value;
			if (typeof value === 'object' && value !== null) containers.push(value);
			if (!isNamed && masked === value) continue;
			// All fields are inserted again where a name changes, which keeps their order.
			if (isNamed) delete record[name];
			setField(record, this.ofOutput(name), masked);
		}
	}
}

/** A text that is shown in pieces. Its end is held back as long as it may be the beginning of the key. */
class RedactedPieces {
	private held = '';

	constructor(
		private readonly mask: (text: string) => string,
		private readonly apiKey: string,
	) {}

	/** @returns what can be shown by now */
	push(piece: string): string {
		const text = this.mask(this.held + piece);
		const shown = text.length - this.lengthToHold(text);
		this.held = text.slice(shown);
		return text.slice(0, shown);
	}

	/** @returns what is still held back, when no more will come */
	end(): string {
		return this.held;
	}

	private lengthToHold(text: string): number {
		let { length } = this.apiKey;
		while (!text.endsWith(this.apiKey.slice(0, length))) length--;
		return length;
	}
}

function spellingsOf(apiKey: string): RegExp {
	const spelled = [...apiKey].map(spellingsOfCharacter).join('');
	return new RegExp([spelled, ...base64Of(apiKey)].join('|'), 'gi');
}

function spellingsOfCharacter(character: string): string {
	const code = character.charCodeAt(0);
	const hex = code.toString(16).padStart(2, '0');
	const entity = ENTITIES[character];
	// Every repetition is bounded, so that no text makes the search slow.
	const spellings = [
		`\\\\{0,4}${escapeForRegExp(character)}`,
		`\\\\{1,4}u00${hex}`,
		`%${hex}`,
		`&#${code};`,
		`&#x${hex};`,
		...(entity === undefined ? [] : [`&${entity};`]),
	];
	return `(?:${spellings.join('|')})`;
}

/**
 * Patterns of a text's base64, in both alphabets: the text may begin at any of three places in a group of three bytes. Most
 * of its digits do not depend on the text around it; the first and the last digit may mix its bits with those of the
 * neighbours.
 */
function base64Of(text: string): string[] {
	return [0, 1, 2].flatMap((before) => {
		const bits = { from: before * 8, to: (before + text.length) * 8 };
		const digits = btoa('\0'.repeat(before) + text).slice(Math.ceil(bits.from / 6), Math.floor(bits.to / 6));
		const [first, last] = [bits.from, bits.to].map((bit) => (bit % 6 === 0 ? '' : SHARED_DIGIT));
		return [digits, digits.replaceAll('+', '-').replaceAll('/', '_')].map(
			(own) => `${first}${escapeForRegExp(own)}${last}`,
		);
	});
}

function escapeForRegExp(text: string): string {
	return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
