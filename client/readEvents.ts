import { createParser } from 'eventsource-parser';

import { parseJson } from './parseJson';
import { responseError } from './ServiceError';
import { TransportFailure } from './Transport';

const END_MARK = '[DONE]';

/** In characters. One event may hold a whole message. */
const LARGEST_EVENT = 16 * 1024 * 1024;

/** The parser creates an error for each of these lines, which takes far longer than reading it. */
const MOST_UNKNOWN_LINES = 10_000;

export interface ServerSentEvent {
	/** The value of the field `event`. */
	name?: string;
	data: string;
}

/**
 * Reads server-sent events up to the end mark `[DONE]`, each as soon as its last byte is there, however the bytes are
 * split. Holds one event at a time.
 * @param isEnd whether the stream may end without the mark, after the events so far
 * @throws ServiceError of kind `response` for a stream that ends otherwise, or an event of more than 16 Mi characters
 */
export async function* readEvents(
	body: AsyncIterable<Uint8Array>,
	isEnd: () => boolean,
): AsyncGenerator<ServerSentEvent> {
	const decoder = new TextDecoder();
	const withLineFeeds = lineFeedConverter();
	const events: ServerSentEvent[] = [];
	let isTooLarge = false;
	let unknownLines = 0;
	const parser = createParser({
		onEvent: ({ event, data }) => events.push({ name: event, data }),
		onError: ({ type }) => {
			isTooLarge ||= type === 'max-buffer-size-exceeded';
			unknownLines++;
		},
		maxBufferSize: LARGEST_EVENT,
	});

	try {
		for await (const chunk of body) {
			parser.feed(withLineFeeds(decoder.decode(chunk, { stream: true })));
			for (const event of events.splice(0).flatMap(linesOf)) {
				if (isEndMark(event)) return;
				yield event;
			}
			if (unknownLines > MOST_UNKNOWN_LINES) throw brokenStream('contains no events');
			if (isTooLarge) throw brokenStream(`contains an event of more than ${LARGEST_EVENT} characters`);
		}
	} catch (error) {
		// If everything has arrived, it does not matter how the connection closed.
		if (error instanceof TransportFailure && isEnd()) return;
		throw error;
	}

	// The last event may lack the blank line that completes it. If it was cut off in the middle, it is not valid JSON, and
	// is skipped.
	parser.feed('\n\n');
	for (const event of events.flatMap(linesOf)) {
		if (isEndMark(event)) return;
		if (parseJson(event.data).success) yield event;
	}
	if (!isEnd()) throw brokenStream(`ended before it was complete: the end mark ${END_MARK} is missing`);
}

/** If one line feed separates events instead of two, the parser reads them as lines of one event. */
function linesOf(event: ServerSentEvent): ServerSentEvent[] {
	const { name, data } = event;
	if (!data.includes('\n')) return [event];
	const lines = data.split('\n').map((line) => ({ name, data: line }));
	const areEvents = lines.every((line) => isEndMark(line) || parseJson(line.data).success);
	if (areEvents) return lines;
	const last = lines.at(-1)!;
	return isEndMark(last) ? [{ name, data: data.slice(0, data.lastIndexOf('\n')) }, last] : [event];
}

function isEndMark({ data }: ServerSentEvent): boolean {
	return data.trim() === END_MARK;
}

function brokenStream(problem: string): Error {
	return responseError(`The service's stream ${problem}`);
}

/** The parser holds back a line that ends in CR until it knows whether LF follows, and with it the last event so far. */
function lineFeedConverter(): (text: string) => string {
	let afterReturn = false;
	return (text) => {
		if (text === '') return text;
		const rest = afterReturn && text.startsWith('\n') ? text.slice(1) : text;
		afterReturn = text.endsWith('\r');
		return rest.replace(/\r\n?/g, '\n');
	};
}
