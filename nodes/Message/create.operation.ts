import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isRecord } from '../../client/isRecord';
import { MessageAccumulator, textOf, type GeneratedMessage } from '../../client/MessageAccumulator';
import { firstDuplicate } from '../shared/fieldValues';
import type { ItemCall } from '../shared/ItemCall';
import type { ItemResult, Operation } from '../shared/Operation';
import { ParameterError } from '../shared/ParameterError';
import { nameTaken, readConnectedTools, type ConnectedTools } from './connectedTools';
import { converse, toOutput, type ToolCall } from './converse';
import {
	extraBody,
	fieldOf,
	generate,
	maxTokens,
	model,
	numberOrNull,
	readExtraBody,
	readModelAndLimit,
	reportTokens,
	stream,
	type RequestBody,
} from './generation';
import { enableStreaming, inLiveChat, type SayText } from './liveChat';
import {
	keepLastMessages,
	MAX_MESSAGES,
	messagesBuilder,
	messagesJson,
	messagesSource,
	readMessages,
	type ConversationRules,
} from './messages';
import { parseGeneratedJson, responseFormat, wantsJson } from './responseFormat';
import { systemPrompt } from './systemPrompt';
import { readToolChoice, readTools, toolOptions } from './tools';

const RULES: ConversationRules = {
	roles: ['user', 'assistant'],
	maxMessages: MAX_MESSAGES,
	allowsBlocks: true,
};

const MAX_TOOL_ROUNDS = 4;

const samplingOptions: INodeProperties[] = [
	{
		displayName: 'Stop Sequences',
		name: 'stopSequences',
		type: 'string',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Stop Sequence' },
		default: [],
		description: 'Texts at which the model stops',
	},
	{
		displayName: 'Temperature',
		name: 'temperature',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 2, numberPrecision: 2 },
		default: 1,
		description: 'How freely the model chooses its words, from 0 to 2',
	},
	{
		displayName: 'Top K',
		name: 'topK',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 50 },
		default: 50,
		description: 'From how many of the likeliest words the model chooses, from 0 to 50',
	},
	{
		displayName: 'Top P',
		name: 'topP',
		type: 'number',
		typeOptions: { minValue: 0.1, maxValue: 1, numberPrecision: 2 },
		default: 1,
		description: 'From which share of the likeliest words the model chooses, from 0.1 to 1',
	},
];

const maxToolRounds: INodeProperties = {
	displayName: 'Max Tool Rounds',
	name: 'maxToolRounds',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: MAX_TOOL_ROUNDS, numberPrecision: 0 },
	default: MAX_TOOL_ROUNDS,
	description: `How often the model may call connected tools and be told what they returned, from 1 to ${MAX_TOOL_ROUNDS}`,
};

export const create: Operation = {
	value: 'create',
	name: 'Generate Message',
	description: 'Generate the next message of a conversation, with tools where they are connected',
	action: 'Generate message',
	fields: [model, messagesSource, messagesBuilder(RULES.roles), messagesJson, maxTokens],
	optionFields: [
		keepLastMessages,
		systemPrompt,
		...samplingOptions,
		...toolOptions,
		maxToolRounds,
		stream,
		enableStreaming,
		responseFormat,
		extraBody,
	],
	run: async (item) => {
		const tools = await readConnectedTools(item);
		const body = readBody(item, tools);
		const maxRounds = item.number(
			'options.maxToolRounds',
			{ min: 1, max: MAX_TOOL_ROUNDS, integer: true },
			MAX_TOOL_ROUNDS,
		);
		return await inLiveChat(item, async (say) => {
			const sayNext = say && sayInParagraphs(say);
			const { answers, toolCalls } = await converse(item, {
				body,
				tools,
				maxRounds,
				request: async (next) => await requestMessage(item, next, sayNext?.()),
				messageOf: ({ message }) => message,
			});
			return toResult(item, answers, toolCalls);
		});
	},
};

function readBody(item: ItemCall, connected: ConnectedTools): RequestBody {
	const extra = readExtraBody(item);
	const tools = [...readTools(item), ...[...connected.values()].map(({ wire }) => wire)];
	const names = tools.map(({ name }) => name);
	const duplicate = firstDuplicate(names);
	if (duplicate !== undefined) throw nameTaken(duplicate);
	const system = item.text('options.system');
	const body = {
		...readModelAndLimit(item),
		messages: readMessages(item, RULES),
		system: system.trim() === '' ? undefined : system,
		stop_sequences: readStopSequences(item),
		temperature: item.number('options.temperature', { min: 0, max: 2 }, undefined),
		top_p: item.number('options.topP', { min: 0.1, max: 1 }, undefined),
		top_k: item.number('options.topK', { min: 0, max: 50 }, undefined),
		tools,
		tool_choice: readToolChoice(item, Object.hasOwn(extra, 'tools') ? undefined : names),
	};
	return { ...withoutEmpty(body), ...extra };
}

function readStopSequences(item: ItemCall): string[] {
	const value = item.parameter('options.stopSequences');
	const list = Array.isArray(value) ? value : [value];
	const sequences = list.filter((sequence) => sequence !== undefined && sequence !== null && sequence !== '');
	if (sequences.some((sequence) => typeof sequence === 'object')) {
		throw new ParameterError('options.stopSequences', 'must be a list of texts');
	}
	return sequences.map(String);
}

function withoutEmpty(body: RequestBody): RequestBody {
	return Object.fromEntries(
		Object.entries(body).filter(
			([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
		),
	);
}

/** What the model says before and after a call of a tool are paragraphs of their own. */
function sayInParagraphs(say: SayText): () => SayText {
	let hasSaid = false;
	return () => {
		let separator = hasSaid ? '\n\n' : '';
		return async (text) => {
			await say(separator + text);
			separator = '';
			hasSaid = true;
		};
	};
}

interface MessageAnswer {
	message: GeneratedMessage;
	/** The text parsed, where that is asked for and the model has ended its turn. */
	json: IDataObject[string];
}

async function requestMessage(
	item: ItemCall,
	body: RequestBody,
	onText: SayText | undefined,
): Promise<MessageAnswer> {
	return await generate(item, {
		path: '/messages',
		body,
		streamed: onText !== undefined || item.boolean('options.stream'),
		newAccumulator: () => new MessageAccumulator(),
		check: (message): MessageAnswer => {
			reportTokens(item.context, ...tokensOf(message));
			const callsTools = message.content.some(({ type }) => type === 'tool_use');
			if (!wantsJson(item) || callsTools) return { message, json: null };
			return {
				message,
				json: parseGeneratedJson(textOf(message.content), message.stop_reason === 'max_tokens'),
			};
		},
		onText,
	});
}

function toResult(item: ItemCall, answers: MessageAnswer[], toolCalls: ToolCall[]): ItemResult {
	const { message, json } = answers.at(-1)!;
	if (!item.boolean('simplify')) return { json: message as IDataObject };
	const tokens = answers.map((answer) => tokensOf(answer.message));
	return {
		json: {
			text: textOf(message.content),
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

function tokensOf({ usage }: GeneratedMessage): [number | null, number | null] {
	const { input_tokens: input, output_tokens: output } = isRecord(usage) ? usage : {};
	return [numberOrNull(input), numberOrNull(output)];
}

/** Null when none is known. */
function sum(values: Array<number | null>): number | null {
	return values.reduce((total, value) => (value === null ? total : (total ?? 0) + value), null);
}
