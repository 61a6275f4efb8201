import type { MessageStreamEvent } from '../contract/types';
import type { EmulatedBlock, EmulatedMessage } from './EmulatedMessage';
import { type EmulatedResponse, eventStreamResponse } from './EmulatedResponse';
import { splitIntoTokens } from './tokens';

const DONE = 'data: [DONE]\n\n';

/** A block as it begins, and what is added to it until it is whole. */
interface StreamedBlock {
	start: EmulatedBlock;
	deltas: { type: string; [field: string]: unknown }[];
}

/** An event, of a kind that the service document assumes or another one. */
type Event = MessageStreamEvent | { type: string; index: number; [field: string]: unknown };

/** A message as named server-sent events, one event for each word; `delayMs` between two events. */
export function streamMessage(message: EmulatedMessage, delayMs: number): EmulatedResponse {
	const events = eventsOf(message).map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
	return eventStreamResponse([...events, DONE], delayMs);
}

function eventsOf(message: EmulatedMessage): Event[] {
	return [
		{
			type: 'message_start',
			message: {
				...message,
				content: [],
				stop_reason: null,
				stop_sequence: null,
				usage: { ...message.usage, output_tokens: 0 },
			},
		},
		...message.content.flatMap(eventsOfBlock),
		{
			type: 'message_delta',
			delta: { stop_reason: message.stop_reason, stop_sequence: message.stop_sequence },
			usage: { output_tokens: message.usage.output_tokens },
		},
		{ type: 'message_stop' },
	];
}

function eventsOfBlock(block: EmulatedBlock, index: number): Event[] {
	const { start, deltas } = streamedBlock(block);
	return [
		{ type: 'content_block_start', index, content_block: start },
		...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
		{ type: 'content_block_stop', index },
	];
}

function streamedBlock(block: EmulatedBlock): StreamedBlock {
	switch (block.type) {
		case 'text':
			return {
				start: { type: 'text', text: '' },
				deltas: [
					...splitIntoTokens(block.text).map((text) => ({ type: 'text_delta', text })),
					...(block.citations ?? []).map((citation) => ({ type: 'citations_delta', citation })),
				],
			};
		case 'thinking':
			return {
				start: { type: 'thinking', thinking: '', signature: '' },
				deltas: [
					...splitIntoTokens(block.thinking).map((thinking) => ({ type: 'thinking_delta', thinking })),
					{ type: 'signature_delta', signature: block.signature },
				],
			};
		case 'tool_use':
			return {
				start: { ...block, input: {} },
				deltas: (JSON.stringify(block.input).match(/[^]{1,12}/g) ?? []).map((partial_json) => ({
					type: 'input_json_delta',
					partial_json,
				})),
			};
	}
}
