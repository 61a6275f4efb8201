import type { IDataObject } from 'n8n-workflow';

import { MessageAccumulator, textOf, tokensOf } from '../../client/MessageAccumulator';
import type { MessageRequest } from '../../contract/types';
import { integerField, option, orDefault } from '../shared/Field';
import { fieldOf, generate, MAX_MESSAGES, type RequestBody } from '../shared/generate';
import { extraBody, maxTokens, model, sampling, streamField } from '../shared/generationFields';
import type { ItemContext } from '../shared/ItemContext';
import type { ItemResult, Operation } from '../shared/Operation';
import { simplify } from '../shared/sharedFields';
import { makeConnectedTools, type ConnectedTools } from './connectedTools';
import { converse, toOutput, type ToolCall, type Turn } from './converse';
import { enableStreaming, inLiveChat, type SendText } from './liveChat';
import { conversation, readMessages } from './messages';
import { parseGeneratedJson, readSystemPrompt, responseFormat, wantsJson } from './responseFormat';
import { systemPrompt } from './systemPrompt';
import { checkToolNames, readToolChoice, toolChoice, toolName, tools } from './tools';

const messages = conversation({
	roles: ['user', 'assistant'],
	maxMessages: MAX_MESSAGES,
	allowsBlocks: true,
});

const stream = streamField(false);

const maxToolRounds = option(
	orDefault(
		integerField({
			displayName: 'Max Tool Rounds',
			name: 'maxToolRounds',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 4, numberPrecision: 0 },
			default: 4,
			description: 'How many rounds of tool calls the model may make, from 1 to 4',
		}),
	),
);

export const create: Operation = {
	value: 'create',
	name: 'Generate Message',
	description:
		'Generate the next message of a conversation, with tools. Choose this unless you need reasoning or a system role.',
	action: 'Generate message',
	fields: [
		model,
		messages.source,
		messages.typed,
		messages.json,
		maxTokens,
		messages.keepLast,
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
	run: async (item) => {
		const connected = await item.execution.once(makeConnectedTools);
		const body = readBody(item, connected);
		const maxRounds = item.read(maxToolRounds);
		return await inLiveChat(item, async (sendText) => {
			const paragraphs = sendText && inParagraphs(sendText);
			const { turns, toolCalls } = await converse({
				body,
				tools: connected,
				maxRounds,
				request: async (next) => await requestMessage(item, next, paragraphs?.()),
				signal: item.execution.signal,
			});
			return toResult(item, turns, toolCalls);
		});
	},
};

function readBody(item: ItemContext, connected: ConnectedTools): RequestBody {
	const extra = item.read(extraBody);
	const offered = [...item.read(tools), ...[...connected.values()].map(({ wire }) => wire)];
	const names = offered.map(({ name }) => name);
	checkToolNames(names);
	const system = readSystemPrompt(item);
	const { stopSequences, temperature, topK, topP } = item.readEach(sampling);
	const body = {
		model: item.read(model),
		max_tokens: item.read(maxTokens),
		messages: readMessages(item, messages),
		system: system === '' ? undefined : system,
		stop_sequences: stopSequences,
		temperature,
		top_p: topP,
		top_k: topK,
		tools: offered,
		tool_choice: readToolChoice(item, Object.hasOwn(extra, 'tools') ? undefined : names),
	} satisfies Partial<Record<keyof MessageRequest, unknown>>;
	return { ...withoutEmpty(body), ...extra };
}

function withoutEmpty(body: RequestBody): RequestBody {
	return Object.fromEntries(
		Object.entries(body).filter(
			([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
		),
	);
}

/** What the model says before and after a call of a tool are paragraphs of their own. */
function inParagraphs(sendText: SendText): () => SendText {
	let hasSent = false;
	return () => {
		let separator = hasSent ? '\n\n' : '';
		return async (text) => {
			await sendText(separator + text);
			separator = '';
			hasSent = true;
		};
	};
}

async function requestMessage(
	item: ItemContext,
	body: RequestBody,
	onText: SendText | undefined,
): Promise<Turn> {
	return await generate(item, {
		path: '/messages',
		body,
		streamed: onText !== undefined || item.read(stream),
		newAccumulator: () => new MessageAccumulator(),
		tokensOf,
		check: (message): Turn => {
			item.execution.countTokens(...tokensOf(message));
			// Here, because the key is masked in what is returned: it may be split between blocks.
			const text = textOf(message.content);
			const callsTools = message.content.some(({ type }) => type === 'tool_use');
			if (!wantsJson(item) || callsTools) return { message, text, json: null };
			return { message, text, json: parseGeneratedJson(text, message.stop_reason === 'max_tokens') };
		},
		onText,
	});
}

function toResult(item: ItemContext, turns: Turn[], toolCalls: ToolCall[]): ItemResult {
	const { message, text, json } = turns.at(-1)!;
	if (!item.read(simplify)) return { json: message as IDataObject };
	const tokens = turns.map((turn) => tokensOf(turn.message));
	return {
		json: {
			text,
			...(wantsJson(item) ? { json } : {}),
			tool_calls: toOutput(toolCalls),
			stop_reason: fieldOf(message, 'stop_reason'),
			stop_sequence: fieldOf(message, 'stop_sequence'),
			model: fieldOf(message, 'model'),
			id: fieldOf(message, 'id'),
			input_tokens: sum(tokens.map(([input]) => input)),
			output_tokens: sum(tokens.map(([, output]) => output)),
		},
	};
}

/** Null when none is known. */
function sum(values: Array<number | null>): number | null {
	return values.reduce((total, value) => (value === null ? total : (total ?? 0) + value), null);
}
