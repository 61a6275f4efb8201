import {
	type Answer,
	bytesAnswer,
	documentedAnswer,
	jsonAnswer,
	type Piece,
	type PlainStrings,
} from './Answer';
import type { RecordedRequest } from './RecordedRequest';

/** An answer in place of the normal one. */
export interface FaultAnswer {
	status: number;
	headers?: Record<string, string>;
	/**
	 * An object goes out as JSON, a string as `text/plain`, bytes without a content type. Left out: the documented
	 * body of the status.
	 */
	body?: string | object | Buffer;
}

/** A run of bytes of a scripted body. */
export interface FaultPiece {
	bytes: string | Buffer;
	/** Milliseconds to wait before it. */
	delayMs?: number;
}

/** Where an answer stops. `mid-body` is after half of its bytes. */
export type FaultPoint = 'before-headers' | 'after-headers' | 'mid-body';

/**
 * Something that goes wrong on purpose. The first group of fields says with which requests (all that are given must
 * match), the second how often, the rest what happens. What happens can be combined: `status`, `reply` and `stream`
 * replace the normal answer, `truncate`, `split`, `cut` and `stall` are applied to whichever answer there is.
 * Faults come before everything else, the check of the key included. Of several, the first that matches acts.
 */
export interface Fault {
	method?: string;
	/** The path as received, percent-encoded, without `/v1`: equal to the string, or matching the expression. */
	path?: string | RegExp;
	when?: (request: RecordedRequest) => boolean;
	/** Text that occurs in the bytes of the body. */
	bodyIncludes?: string;

	/** How many requests it acts on. Default 1; may be Infinity. */
	times?: number;
	/** How many matching requests it lets pass first. Default 0. */
	skip?: number;
	/** The share of matching requests it acts on, 0 to 1, drawn from the emulator's seeded generator. Default 1. */
	probability?: number;

	/** Milliseconds to wait first. Alone: the normal answer, later. */
	delayMs?: number;
	status?: number;
	/** Headers of the answer; without `status`, laid over those of the normal answer. */
	headers?: Record<string, string>;
	body?: FaultAnswer['body'];
	reply?: (request: RecordedRequest) => FaultAnswer;
	/** A scripted body, by default of status 200 and type `text/event-stream`. */
	stream?: FaultPiece[];
	/** What follows `stream`. Default `close`. */
	end?: Answer['end'];
	/** Ends the body after half of its bytes, as if that were all. */
	truncate?: boolean;
	/** Byte offsets at which the body is cut into separate writes. */
	split?: number[] | 'every-byte';
	/** Milliseconds between two of those writes. Default: the next turn of the event loop. */
	splitDelayMs?: number;
	/** Resets the connection there. */
	cut?: FaultPoint;
	/** Sends nothing more from there on, until the client leaves or the emulator closes. */
	stall?: FaultPoint;
}

const actions = [
	'delayMs',
	'status',
	'headers',
	'reply',
	'stream',
	'truncate',
	'split',
	'cut',
	'stall',
] as const satisfies (keyof Fault)[];

/** A generator of numbers from 0 (inclusive) to 1 (exclusive) that repeats itself for the same seed. */
export function seededRandom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

function matches(fault: Fault, request: RecordedRequest): boolean {
	if (fault.method !== undefined && fault.method.toUpperCase() !== request.method) return false;
	if (typeof fault.path === 'string' && fault.path !== request.path) return false;
	if (fault.path instanceof RegExp && !fault.path.test(request.path)) return false;
	if (fault.bodyIncludes !== undefined && !request.rawBody.includes(fault.bodyIncludes)) return false;
	return fault.when?.(request) ?? true;
}

/** The faults that are set. */
export class Faults {
	private set: { fault: Fault; seen: number; acted: number }[] = [];
	private random: () => number;

	constructor(private readonly seed: number) {
		this.random = seededRandom(seed);
	}

	/** Sets a fault and returns its remover. Throws when it has no effect. */
	add(fault: Fault): () => void {
		if (!actions.some((action) => fault[action] !== undefined))
			throw new TypeError(`A fault needs one of ${actions.join(', ')}`);
		const entry = { fault, seen: 0, acted: 0 };
		this.set.push(entry);
		return () => {
			this.set = this.set.filter((other) => other !== entry);
		};
	}

	/** Removes all faults, and starts the random numbers again. */
	clear(): void {
		this.set = [];
		this.random = seededRandom(this.seed);
	}

	/** The fault that acts on this request, counted as used. */
	take(request: RecordedRequest): Fault | undefined {
		for (const entry of this.set) {
			const { times = 1, skip = 0, probability = 1 } = entry.fault;
			if (entry.acted >= times || !matches(entry.fault, request)) continue;
			entry.seen += 1;
			if (entry.seen <= skip) continue;
			if (probability < 1 && this.random() >= probability) continue;
			entry.acted += 1;
			return entry.fault;
		}
		return undefined;
	}
}

/** The answer that replaces the normal one; undefined when the normal one is wanted. */
export function replacementFor(
	fault: Fault,
	request: RecordedRequest,
	plainStrings: PlainStrings,
): Answer | undefined {
	if (fault.stream !== undefined)
		return {
			status: fault.status ?? 200,
			headers: lowerCased({ 'content-type': 'text/event-stream; charset=utf-8', ...fault.headers }),
			pieces: fault.stream.map(({ bytes, delayMs }): Piece => ({
				bytes: Buffer.from(bytes),
				...(delayMs !== undefined && { delayMs }),
			})),
			sized: false,
			end: fault.end ?? 'close',
			withHead: true,
		};
	const given =
		fault.reply?.(request) ?? (fault.status === undefined ? undefined : { ...fault, status: fault.status });
	if (given === undefined) return undefined;
	const answer = bodyAnswer(given, plainStrings);
	return { ...answer, headers: { ...answer.headers, ...lowerCased(given.headers) } };
}

function bodyAnswer({ status, body }: FaultAnswer, plainStrings: PlainStrings): Answer {
	if (body === undefined) return documentedAnswer(status, plainStrings);
	if (typeof body === 'string') return bytesAnswer(status, 'text/plain; charset=utf-8', Buffer.from(body));
	if (Buffer.isBuffer(body)) return bytesAnswer(status, undefined, body);
	return jsonAnswer(status, body);
}

function lowerCased(headers: Record<string, string> = {}): Record<string, string> {
	return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function sizeOf(pieces: Piece[]): number {
	return pieces.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

function firstHalf(pieces: Piece[]): Piece[] {
	let left = Math.ceil(sizeOf(pieces) / 2);
	const kept: Piece[] = [];
	for (const piece of pieces) {
		if (left <= 0) break;
		kept.push({ ...piece, bytes: piece.bytes.subarray(0, left) });
		left -= piece.bytes.length;
	}
	return kept;
}

function splitAt(pieces: Piece[], split: number[] | 'every-byte', delayMs: number | undefined): Piece[] {
	const all = Buffer.concat(pieces.map(({ bytes }) => bytes));
	const offsets =
		split === 'every-byte'
			? Array.from(all.keys())
			: [...new Set([0, ...split])].filter((at) => at >= 0 && at < all.length).sort((a, b) => a - b);
	return offsets.map((from, index) => ({
		bytes: all.subarray(from, offsets[index + 1]),
		...(index > 0 && delayMs !== undefined && { delayMs }),
	}));
}

function stoppedAt(answer: Answer, point: FaultPoint, end: 'cut' | 'stall'): Answer {
	return {
		...answer,
		pieces: point === 'mid-body' ? firstHalf(answer.pieces) : [],
		withHead: point !== 'before-headers',
		sized: false,
		end,
	};
}

/** What a fault makes of an answer. */
export function spoiled(fault: Fault, original: Answer): Answer {
	let answer = original;
	if (fault.headers !== undefined)
		answer = { ...answer, headers: { ...answer.headers, ...lowerCased(fault.headers) } };
	if (fault.truncate === true) answer = { ...answer, pieces: firstHalf(answer.pieces) };
	if (fault.split !== undefined)
		answer = { ...answer, pieces: splitAt(answer.pieces, fault.split, fault.splitDelayMs) };
	if (fault.cut !== undefined) answer = stoppedAt(answer, fault.cut, 'cut');
	if (fault.stall !== undefined) answer = stoppedAt(answer, fault.stall, 'stall');
	return answer;
}
