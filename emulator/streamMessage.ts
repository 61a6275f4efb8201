import type { ContentBlock, Message, MessageStreamEvent } from '../contract/types';
import { type EmulatedResponse, eventStreamResponse } from './EmulatedResponse';
import { splitIntoTokens } from './tokens';

const DONE = 'data: [DONE]\n\n';

/** Streams a message as named server-sent events, with an event for each word. `delayMs` passes between two events. */
export function streamMessage(message: Message, delayMs: number): EmulatedResponse {
	const events = eventsOf(message).map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
	return eventStreamResponse([...events, DONE], delayMs);
}

function eventsOf(message: Message): MessageStreamEvent[] {
	const { stop_reason, stop_sequence, usage } = message;
	const begun = {
		content: [],
		stop_reason: null,
		stop_sequence: null,
		usage: { ...usage, output_tokens: 0 },
	};
	return [
		{ type: 'message_start', message: { ...message, ...begun } },
		...message.content.flatMap(eventsOfBlock),
		{
			type: 'message_delta',
			delta: { stop_reason, stop_sequence },
			usage: { output_tokens: usage.output_tokens },
		},
		{ type: 'message_stop' },
	];
}

function eventsOfBlock(block: ContentBlock, index: number): MessageStreamEvent[] {
	const isText = block.type === 'text';
	const parts = isText
		? splitIntoTokens(block.text)
		: (JSON.stringify(block.input).match(/[^]{1,12}/g) ?? []);
	return [
		{
			type: 'content_block_start',
			index,
			content_block: isText ? { type: 'text', text: '' } : { ...block, input: {} },
		},
		...parts.map((part): MessageStreamEvent => ({
			type: 'content_block_delta',
			index,
			delta: isText ? { type: 'text_delta', text: part } : { type: 'input_json_delta', partial_json: part },
		})),
		{ type: 'content_block_stop', index },
	];
}
