import { decodeJsonObject } from './decodeJsonObject';
import type { Gatherer } from './Gatherer';
import { isRecord } from './isRecord';
import { parseJson } from './parseJson';
import { limitNamedIn, readErrorBody } from './readErrorReply';
import { END_MARK, readEvents, type ServerSentEvent } from './readEvents';
import { replyError } from './replyError';
import { ServiceError } from './ServiceError';

export interface Generation<Answer> {
	gatherer: Gatherer<Answer>;
	/** Whether a stream was asked for. An answer that is JSON all the same is read as well. */
	streamed: boolean;
	/** Receives the text as it arrives. The next piece waits until the promise is resolved. */
	onText?: (text: string) => Promise<void>;
}

/**
 * Reads a generated answer, streamed or not.
 * @throws ServiceError of kind `reply` for a stream or an answer that is broken, and for one that reports an error
 */
export async function decodeGenerated<Answer>(
	body: AsyncIterable<Uint8Array>,
	{ gatherer, streamed, onText }: Generation<Answer>,
): Promise<Answer> {
	const add = async (data: Record<string, unknown>, name?: string) => {
		const text = gatherer.add(data, name);
		if (text !== '') await onText?.(text);
	};
	const { first, whole } = await peek(body);
	if (!streamed || NO_STREAM.has(first)) {
		const data = await decodeJsonObject(whole);
		if (reportsError(data, true)) throw reportedError(JSON.stringify(data));
		await add(data);
	} else {
		for await (const event of readEvents(whole)) {
			for (const one of linesOf(event)) {
				const data = readData(one, gatherer.eventNames);
				if (data) await add(data, one.name);
			}
		}
	}
	return gatherer.finish();
}

/** What JSON and HTML begin with, and no line of a stream does. */
const NO_STREAM: ReadonlySet<string> = new Set(['{', '[', '"', '<']);

/** Where one line feed stands between events instead of two, the parser takes them for one of several lines. */
function linesOf(event: ServerSentEvent): ServerSentEvent[] {
	const { name, data } = event;
	if (!data.includes('\n') || parseJson(data).problem === undefined) return [event];
	const lines = data.split('\n');
	const areEvents = lines.every((line) => line.trim() === END_MARK || parseJson(line).problem === undefined);
	return areEvents
		? lines.filter((line) => line.trim() !== END_MARK).map((line) => ({ name, data: line }))
		: [event];
}

/** Undefined for an event that is to be passed over. */
function readData(
	{ name, data }: ServerSentEvent,
	knownNames: readonly string[],
): Record<string, unknown> | undefined {
	const { value, problem } = parseJson(data);
	const isNeeded = name === undefined || name === 'message' || knownNames.includes(name);
	if (name === 'error' || (isRecord(value) && reportsError(value, isNeeded))) throw reportedError(data);
	if (isRecord(value)) return value;
	if (problem === undefined || !isNeeded || data.trim() === '') return undefined;
	throw replyError(`The service's stream holds an event that is not valid JSON: ${data}`);
}

function reportedError(text: string): ServiceError {
	const { message, code } = readErrorBody(text);
	return new ServiceError({
		kind: 'reply',
		message: message || 'The service broke the stream off with an error and names no reason',
		code,
		limit: limitNamedIn(message),
		responded: true,
	});
}

/**
 * The service document shows no errors within a stream: any of the usual shapes counts.
 * @param isKnown whether it is an answer or an event of a known kind; any other kind may have a message of its own
 */
function reportsError(data: Record<string, unknown>, isKnown: boolean): boolean {
	const { type, error, message, choices } = data;
	const hasError = isRecord(error) || (typeof error === 'string' && error !== '');
	// The documented body of an error has a message beside a code, data or both, and no answer ever has one of its own.
	const isErrorBody =
		typeof message === 'string' &&
		type === undefined &&
		choices === undefined &&
		(isKnown || data.code !== undefined || data.data !== undefined);
	return type === 'error' || hasError || isErrorBody;
}

/** Reads up to the first character that is not white space, a byte order mark included. */
async function peek(
	body: AsyncIterable<Uint8Array>,
): Promise<{ first: string; whole: AsyncIterable<Uint8Array> }> {
	const iterator = body[Symbol.asyncIterator]();
	const start: Uint8Array[] = [];
	let first: number | undefined;
	while (first === undefined) {
		const { done, value } = await iterator.next();
		if (done) break;
		start.push(value);
		first = value.find((byte) => !BLANK_BYTES.has(byte));
	}
	return { first: String.fromCharCode(first ?? 0), whole: resume(start, iterator) };
}

const BLANK_BYTES: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);

async function* resume(start: Uint8Array[], iterator: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
	try {
		yield* start;
		for (;;) {
			const { done, value } = await iterator.next();
			if (done) return;
			yield value;
		}
	} finally {
		await iterator.return?.();
	}
}
