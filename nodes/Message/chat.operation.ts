import type { IDataObject } from 'n8n-workflow';

import {
	CompletionAccumulator,
	contentText,
	type Completion,
} from '../../client/generation/CompletionAccumulator';
import { givenOrNull, isEmpty, isFilledText } from '../../client/values/records';
import type { ChatRequest } from '../../contract/types';
import { generate } from '../shared/generation/generate';
import { ReplyTally, type ReplyFacts } from '../shared/generation/ReplyTally';
import { tokensOf } from '../shared/service/tokensOf';
import {
	extraBody,
	maxTokens,
	model,
	type RequestBody,
	streamField,
	withoutEmpty,
} from '../shared/generation/generationFields';
import type { ItemContext } from '../shared/context/ItemContext';
import { operation, type ItemResult } from '../shared/node/Operation';
import { field, type ValuesOf } from '../shared/fields/Field';
import { simplify } from '../shared/fields/sharedFields';
import { present } from '../shared/values/present';
import { enableStreaming, inLiveChat } from './liveChat';
import { checkMessages, conversation, type SentMessage } from './messages';
import { noteSent } from './noteSent';
import { parseGeneratedJson, responseFormat, systemPrompt, withFormat } from './responseFormat';
import { describeUnreadFiles } from './unreadFiles';

const ALLOWED = { roles: ['user', 'assistant', 'system'], allowsBlocks: false, hasTools: false } as const;

const noTools = field(
	{
		displayName: "Chat does not support tools. To connect tools, choose 'Generate Message'.",
		name: 'noTools',
		type: 'notice',
		default: '',
	},
	() => undefined,
);

const fields = {
	model,
	...conversation,
	maxTokens,
	systemPrompt,
	stream: streamField(true),
	enableStreaming,
	responseFormat,
	extraBody,
	simplify,
};

type Values = ValuesOf<typeof fields>;

interface Reply extends ReplyFacts {
	completion: Completion;
	/** Holds the parsed text. It is undefined unless Response Format is JSON. */
	json?: IDataObject[string];
}

export const chat = operation({
	value: 'chat',
	name: 'Chat',
	description:
		"Generate the next message of a chat as a stream. Choose this to see the model's reasoning. It does not support tools.",
	action: 'Chat with model',
	agentDescription: "Generates the next message of a chat, with the model's reasoning, if it shows any",
	unread: [noTools],
	fields,
	begin: () => new ReplyTally(),
	run: async (item, values, replies) => {
		const body = toBody(item, values);
		const wantsJson = values.responseFormat === 'json';
		return await inLiveChat(item, async (sendText) => {
			const reply = await generate(item, {
				path: '/chat/completions',
				body,
				streamed: sendText !== undefined || values.stream,
				newAccumulator: () => new CompletionAccumulator(),
				toResult: (completion): Reply => {
					const { message, finish_reason: reason } = completion.choices[0]!;
					const text = contentText(message.content);
					const refusal = isFilledText(message.refusal) ? message.refusal : undefined;
					const parsed = wantsJson ? parseGeneratedJson(text ?? '', reason, refusal) : {};
					return { completion, text, ...parsed, reason, isRefused: refusal !== undefined };
				},
				isReusable: !sendText,
				onText: sendText,
			});
			const { tool_calls: calls, function_call: call } = reply.completion.choices[0]!.message;
			// The second is the older form of the first.
			const callsTools = !isEmpty(calls) || !isEmpty(call);
			replies.add({ ...reply, callsTools, hidesCalls: callsTools && values.simplify });
			return toResult(values, reply);
		});
	},
	summarize: (replies, run) => present([replies.describe(), describeUnreadFiles(run)]).join(' ') || undefined,
});

function toBody(item: ItemContext, values: Values): RequestBody {
	const messages = checkMessages(item, values, ALLOWED);
	noteSent(item, messages, values.systemPrompt, ALLOWED);
	const body = {
		model: values.model,
		max_tokens: values.maxTokens,
		messages: withSystemPrompt(messages, values),
	} satisfies Partial<Record<keyof ChatRequest, unknown>>;
	return { ...withoutEmpty(body), ...values.extraBody };
}

/**
 * Puts the system prompt first. If only Response Format asks for one, its sentence is added to the system message with which the
 * conversation begins, if there is one.
 */
function withSystemPrompt(
	sent: SentMessage[],
	{ systemPrompt: prompt, responseFormat: format }: Values,
): SentMessage[] {
	const system = withFormat(prompt, format);
	if (system === '') return sent;
	const [first, ...others] = sent;
	const isPrompt = first?.role === 'system' && prompt.trim() === '';
	return isPrompt
		? [{ ...first, content: `${String(first.content)}\n${system}` }, ...others]
		: [{ role: 'system', content: system }, ...sent];
}

function toResult(values: Values, { completion, text, json }: Reply): ItemResult {
	if (!values.simplify) return { json: completion };
	const choice = completion.choices[0]!;
	const [input, output] = tokensOf(completion);
	return {
		json: {
			text,
			...(values.responseFormat === 'json' ? { json } : {}),
			// Ollama and newer versions of vLLM give it the shorter name.
			reasoning: givenOrNull(choice.message.reasoning_content) ?? givenOrNull(choice.message.reasoning),
			finish_reason: givenOrNull(choice.finish_reason),
			model: givenOrNull(completion.model),
			id: givenOrNull(completion.id),
			input_tokens: input,
			output_tokens: output,
		},
	};
}
