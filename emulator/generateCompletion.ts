import type { ChatCompletion, ChatRequest } from '../contract/types';
import type { ScriptedReply, ServiceState } from './ServiceState';
import { countTokens, countWords, splitIntoTokens } from './tokens';
import { boundedReply, continuationOf, writeReply } from './writeReply';

/** Generates the reply to a valid chat request. `nextId` makes IDs with a prefix. */
export async function generateCompletion(
	request: ChatRequest,
	{ nextId, decide }: Pick<ServiceState, 'nextId' | 'decide'>,
	scripted?: ScriptedReply,
): Promise<ChatCompletion> {
	const last = request.messages.at(-1);
	const begun = last?.role === 'assistant' ? last.content : '';
	const userText = request.messages.findLast((turn) => turn.role === 'user')?.content ?? '';
	const system = request.messages
		.filter((turn) => turn.role === 'system')
		.map((turn) => turn.content)
		.join('\n');
	const { text, tokens, stopReason } = boundedReply(
		scripted?.text ?? continuationOf(await writeReply(userText, system, decide), begun),
		request.max_tokens ?? Number.POSITIVE_INFINITY,
		[],
	);
	const reasoning = `Words in the last message: ${countWords(userText)}.`;
	return {
		id: nextId('chat'),
		model: request.model,
		choices: [
			{
				index: 0,
				message: { role: 'assistant', content: text, reasoning_content: reasoning },
				finish_reason: stopReason === 'max_tokens' ? 'length' : 'stop',
			},
		],
		usage: {
			prompt_tokens: countTokens(JSON.stringify(request.messages)),
			completion_tokens: tokens + splitIntoTokens(reasoning).length,
		},
	};
}
