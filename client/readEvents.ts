import { parseJson } from './parseJson';
import { LARGEST_RESPONSE, MOST_LINES } from './ResponseBounds';
import { responseError } from './ServiceError';
import { TransportFailure } from './Transport';

const END_MARK = '[DONE]';

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
	const parser = new EventParser();
	try {
		for await (const chunk of body) {
			for (const event of parser.push(decoder.decode(chunk, { stream: true }))) {
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
	for (const event of parser.push('\n\n')) {
		if (isEndMark(event.data)) return;
		if (parseJson(event.data).success) yield event;
	}
	if (!isEnd()) throw brokenStream(`ended before it was complete: the end mark ${END_MARK} is missing`);
}

/** Makes events of the text of a stream. Lines that are no part of an event cost no more than looking for their end. */
class EventParser {
	/** The pieces of a line whose end has not arrived. */
	private unfinished: string[] = [];

	private unfinishedLength = 0;

	private name: string | undefined;

	/** The lines of data of an event whose end has not arrived. */
	private data: string[] = [];

	private dataLength = 0;

	private afterReturn = false;

	push(text: string): ServerSentEvent[] {
		const events: ServerSentEvent[] = [];
		const lines = this.withLineFeeds(text);
		let start = 0;
		for (let end = lines.indexOf('\n'); end !== -1; end = lines.indexOf('\n', start)) {
			const line = this.unfinished.join('') + lines.slice(start, end);
			this.unfinished = [];
			this.unfinishedLength = 0;
			start = end + 1;
			if (line === '') events.push(...this.completed());
			else if (line.startsWith('data:')) this.addData(valueOf(line));
			else if (line.startsWith('event:')) this.name = valueOf(line) || undefined;
		}
		this.unfinished.push(lines.slice(start));
		this.unfinishedLength += lines.length - start;
		this.checkSize();
		return events;
	}

	private addData(line: string): void {
		this.data.push(line);
		this.dataLength += line.length;
		this.checkSize();
	}

	private checkSize(): void {
		if (this.data.length > MOST_LINES) {
			throw brokenStream(`contains an event of more than ${MOST_LINES} lines`);
		}
		if (this.dataLength + this.unfinishedLength <= LARGEST_RESPONSE) return;
		throw brokenStream(`contains an event of more than ${LARGEST_RESPONSE} characters`);
	}

	private completed(): ServerSentEvent[] {
		const { name, data } = this;
		this.name = undefined;
		this.data = [];
		this.dataLength = 0;
		return data.length === 0 ? [] : eventsOf(name, data);
	}

	/** A line that ends in CR is complete, and an LF that follows it is no line of its own. */
	private withLineFeeds(text: string): string {
		const rest = this.afterReturn && text.startsWith('\n') ? text.slice(1) : text;
		if (text !== '') this.afterReturn = text.endsWith('\r');
		return rest.includes('\r') ? rest.replace(/\r\n?/g, '\n') : rest;
	}
}

function valueOf(line: string): string {
	const start = line.indexOf(':') + 1;
	return line.slice(line[start] === ' ' ? start + 1 : start);
}

/** If one line feed separates events instead of two, they look like lines of one event. */
function eventsOf(name: string | undefined, lines: string[]): ServerSentEvent[] {
	const last = lines.at(-1)!;
	if (lines.length === 1) return [{ name, data: last }];
	// In one event, an object that ends a line is never followed by one that begins a line.
	const areEvents = lines.every(
		(line) => isEndMark(line) || (/^\s*\{/.test(line) && /\}\s*$/.test(line.slice(-100))),
	);
	if (areEvents) return lines.map((data) => ({ name, data }));
	return isEndMark(last)
		? [
				{ name, data: lines.slice(0, -1).join('\n') },
				{ name, data: last },
			]
		: [{ name, data: lines.join('\n') }];
}

function isEndMark(data: string): boolean {
	return data.length < 100 && data.trim() === END_MARK;
}

function brokenStream(problem: string): Error {
	return responseError(`The service's stream ${problem}`);
}
