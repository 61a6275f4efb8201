import type { IDataObject } from 'n8n-workflow';

import {
	CompletionAccumulator,
	contentText,
	type Completion,
} from '../../client/generation/CompletionAccumulator';
import { givenOrNull } from '../../client/response/records';
import type { ChatRequest } from '../../contract/types';
import { generate } from '../shared/generation/generate';
import { tokensOf } from '../shared/service/tokensOf';
import {
	extraBody,
	maxTokens,
	model,
	type RequestBody,
	streamField,
	withoutEmpty,
} from '../shared/generation/generationFields';
import type { ItemContext } from '../shared/run/ItemContext';
import type { ItemResult, Operation } from '../shared/run/Operation';
import { field } from '../shared/fields/Field';
import { simplify } from '../shared/fields/sharedFields';
import { enableStreaming, inLiveChat } from './liveChat';
import { conversation, readMessages, type SentMessage } from './messages';
import {
	parseGeneratedJson,
	readSystemPrompt,
	responseFormat,
	wantsJson,
	systemPrompt,
} from './responseFormat';

const ALLOWED = { roles: ['user', 'assistant', 'system'], allowsBlocks: false } as const;

const stream = streamField(true);

const noTools = field(
	{
		displayName: "Chat does not support tools. To connect tools, choose 'Generate Message'.",
		name: 'noTools',
		type: 'notice',
		default: '',
	},
	() => undefined,
);

interface Reply {
	completion: Completion;
	/** Null if there is none. */
	text: string | null;
	/** The parsed text, if it is asked for. */
	json: IDataObject[string];
}

export const chat: Operation = {
	value: 'chat',
	name: 'Chat',
	description:
		"Generate the next message of a chat as a stream. Choose this to see the model's reasoning. It does not support tools.",
	action: 'Chat with model',
	asTool: "Generates the next message of a chat, with the model's reasoning, if it shows any",
	fields: [
		noTools,
		model,
		conversation.source,
		conversation.typed,
		conversation.json,
		maxTokens,
		conversation.keepLast,
		systemPrompt,
		stream,
		enableStreaming,
		responseFormat,
		extraBody,
	],
	run: async (item) => {
		const body = readBody(item);
		return await inLiveChat(item, async (sendText) => {
			const reply = await generate(item, {
				path: '/chat/completions',
				body,
				streamed: sendText !== undefined || item.read(stream),
				newAccumulator: () => new CompletionAccumulator(),
				toResult: (completion): Reply => {
					const { message, finish_reason: reason } = completion.choices[0]!;
					const text = contentText(message.content);
					return { completion, text, json: wantsJson(item) ? parseGeneratedJson(text ?? '', reason) : null };
				},
				generatedOf: sendText ? undefined : ({ completion }) => completion,
				onText: sendText,
			});
			return toResult(item, reply);
		});
	},
};

function readBody(item: ItemContext): RequestBody {
	const body = {
		model: item.read(model),
		max_tokens: item.read(maxTokens),
		messages: withSystemPrompt(item, readMessages(item, ALLOWED)),
	} satisfies Partial<Record<keyof ChatRequest, unknown>>;
	return { ...withoutEmpty(body), ...item.read(extraBody) };
}

/** If the option gives no prompt, a system message at the beginning of the conversation is used. */
function withSystemPrompt(item: ItemContext, sent: SentMessage[]): SentMessage[] {
	const system = readSystemPrompt(item);
	if (system === '') return sent;
	const [first, ...others] = sent;
	const isPrompt = first?.role === 'system' && item.read(systemPrompt).trim() === '';
	return isPrompt
		? [{ ...first, content: `${String(first.content)}\n${system}` }, ...others]
		: [{ role: 'system', content: system }, ...sent];
}

function toResult(item: ItemContext, { completion, text, json }: Reply): ItemResult {
	if (!item.read(simplify)) return { json: completion };
	const choice = completion.choices[0]!;
	const [input, output] = tokensOf(completion);
	return {
		json: {
			text,
			...(wantsJson(item) ? { json } : {}),
			reasoning: givenOrNull(choice.message.reasoning_content),
			finish_reason: givenOrNull(choice.finish_reason),
			model: givenOrNull(completion.model),
			id: givenOrNull(completion.id),
			input_tokens: input,
			output_tokens: output,
		},
	};
}
