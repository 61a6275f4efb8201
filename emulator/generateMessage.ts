import type { ContentBlock, Message, MessageRequest, Tool, ToolResultTurnBlock } from '../contract/types';
import { objectsIn } from './objectsIn';
import type { ScriptedReply } from './ServiceState';
import { countTokens, excerpt } from './tokens';
import { toolInput } from './toolInput';
import { calledTools, exchangeOf, isHeldBack, lastUserTurn, textOfTurn, toolResultsOf } from './toolUse';
import { boundedReply, continuationOf, writeReply } from './writeReply';

/*
 * What the emulator writes, in place of the service's models:
 *
 * - an excerpt of the last user message, and its number of words;
 * - one of the labels that they list to choose from;
 * - a JSON object, when the system prompt or the last user message has the word JSON: with the fields that they ask
 *   for, else with the same excerpt and number; between code fences when that message has the word fence;
 * - a call of a tool, see `toolUse.ts`, and after a tool_result what the tool returned;
 * - the rest of that text, when the assistant has the last turn and has begun it.
 */

/** The reply to a message request that meets the contract. `nextId` makes identifiers with a prefix. */
export function generateMessage(
	request: MessageRequest,
	nextId: (prefix: string) => string,
	scripted?: ScriptedReply,
): Message {
	if (scripted) return scriptedMessage(request, scripted, nextId);
	const tools = calledTools(request);
	return tools.length > 0 ? callingMessage(request, tools, nextId) : textMessage(request, nextId);
}

/**
 * Checks what the schema of the contract cannot express: a tool result answers a call of the turn before it, and a forced
 * tool exists. Returns what is wrong.
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

/** A message with this content. `nextId` makes identifiers with a prefix. */
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

function callingMessage(request: MessageRequest, tools: Tool[], nextId: (prefix: string) => string): Message {
	const { text, results } = exchangeOf(request.messages);
	const known = results.flatMap(({ content }) => objectsIn(content));
	const calls = tools.map(({ name, input_schema: schema }): ContentBlock => ({
		type: 'tool_use',
		id: nextId('toolu'),
		name,
		input: toolInput(schema, name, text, known),
	}));
	const said = `Calling ${tools.map((tool) => tool.name).join(', ')}.`;
	return messageOf(request, nextId, [{ type: 'text', text: said }, ...calls], { stop_reason: 'tool_use' });
}

function textMessage(request: MessageRequest, nextId: (prefix: string) => string): Message {
	const last = request.messages.at(-1);
	const begun = last?.role === 'assistant' ? textOfTurn(last) : '';
	const lastUser = lastUserTurn(request);
	const results = toolResultsOf(lastUser);
	const whole = isHeldBack(request)
		? 'I am not sure about that. Could you tell me more?'
		: results.length > 0
			? results.map(describeResult).join('\n')
			: writeReply(textOfTurn(lastUser), request.system ?? '');
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

function describeResult({ content, is_error }: ToolResultTurnBlock): string {
	const said = objectsIn(content).map(inWords).join('; ') || content;
	return `The tool ${is_error === true ? 'failed' : 'returned'}: ${excerpt(said, 40)}`;
}

/** An agent of n8n wraps what a tool says in an object, in `response`. */
function inWords(object: Record<string, unknown>): string {
	return Object.entries(object)
		.map(([name, value]) => (name === 'response' ? String(value) : `${name}: ${JSON.stringify(value)}`))
		.join(', ');
}
