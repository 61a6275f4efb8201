import { createParser } from 'eventsource-parser';

import { parseJson } from '../values/parseJson';
import { responseFailure } from '../ServiceError';
import { TransportFailure } from '../Transport';

const END_MARK = '[DONE]';

/** Some gateways send `null` to keep a connection open: https://github.com/Kilo-Org/kilocode/pull/3083. */
const END_OF_OBJECT = /(?:\}|^null)$/;
const BEGIN_OF_OBJECT = /^(?:\{|null$)/;

export interface ServerSentEvent {
	/** Holds the value of the field `event`. It is undefined if the event has no such field. */
	name?: string | undefined;
	data: string;
}

/** Describes what shows that a stream is complete without `[DONE]`. */
export interface StreamEnd {
	readonly isEnded: boolean;
	/** Names for an error what ends such a stream. */
	readonly endMark: string;
}

/**
 * Reads server-sent events up to the end mark `[DONE]`. Each event is returned as soon as its last byte has arrived.
 * @param end tells by the events so far whether the stream is complete
 * @throws CallFailure of kind `response` for a stream that ends before it is complete
 */
export async function* readEvents(
	body: AsyncIterable<Uint8Array>,
	end: StreamEnd,
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
		// If all events have arrived, it does not matter how the connection was closed.
		if (error instanceof TransportFailure && end.isEnded) return;
		throw error;
	}
	// The last event may lack the blank line that completes it. If it was cut off in the middle, it is not valid JSON, and
	// is skipped.
	for (const event of reader.read('\n\n')) {
		if (isEndMark(event.data)) return;
		if (parseJson(event.data).success) yield event;
	}
	if (!end.isEnded) {
		throw responseFailure(
			`The service's stream ended before it was complete: the end mark ${end.endMark} is missing`,
		);
	}
}

/**
 * Feeds the parser whole lines, and adds blank lines that are missing between events. The service's document calls each event
 * one line, so the blank line may be missing before and after the end mark, and between two JSON objects. This cannot split an
 * event: within one, a line that ends an object is never followed by a line that begins one.
 */
class EventReader {
	private readonly events: ServerSentEvent[] = [];

	private readonly parser = createParser({
		onEvent: ({ event, data }) => this.events.push({ name: event, data }),
	});

	private unfinishedLine = '';

	private afterReturn = false;

	private lastData = '';

	/**
	 * Takes the next text of the stream. An event may be spread over several texts.
	 * @returns the events that this text completes
	 */
	read(text: string): ServerSentEvent[] {
		const added = this.withLineFeeds(text);
		this.unfinishedLine += added;
		if (!added.includes('\n')) return [];
		const lines = this.unfinishedLine.split('\n');
		this.unfinishedLine = lines.pop()!;
		for (const line of lines) this.readLine(line);
		return this.events.splice(0);
	}

	private readLine(line: string): void {
		const data = line.startsWith('data:') ? line.slice('data:'.length).trim() : '';
		const isBetweenObjects = END_OF_OBJECT.test(this.lastData) && BEGIN_OF_OBJECT.test(data);
		const isMark = isEndMark(data);
		if (isMark || isBetweenObjects) this.parser.feed('\n');
		this.parser.feed(`${line}\n${isMark ? '\n' : ''}`);
		this.lastData = data;
	}

	/** A CR ends a line at once. If an LF follows it in the next chunk, that LF is dropped, or it would be an empty line. */
	private withLineFeeds(text: string): string {
		const rest = this.afterReturn && text.startsWith('\n') ? text.slice(1) : text;
		if (text !== '') this.afterReturn = text.endsWith('\r');
		return rest.replace(/\r\n?/g, '\n');
	}
}

function isEndMark(data: string): boolean {
	return data.trim() === END_MARK;
}
