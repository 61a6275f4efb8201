import { cutOffBy, isToolUse, textOf, type GeneratedMessage } from '../../client/generation/GeneratedMessage';
import { MessageAccumulator } from '../../client/generation/MessageAccumulator';
import { givenOrNull, isFilledText, isRecord } from '../../client/values/records';
import type { MessageRequest } from '../../contract/types';
import { decisive } from '../shared/fields/expressionRules';
import { integerField, subjectOf, option, orDefault, type ValuesOf } from '../shared/fields/Field';
import { generate } from '../shared/generation/generate';
import { ReplyTally, type ReplyFacts } from '../shared/generation/ReplyTally';
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
import type { ItemContext } from '../shared/context/ItemContext';
import { operation, type ItemResult } from '../shared/node/Operation';
import { simplify } from '../shared/fields/sharedFields';
import { present } from '../shared/values/present';
import { sumKnown } from '../shared/values/sumKnown';
import { makeConnectedTools, type ConnectedTools } from './connectedTools';
import { converse, type Conversation, type Round } from './converse';
import { enableStreaming, inLiveChat, type SendText } from './liveChat';
import { checkMessages, conversation } from './messages';
import { noteSent } from './noteSent';
import { parseGeneratedJson, responseFormat, systemPrompt, withFormat } from './responseFormat';
import { checkToolNames, toolChoice, toolName, tools, toToolChoice } from './tools';
import { ToolTally } from './ToolTally';
import { describeUnreadFiles } from './unreadFiles';

const ALLOWED = { roles: ['user', 'assistant'], maxMessages: MAX_MESSAGES, allowsBlocks: true } as const;

const maxToolRounds = option(
	orDefault(
		decisive(
			integerField({
				displayName: 'Max Tool Rounds',
				name: 'maxToolRounds',
				typeOptions: { minValue: 1, maxValue: 4, numberPrecision: 0 },
				default: 4,
				description: 'Maximum number of rounds of tool calls, from 1 to 4',
			}),
		),
	),
);

const fields = {
	model,
	...conversation,
	maxTokens: orDefault(maxTokens),
	systemPrompt,
	...sampling,
	toolChoice,
	toolName,
	tools,
	maxToolRounds,
	stream: streamField(false),
	enableStreaming,
	responseFormat,
	extraBody,
	simplify,
};

type Values = ValuesOf<typeof fields>;

export const create = operation({
	value: 'create',
	name: 'Generate Message',
	description:
		"Generate the next message of a conversation. Suits most jobs, and supports tools. Use 'Chat' to see the model's reasoning.",
	action: 'Generate message',
	agentDescription:
		'Generates text from a prompt or a conversation, such as a draft, a summary or a translation',
	fields,
	begin: async (run) => ({
		tools: await makeConnectedTools(run),
		replies: new ReplyTally(),
		calls: new ToolTally(),
	}),
	run: async (item, values, { tools: connected, replies, calls }) => {
		const body = toBody(item, values, connected);
		return await inLiveChat(item, async (sendText) => {
			const ended = await converse({
				body,
				tools: connected,
				maxRounds: values.maxToolRounds,
				request: requesterOf(item, values, connected, sendText),
				signal: item.signal,
				done: item.done,
				noteToolRun: (call) => item.noteToolRun(call),
				isUsedUp: () => item.run.budget?.usedUp.aborted === true,
			});
			replies.add(factsOf(ended, body));
			calls.add(ended.toolCalls, values.simplify);
			return toResult(values, ended);
		});
	},
	summarize: ({ replies, calls }, run) =>
		present([replies.describe(), calls.describe(run), describeUnreadFiles(run)]).join(' ') || undefined,
});

function toBody(item: ItemContext, values: Values, connected: ConnectedTools): RequestBody {
	const { extraBody: extra } = values;
	const offered = [...values.tools, ...[...connected.values()].map(({ wire }) => wire)];
	const names = offered.map(({ name }) => name);
	checkToolNames(names, subjectOf(tools));
	const rules = { ...ALLOWED, hasTools: connected.size > 0 };
	const messages = checkMessages(item, values, rules);
	noteSent(item, messages, values.systemPrompt, rules);
	const body = {
		model: values.model,
		max_tokens: values.maxTokens,
		messages,
		system: withFormat(values.systemPrompt, values.responseFormat),
		tools: offered,
		tool_choice: toToolChoice(
			values.toolChoice,
			values.toolName,
			Object.hasOwn(extra, 'tools') ? undefined : names,
		),
	} satisfies Partial<Record<keyof MessageRequest, unknown>>;
	return { ...withoutEmpty({ ...body, ...samplingBody(values) }), ...extra };
}

/** Returns a function that sends the request of one round of an item. */
function requesterOf(
	item: ItemContext,
	{ responseFormat: format, stream }: Values,
	connected: ConnectedTools,
	sendText: SendText | undefined,
): (body: RequestBody) => Promise<Round> {
	let hasSent = false;
	return async (body) => {
		// In n8n's chat, the texts of two rounds become separate paragraphs.
		let separator = hasSent ? '\n\n' : '';
		const onText = async (text: string) => {
			await sendText?.(separator + text);
			separator = '';
			hasSent = true;
		};
		return await generate(item, {
			path: '/messages',
			body,
			streamed: sendText !== undefined || stream,
			newAccumulator: () => new MessageAccumulator(),
			toResult: (message, unsafeIntegers) => ({
				...toRound(message, format === 'json'),
				unsafeIntegers,
			}),
			// The answer of another run must not be reused, because the tools would not be run.
			isReusable: !sendText && connected.size === 0,
			onText: sendText && onText,
		});
	};
}

function toRound(message: GeneratedMessage, wantsJson: boolean): Omit<Round, 'unsafeIntegers'> {
	const text = textOf(message.content);
	const callsTools = message.content.some(isToolUse) && cutOffBy(message.stop_reason) === undefined;
	if (!wantsJson || callsTools) return { message, text };
	return { message, text, parsed: parseGeneratedJson(text, message.stop_reason) };
}

function factsOf({ rounds, stoppedBy, lostDigits }: Conversation, body: RequestBody): ReplyFacts {
	const [first] = rounds;
	const { message, text, parsed } = rounds.at(-1)!;
	return {
		reason: message.stop_reason,
		text,
		callsTools: message.content.some(isToolUse),
		hasEarlierText: rounds.slice(0, -1).some((round) => isFilledText(round.text)),
		isNotCalled: lacksCall(first!.message, body.tool_choice),
		lostDigits: lostDigits || parsed?.lostDigits,
		json: parsed?.json,
		isJsonFromThinking: parsed?.isJsonFromThinking,
		stoppedBy,
	};
}

/** Returns whether a reply lacks the call that the request demands. Extra Body Fields may demand one of any tool. */
function lacksCall({ content }: GeneratedMessage, choice: unknown): boolean {
	if (!isRecord(choice) || (choice.type !== 'tool' && choice.type !== 'any')) return false;
	return !content.some((block) => isToolUse(block) && (choice.type === 'any' || block.name === choice.name));
}

function toResult(values: Values, { rounds, toolCalls }: Conversation): ItemResult {
	const { message, text, parsed } = rounds.at(-1)!;
	if (!values.simplify) return { json: message };
	const tokens = rounds.map((round) => tokensOf(round.message));
	return {
		json: {
			text,
			...(values.responseFormat === 'json' ? { json: parsed?.json ?? null } : {}),
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
