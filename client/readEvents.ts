import { createParser } from 'eventsource-parser';

import { parseJson } from './parseJson';
import { LARGEST_RESPONSE, MOST_LINES } from './ResponseBounds';
import { responseError } from './ServiceError';
import { TransportFailure } from './Transport';

const END_MARK = '[DONE]';

/** The parser makes an error of any other line, which takes far longer than reading it. */
const LINE_OF_EVENT = /^((data|event)(:|$)|$)/;

export interface ServerSentEvent {
	/** The value of the field `event`. */
	name?: string | undefined;
	data: string;
}

/**
 * Reads server-sent events up to the end mark `[DONE]`, each as soon as its last byte is there, however the bytes are
 * split. Holds one event at a time.
 * @param isEnd whether the stream may end without the mark, after the events so far
 * @throws ServiceError of kind `response` for a stream that ends otherwise, or an event that is too large
 */
export async function* readEvents(
	body: AsyncIterable<Uint8Array>,
	isEnd: () => boolean,
): AsyncGenerator<ServerSentEvent> {
	const decoder = new TextDecoder();
	const reader = new EventReader();
	try {
		for await (const chunk of body) {
			for (const event of reader.read(decoder.decode(chunk, { stream: true }))) {
				if (isEndMark(event.data)) return;
				yield event;
			}
		}
	} catch (error) {
		// If everything has arrived, it does not matter how the connection closed.
		if (error instanceof TransportFailure && isEnd()) return;
		throw error;
	}

	// The last event may lack the blank line that completes it. If it was cut off in the middle, it is not valid JSON, and
	// is skipped.
	for (const event of reader.read('\n\n')) {
		if (isEndMark(event.data)) return;
		if (parseJson(event.data).success) yield event;
	}
	if (!isEnd()) throw brokenStream(`ended before it was complete: the end mark ${END_MARK} is missing`);
}

/** Gives the parser the lines of a stream, as each becomes complete, and counts what it has to keep. */
class EventReader {
	private readonly events: ServerSentEvent[] = [];

	private readonly parser = createParser({
		onEvent: ({ event, data }) => this.events.push({ name: event, data }),
	});

	/** The pieces of a line whose end has not arrived. */
	private unfinished: string[] = [];

	/** The last line of an event that is not complete. */
	private lastLine = '';

	/** Of this event: its lines, and their characters with those of the unfinished line. */
	private lines = 0;

	private length = 0;

	private afterReturn = false;

	*read(text: string): Generator<ServerSentEvent> {
		// Of many blank lines in a row, two say the same, and cost less.
		const lines = this.withLineFeeds(text).replace(/\n{3,}/g, '\n\n');
		const [first, ...others] = lines.split('\n');
		this.unfinished.push(first!);
		this.length += first!.length;
		for (const next of others) {
			this.readLine(this.unfinished.join(''));
			if (this.events.length > 0) yield* this.events.splice(0);
			this.unfinished = [next];
			this.length += next.length;
		}
		if (this.length > LARGEST_RESPONSE) {
			throw brokenStream(`contains an event of more than ${LARGEST_RESPONSE} characters`);
		}
	}

	private readLine(line: string): void {
		if (!LINE_OF_EVENT.test(line)) {
			this.length -= line.length;
			return;
		}
		const isMark = line.startsWith('data:') && isEndMark(line.slice('data:'.length));
		if (isMark || isNextEvent(this.lastLine, line)) {
			this.feed('');
			this.length = line.length;
		}
		this.feed(line);
		if (isMark) this.feed('');
		if (this.lines > MOST_LINES) throw brokenStream(`contains an event of more than ${MOST_LINES} lines`);
	}

	private feed(line: string): void {
		this.parser.feed(`${line}\n`);
		this.lastLine = line;
		this.lines = line === '' ? 0 : this.lines + 1;
		if (line === '') this.length = 0;
	}

	/** A line that ends in CR is complete, and an LF that follows it is no line of its own. */
	private withLineFeeds(text: string): string {
		const rest = this.afterReturn && text.startsWith('\n') ? text.slice(1) : text;
		if (text !== '') this.afterReturn = text.endsWith('\r');
		return rest.includes('\r') ? rest.replace(/\r\n?/g, '\n') : rest;
	}
}

/**
 * Whether a line of data begins an event although no blank line has ended the one before: the service's document calls each
 * event one line. Within one event, an object that ends a line is never followed by one that begins a line.
 */
function isNextEvent(lastLine: string, line: string): boolean {
	return /^data:\s*\{/.test(line) && lastLine.startsWith('data:') && lastLine.trimEnd().endsWith('}');
}

function isEndMark(data: string): boolean {
	return data.length < 100 && data.trim() === END_MARK;
}

function brokenStream(problem: string): Error {
	return responseError(`The service's stream ${problem}`);
}
