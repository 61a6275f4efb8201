import { isToolUse, textOf, type GeneratedMessage } from '../../client/generation/GeneratedMessage';
import { MessageAccumulator } from '../../client/generation/MessageAccumulator';
import { givenOrNull } from '../../client/response/records';
import type { MessageRequest } from '../../contract/types';
import { integerField, named, option, orDefault, required } from '../shared/fields/Field';
import { generate } from '../shared/generation/generate';
import { tokensOf } from '../shared/service/tokensOf';
import {
	extraBody,
	MAX_MESSAGES,
	maxTokens,
	model,
	type RequestBody,
	sampling,
	samplingBody,
	streamField,
	withoutEmpty,
} from '../shared/generation/generationFields';
import type { ItemContext } from '../shared/run/ItemContext';
import type { ItemResult, Operation } from '../shared/run/Operation';
import { simplify } from '../shared/fields/sharedFields';
import { sumKnown } from '../shared/text/sumKnown';
import { makeConnectedTools, type ConnectedTools } from './connectedTools';
import { converse, type Round, type ToolCall } from './converse';
import { enableStreaming, inLiveChat, type SendText } from './liveChat';
import { conversation, readMessages } from './messages';
import {
	parseGeneratedJson,
	readSystemPrompt,
	responseFormat,
	wantsJson,
	systemPrompt,
} from './responseFormat';
import { checkToolNames, readToolChoice, toolChoice, toolName, tools } from './tools';

const ALLOWED = { roles: ['user', 'assistant'], maxMessages: MAX_MESSAGES, allowsBlocks: true } as const;

const stream = streamField(false);

const requiredMaxTokens = required(maxTokens);

const maxToolRounds = option(
	orDefault(
		integerField({
			displayName: 'Max Tool Rounds',
			name: 'maxToolRounds',
			typeOptions: { minValue: 1, maxValue: 4, numberPrecision: 0 },
			default: 4,
			description: 'Maximum number of rounds of tool calls, from 1 to 4',
		}),
	),
);

export const create: Operation<ConnectedTools> = {
	value: 'create',
	name: 'Generate Message',
	description:
		"Generate the next message of a conversation. Suits most jobs, and supports tools. Use 'Chat' to see the model's reasoning.",
	action: 'Generate message',
	asTool: 'Generates text from a prompt or a conversation, such as a draft, a summary or a translation',
	fields: [
		model,
		conversation.source,
		conversation.typed,
		conversation.json,
		maxTokens,
		conversation.keepLast,
		systemPrompt,
		...Object.values(sampling),
		toolChoice,
		toolName,
		tools,
		maxToolRounds,
		stream,
		enableStreaming,
		responseFormat,
		extraBody,
	],
	begin: makeConnectedTools,
	run: async (item, connected) => {
		const body = readBody(item, connected);
		const maxRounds = item.read(maxToolRounds);
		return await inLiveChat(item, async (sendText) => {
			const { rounds, toolCalls } = await converse({
				body,
				tools: connected,
				maxRounds,
				request: requesterOf(item, connected, sendText),
				signal: item.signal,
				done: item.done,
				isUsedUp: () => item.execution.budget?.usedUp.aborted === true,
			});
			return toResult(item, rounds, toolCalls);
		});
	},
};

function readBody(item: ItemContext, connected: ConnectedTools): RequestBody {
	const extra = item.read(extraBody);
	const offered = [...item.read(tools), ...[...connected.values()].map(({ wire }) => wire)];
	const names = offered.map(({ name }) => name);
	checkToolNames(names, named(tools));
	const body = {
		model: item.read(model),
		max_tokens: item.read(requiredMaxTokens),
		messages: readMessages(item, ALLOWED),
		system: readSystemPrompt(item),
		tools: offered,
		tool_choice: readToolChoice(item, Object.hasOwn(extra, 'tools') ? undefined : names),
	} satisfies Partial<Record<keyof MessageRequest, unknown>>;
	return { ...withoutEmpty({ ...body, ...samplingBody(item.readEach(sampling)) }), ...extra };
}

/** Sends the requests of an item, one for each round. */
function requesterOf(
	item: ItemContext,
	connected: ConnectedTools,
	sendText: SendText | undefined,
): (body: RequestBody) => Promise<Round> {
	let hasSent = false;
	return async (body) => {
		// Texts before and after a tool call become separate paragraphs.
		let separator = hasSent ? '\n\n' : '';
		const onText = async (text: string) => {
			await sendText?.(separator + text);
			separator = '';
			hasSent = true;
		};
		return await generate(item, {
			path: '/messages',
			body,
			streamed: sendText !== undefined || item.read(stream),
			newAccumulator: () => new MessageAccumulator(),
			toResult: (message) => toRound(item, message),
			// The answer of another run must not be reused, because the tools would not be run.
			generatedOf: sendText || connected.size > 0 ? undefined : ({ message }) => message,
			onText: sendText && onText,
		});
	};
}

function toRound(item: ItemContext, message: GeneratedMessage): Round {
	const callsTools = message.content.some(isToolUse);
	const text = textOf(message.content);
	if (!wantsJson(item) || callsTools) return { message, text, json: null };
	return { message, text, json: parseGeneratedJson(text, message.stop_reason) };
}

function toResult(item: ItemContext, rounds: Round[], toolCalls: ToolCall[]): ItemResult {
	const { message, text, json } = rounds.at(-1)!;
	if (!item.read(simplify)) return { json: message };
	const tokens = rounds.map((round) => tokensOf(round.message));
	return {
		json: {
			text,
			...(wantsJson(item) ? { json } : {}),
			tool_calls: toolCalls,
			stop_reason: givenOrNull(message.stop_reason),
			stop_sequence: givenOrNull(message.stop_sequence),
			model: givenOrNull(message.model),
			id: givenOrNull(message.id),
			input_tokens: sumKnown(tokens.map(([input]) => input)),
			output_tokens: sumKnown(tokens.map(([, output]) => output)),
		},
	};
}
