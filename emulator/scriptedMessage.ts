import type { MessageRequest } from '../contract/types';
import type { EmulatedBlock, EmulatedMessage } from './EmulatedMessage';
import { messageOf } from './generateMessage';
import type { ScriptedReply } from './Script';

/** A scripted reply as a message. `nextId` makes identifiers with a prefix. */
export function scriptedMessage(
	reply: ScriptedReply,
	request: MessageRequest,
	nextId: (prefix: string) => string,
): EmulatedMessage {
	const { text, thinking, signature = '', citations, toolCalls = [], usage } = reply;
	const content: EmulatedBlock[] = [];
	if (thinking !== undefined) content.push({ type: 'thinking', thinking, signature });
	if (text !== undefined) content.push({ type: 'text', text, ...(citations && { citations }) });
	for (const { id = nextId('toolu'), name, input } of toolCalls) {
		content.push({ type: 'tool_use', id, name, input });
	}
	return messageOf(request, nextId, content, {
		stop_reason: reply.stopReason ?? (reply.toolCalls === undefined ? 'end_turn' : 'tool_use'),
		...(usage && { usage }),
	});
}
