import type { ChatContent, ChatToolCall, EmulatedChatMessage, EmulatedCompletion } from './EmulatedMessage';
import { type EmulatedResponse, eventStreamResponse } from './EmulatedResponse';
import { splitIntoTokens } from './tokens';

const DONE = 'data: [DONE]\n\n';

/**
 * A chat completion as chunks, one for each word, the first and the last without choices, the second with the role;
 * `delayMs` between two chunks.
 */
export function streamCompletion(completion: EmulatedCompletion, delayMs: number): EmulatedResponse {
	const { id, model, usage, choices } = completion;
	const head = { id, model };
	const [{ index, message, finish_reason }] = choices;
	const chunks = [
		{ ...head, choices: [] },
		...deltasOf(message).map((delta) => ({ ...head, choices: [{ index, delta, finish_reason: null }] })),
		{ ...head, choices: [{ index, delta: {}, finish_reason }] },
		{ ...head, choices: [], usage },
	];
	return eventStreamResponse([...chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`), DONE], delayMs);
}

function deltasOf({ role, content, reasoning_content = '', tool_calls = [] }: EmulatedChatMessage): object[] {
	return [
		{ role, content: '' },
		...splitIntoTokens(reasoning_content).map((text) => ({ reasoning_content: text })),
		...contentsOf(content ?? '').map((part) => ({ content: part })),
		...tool_calls.flatMap(deltasOfCall),
	];
}

function contentsOf(content: ChatContent): ChatContent[] {
	return typeof content === 'string' ? splitIntoTokens(content) : content.map((part) => [part]);
}

function deltasOfCall({ id, type, function: called }: ChatToolCall, index: number): object[] {
	return [
		{ tool_calls: [{ index, id, type, function: { name: called.name, arguments: '' } }] },
		...(called.arguments.match(/[^]{1,12}/g) ?? []).map((part) => ({
			tool_calls: [{ index, function: { arguments: part } }],
		})),
	];
}
