import type { MessageRequest } from '../contract/types';
import type { EmulatedBlock, EmulatedMessage } from './EmulatedMessage';
import { messageTokens } from './generateMessage';
import type { ScriptedReply } from './Script';
import { countTokens } from './tokens';

/** A scripted reply as a message. `nextId` makes identifiers with a prefix. */
export function scriptedMessage(
	reply: ScriptedReply,
	request: MessageRequest,
	nextId: (prefix: string) => string,
): EmulatedMessage {
	const content = blocksOf(reply, nextId);
	return {
		id: nextId('msg'),
		type: 'message',
		role: 'assistant',
		content,
		model: request.model,
		stop_reason: reply.stopReason ?? (reply.toolCalls === undefined ? 'end_turn' : 'tool_use'),
		stop_sequence: null,
		usage: reply.usage ?? {
			input_tokens: messageTokens(request),
			output_tokens: countTokens(JSON.stringify(content)),
		},
	};
}

function blocksOf(
	{ text, thinking, signature = '', citations, toolCalls = [] }: ScriptedReply,
	nextId: (prefix: string) => string,
): EmulatedBlock[] {
	const blocks: EmulatedBlock[] = [];
	if (thinking !== undefined) blocks.push({ type: 'thinking', thinking, signature });
	if (text !== undefined) blocks.push({ type: 'text', text, ...(citations && { citations }) });
	for (const { id = nextId('toolu'), name, input } of toolCalls) {
		blocks.push({ type: 'tool_use', id, name, input });
	}
	return blocks;
}
