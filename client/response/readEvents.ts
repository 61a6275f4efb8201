import { createParser } from 'eventsource-parser';

import { parseJson } from './parseJson';
import { LARGEST_RESPONSE, MOST_LINES } from './ResponseBounds';
import { responseError } from '../ServiceError';
import { TransportFailure } from '../Transport';

const END_MARK = '[DONE]';

/** Neither of an event nor blank. The parser makes an error of it, which takes far longer than leaving it out. */
const OTHER_LINE = /\n(?!(?:data|event)[:\n]|\n)[^\n]*(?=\n)/g;

/**
 * Where an event ends although no blank line follows: the service's document calls each event one line. Within one event, an
 * object that ends a line is never followed by one that begins a line.
 */
const END_OF_OBJECT = /(\}[^\S\n]*\n)(?=data:[^\S\n]*\{)/g;

/** An event of its own, whatever stands around it. */
const END_MARK_LINE = /\n(data:[^\S\n]*\[DONE\][^\S\n]*)(?=\n)/g;

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

	/** The pieces of a line whose end has not arrived, and their characters. */
	private unfinished: string[] = [];

	private unfinishedLength = 0;

	/** Of the event that is not complete: its lines, their characters, and how it ends. */
	private lines = 0;

	private length = 0;

	private end: '\n' | '}\n' = '\n';

	private afterReturn = false;

	/** @returns the events that become complete */
	read(text: string): ServerSentEvent[] {
		const added = this.withLineFeeds(text);
		this.unfinished.push(added);
		this.unfinishedLength += added.length;
		if (added.includes('\n')) {
			const whole = this.unfinished.join('');
			const end = whole.lastIndexOf('\n') + 1;
			this.unfinished = [whole.slice(end)];
			this.unfinishedLength = whole.length - end;
			this.readLines(whole.slice(0, end));
		}
		if (this.length + this.unfinishedLength > LARGEST_RESPONSE) {
			throw brokenStream(`contains an event of more than ${LARGEST_RESPONSE} characters`);
		}
		return this.events.splice(0);
	}

	/** Takes all lines in one go, because there may be millions of very short ones. */
	private readLines(lines: string): void {
		const text = `${this.end}${lines}`
			.replace(OTHER_LINE, '')
			.replace(END_OF_OBJECT, '$1\n')
			.replace(END_MARK_LINE, '\n\n$1\n')
			.replace(/\n{3,}/g, '\n\n');
		this.parser.feed(text.slice(this.end.length));
		const endOfEvents = text.lastIndexOf('\n\n');
		if (endOfEvents !== -1) this.lines = this.length = 0;
		const rest = text.slice(Math.max(this.end.length, endOfEvents + '\n\n'.length));
		this.lines += rest.split('\n').length - 1;
		this.length += rest.length;
		if (this.lines > MOST_LINES) throw brokenStream(`contains an event of more than ${MOST_LINES} lines`);
		this.end = /\}[^\S\n]*\n$/.test(text) ? '}\n' : '\n';
	}

	/** A line that ends in CR is complete, and an LF that follows it is no line of its own. */
	private withLineFeeds(text: string): string {
		const rest = this.afterReturn && text.startsWith('\n') ? text.slice(1) : text;
		if (text !== '') this.afterReturn = text.endsWith('\r');
		return rest.includes('\r') ? rest.replace(/\r\n?/g, '\n') : rest;
	}
}

function isEndMark(data: string): boolean {
	return data.length < 100 && data.trim() === END_MARK;
}

function brokenStream(problem: string): Error {
	return responseError(`The service's stream ${problem}`);
}
