import type { ChatRequest, Message } from '../contract/types';
import type { EmulatedCompletion } from './EmulatedMessage';
import type { ScriptedReply } from './Script';
import { countTokens } from './tokens';

const FINISH_REASONS: Record<Message['stop_reason'], string> = {
	end_turn: 'stop',
	max_tokens: 'length',
	tool_use: 'tool_calls',
	refusal: 'content_filter',
};

/** A scripted reply as a chat completion. `nextId` makes identifiers with a prefix. */
export function scriptedCompletion(
	reply: ScriptedReply,
	request: ChatRequest,
	nextId: (prefix: string) => string,
): EmulatedCompletion {
	const { text, thinking, toolCalls, usage } = reply;
	const stopReason = reply.stopReason ?? (toolCalls === undefined ? 'end_turn' : 'tool_use');
	const message = {
		role: 'assistant' as const,
		content: text ?? null,
		...(thinking !== undefined && { reasoning_content: thinking }),
		...(toolCalls !== undefined && {
			tool_calls: toolCalls.map(({ id = nextId('call'), name, input }) => ({
				id,
				type: 'function' as const,
				function: { name, arguments: JSON.stringify(input) },
			})),
		}),
	};
	return {
		id: nextId('chat'),
		model: request.model,
		choices: [{ index: 0, message, finish_reason: FINISH_REASONS[stopReason] }],
		usage: {
			prompt_tokens: usage?.input_tokens ?? countTokens(JSON.stringify(request.messages)),
			completion_tokens: usage?.output_tokens ?? countTokens(JSON.stringify(message)),
		},
	};
}
