import type { ChatCompletion } from '../contract/types';
import { type EmulatedResponse, eventStreamResponse } from './EmulatedResponse';
import { splitIntoTokens } from './tokens';

const DONE = 'data: [DONE]\n\n';

/**
 * Streams a chat completion of one choice, with a chunk for each word. The first and the last chunk have no choices, and the second
 * has the role. `delayMs` passes between two chunks.
 */
export function streamCompletion(completion: ChatCompletion, delayMs: number): EmulatedResponse {
	const { id, model, usage, choices } = completion;
	const head = { id, model };
	const { message, finish_reason } = choices[0]!;
	const deltas = [
		{ role: 'assistant', content: '' },
		...splitIntoTokens(message.reasoning_content ?? '').map((text) => ({ reasoning_content: text })),
		...splitIntoTokens(message.content).map((text) => ({ content: text })),
	];
	const chunks = [
		{ ...head, choices: [] },
		...deltas.map((delta) => ({ ...head, choices: [{ index: 0, delta, finish_reason: null }] })),
		{ ...head, choices: [{ index: 0, delta: {}, finish_reason }] },
		{ ...head, choices: [], usage },
	];
	return eventStreamResponse([...chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`), DONE], delayMs);
}
