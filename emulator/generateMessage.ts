import type { ContentBlock, Message, MessageRequest, ToolResultTurnBlock } from '../contract/types';
import type { Decider } from './Decider';
import { objectsIn } from './objectsIn';
import type { ScriptedReply, ServiceState } from './ServiceState';
import { countTokens, excerpt } from './tokens';
import { calledTools, inputOf, lastUserTurn, textOfTurn, toolResultsOf } from './toolUse';
import { boundedReply, continuationOf, writeReply } from './writeReply';

/**
 * Generates the reply to a valid message request: the next reply of the script; else the tool calls of `toolUse.ts`; else, after a
 * tool's result, that result; else the text of `writeReply`, or the rest of it if the last turn is the assistant's and begins with
 * it. `nextId` makes IDs with a prefix.
 */
export async function generateMessage(
	request: MessageRequest,
	{ nextId, decide }: Pick<ServiceState, 'nextId' | 'decide'>,
	scripted?: ScriptedReply,
): Promise<Message> {
	if (scripted) return scriptedMessage(request, scripted, nextId);
	const tools = calledTools(request);
	if (tools.length === 0) return await textMessage(request, nextId, decide);
	const text = `Calling ${tools.map((tool) => tool.name).join(', ')}.`;
	const calls = tools.map(async (tool) => ({ name: tool.name, input: await inputOf(tool, request, decide) }));
	return scriptedMessage(request, { text, toolCalls: await Promise.all(calls) }, nextId);
}

/**
 * Checks rules that the contract's schema cannot express: a tool result belongs to a call in the previous turn, and a forced tool
 * exists. Returns a message about the problem, if there is one.
 */
export function inconsistencyOf(request: MessageRequest): string | undefined {
	const choice = request.tool_choice;
	if (choice?.type === 'tool' && !request.tools?.some((tool) => tool.name === choice.name)) {
		return `tool_choice.name names no tool: ${choice.name}`;
	}
	for (const [index, turn] of request.messages.entries()) {
		const before = request.messages[index - 1]?.content;
		const calls = typeof before === 'object' ? before.filter((block) => block.type === 'tool_use') : [];
		const orphan = toolResultsOf(turn).find(
			(result) => !calls.some((call) => call.id === result.tool_use_id),
		);
		if (orphan !== undefined) {
			return `messages.${index}.content has a tool_result for ${orphan.tool_use_id}, which the turn before does not call`;
		}
	}
	return undefined;
}

/** Makes a message with this content. `nextId` makes IDs with a prefix. */
function messageOf(
	request: MessageRequest,
	nextId: (prefix: string) => string,
	content: ContentBlock[],
	ending: Partial<Message>,
): Message {
	return {
		id: nextId('msg'),
		type: 'message',
		role: 'assistant',
		model: request.model,
		content,
		stop_reason: 'end_turn',
		stop_sequence: null,
		usage: {
			input_tokens: countTokens(
				JSON.stringify(request.messages) + (request.system ?? '') + JSON.stringify(request.tools ?? ''),
			),
			output_tokens: countTokens(JSON.stringify(content)),
		},
		...ending,
	};
}

function scriptedMessage(
	request: MessageRequest,
	{ text, toolCalls = [] }: ScriptedReply,
	nextId: (prefix: string) => string,
): Message {
	const calls = toolCalls.map((call): ContentBlock => ({ type: 'tool_use', id: nextId('toolu'), ...call }));
	const content: ContentBlock[] = text === undefined ? calls : [{ type: 'text', text }, ...calls];
	return messageOf(request, nextId, content, { stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn' });
}

async function textMessage(
	request: MessageRequest,
	nextId: (prefix: string) => string,
	decide: Decider,
): Promise<Message> {
	const last = request.messages.at(-1);
	const begun = last?.role === 'assistant' ? textOfTurn(last) : '';
	const lastUser = lastUserTurn(request);
	const results = toolResultsOf(lastUser);
	const whole =
		results.length > 0
			? results.map(describeResult).join('\n')
			: await writeReply(textOfTurn(lastUser), request.system ?? '', decide);
	const { text, tokens, stopReason, stopSequence } = boundedReply(
		continuationOf(whole, begun),
		request.max_tokens,
		request.stop_sequences ?? [],
	);
	const message = messageOf(request, nextId, [{ type: 'text', text }], {
		stop_reason: stopReason,
		stop_sequence: stopSequence,
	});
	return { ...message, usage: { ...message.usage, output_tokens: tokens } };
}

/** Returns the text of a tool's result. n8n's AI Agent puts it into an object, as the field `response`. */
function describeResult({ content, is_error }: ToolResultTurnBlock): string {
	const [{ response } = {}] = objectsIn(content);
	const said = typeof response === 'string' ? response : content;
	return `The tool ${is_error === true ? 'failed' : 'returned'}: ${excerpt(said, 40)}`;
}
