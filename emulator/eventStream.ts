import type { ChatChunk, ChatCompletion, Message, MessageStreamEvent } from '../contract/types';
import type { Answer, Piece } from './Answer';
import { tokensOf } from './generate';

const done = 'data: [DONE]\n\n';

function streamed(texts: string[], delayMs: number): Answer {
	return {
		status: 200,
		headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' },
		pieces: texts.map((text, index): Piece => ({
			bytes: Buffer.from(text),
			...(index > 0 && delayMs > 0 && { delayMs }),
		})),
		sized: false,
		end: 'close',
		withHead: true,
	};
}

function eventsOf(message: Message): MessageStreamEvent[] {
	const events: MessageStreamEvent[] = [
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
	];
	for (const [index, block] of message.content.entries()) {
		if (block.type === 'text') {
			events.push({ type: 'content_block_start', index, content_block: { type: 'text', text: '' } });
			for (const text of tokensOf(block.text))
				events.push({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } });
		} else {
			events.push({ type: 'content_block_start', index, content_block: { ...block, input: {} } });
			for (const partial_json of JSON.stringify(block.input).match(/[^]{1,12}/g) ?? [])
				events.push({
					type: 'content_block_delta',
					index,
					delta: { type: 'input_json_delta', partial_json },
				});
		}
		events.push({ type: 'content_block_stop', index });
	}
	events.push({
		type: 'message_delta',
		delta: { stop_reason: message.stop_reason, stop_sequence: message.stop_sequence },
		usage: { output_tokens: message.usage.output_tokens },
	});
	events.push({ type: 'message_stop' });
	return events;
}

/** A message as named server-sent events, one event for each word; `delayMs` between two events. */
export function streamMessage(message: Message, delayMs: number): Answer {
	const texts = eventsOf(message).map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
	return streamed([...texts, done], delayMs);
}

/** A chat completion as chunks, one for each word, the first without choices; `delayMs` between two chunks. */
export function streamChatCompletion(completion: ChatCompletion, delayMs: number): Answer {
	const { id, model } = completion;
	const chunks: ChatChunk[] = [{ id, model, choices: [] }];
	for (const { index = 0, message, finish_reason } of completion.choices) {
		for (const reasoning_content of tokensOf(message.reasoning_content ?? ''))
			chunks.push({ id, model, choices: [{ index, delta: { reasoning_content }, finish_reason: null }] });
		for (const content of tokensOf(message.content))
			chunks.push({ id, model, choices: [{ index, delta: { content }, finish_reason: null }] });
		chunks.push({ id, model, choices: [{ index, delta: {}, finish_reason }] });
	}
	chunks.push({ id, model, choices: [], usage: completion.usage });
	return streamed([...chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`), done], delayMs);
}
