import { createParser } from 'eventsource-parser';

import { replyError } from './replyError';

export interface ServerSentEvent {
	/** From the field `event`. */
	name?: string;
	data: string;
}

export const END_MARK = '[DONE]';

/** In characters. An event is a few words, or a whole message. */
const LARGEST_EVENT = 16 * 1024 * 1024;

/**
 * Reads server-sent events up to the end mark `[DONE]`, each as soon as its last byte is there, however the bytes are
 * split. Holds one event at a time.
 * @throws ServiceError of kind `reply` for a stream that ends without the mark, or an event of more than 16 Mi characters
 */
export async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<ServerSentEvent> {
	const decoder = new TextDecoder();
	const withLineFeeds = lineFeedConverter();
	const events: ServerSentEvent[] = [];
	let isTooLarge = false;
	const parser = createParser({
		onEvent: ({ event, data }) => events.push({ name: event, data }),
		onError: ({ type }) => {
			isTooLarge ||= type === 'max-buffer-size-exceeded';
		},
		maxBufferSize: LARGEST_EVENT,
	});

	for await (const chunk of body) {
		parser.feed(withLineFeeds(decoder.decode(chunk, { stream: true })));
		for (const event of events.splice(0)) {
			if (isEndMark(event)) return;
			yield event;
			if (endsWithEndMark(event)) return;
		}
		if (isTooLarge) throw brokenStream(`holds an event of more than ${LARGEST_EVENT} characters`);
	}

	// The service's end mark may lack the blank line that completes an event. No other event counts without it.
	parser.feed('\n\n');
	if (events.some(isEndMark)) return;
	const last = events.find(endsWithEndMark);
	if (!last) throw brokenStream(`ended before it was complete: the end mark ${END_MARK} is missing`);
	yield last;
}

function isEndMark({ data }: ServerSentEvent): boolean {
	return data.trim() === END_MARK;
}

function endsWithEndMark({ data }: ServerSentEvent): boolean {
	return data.endsWith(`\n${END_MARK}`);
}

function brokenStream(problem: string): Error {
	return replyError(`The service's stream ${problem}`);
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
