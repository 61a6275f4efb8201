import type { IDataObject } from 'n8n-workflow';

import { CompletionAccumulator, type Completion } from '../../client/CompletionAccumulator';
import { isRecord } from '../../client/isRecord';
import type { ItemCall } from '../shared/ItemCall';
import type { ItemResult, Operation } from '../shared/Operation';
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
import { enableStreaming, inLiveChat } from './liveChat';
import {
	keepLastMessages,
	messagesBuilder,
	messagesJson,
	messagesSource,
	readMessages,
	type ConversationRules,
} from './messages';
import { parseGeneratedJson, responseFormat, wantsJson } from './responseFormat';
import { systemPrompt } from './systemPrompt';

const RULES: ConversationRules = { roles: ['user', 'assistant', 'system'], allowsBlocks: false };

export const chat: Operation = {
	value: 'chat',
	name: 'Chat',
	description: 'Generate the next message of a chat as a stream, with the reasoning of models that show it',
	action: 'Chat with model',
	fields: [model, messagesSource, messagesBuilder(RULES.roles), messagesJson, maxTokens],
	optionFields: [
		keepLastMessages,
		systemPrompt,
		{ ...stream, default: true },
		enableStreaming,
		responseFormat,
		extraBody,
	],
	run: async (item) => {
		const body = readBody(item);
		return await inLiveChat(item, async (say) => {
			const { completion, json } = await generate(item, {
				path: '/chat/completions',
				body,
				streamed: say !== undefined || item.parameter('options.stream') !== false,
				newAccumulator: () => new CompletionAccumulator(),
				check: (answer) => {
					reportTokens(item.context, ...tokensOf(answer));
					return { completion: answer, json: wantsJson(item) ? readJson(answer) : null };
				},
				onText: say,
			});
			return toResult(item, completion, json);
		});
	},
};

function readBody(item: ItemCall): RequestBody {
	const system = item.text('options.system');
	const messages = readMessages(item, RULES);
	return {
		...readModelAndLimit(item),
		messages: system.trim() === '' ? messages : [{ role: 'system', content: system }, ...messages],
		...readExtraBody(item),
	};
}

function readJson(completion: Completion): IDataObject[string] {
	const { message, finish_reason: finishReason } = completion.choices[0]!;
	return parseGeneratedJson(
		typeof message.content === 'string' ? message.content : '',
		finishReason === 'length',
	);
}

function toResult(item: ItemCall, completion: Completion, json: IDataObject[string]): ItemResult {
	if (!item.boolean('simplify')) return { json: completion as IDataObject };
	const choice = completion.choices[0]!;
	const [input, output] = tokensOf(completion);
	return {
		json: {
			text: fieldOf(choice.message, 'content'),
			...(wantsJson(item) ? { json } : {}),
			reasoning: fieldOf(choice.message, 'reasoning_content'),
			finish_reason: fieldOf(choice, 'finish_reason'),
			model: fieldOf(completion, 'model'),
			id: fieldOf(completion, 'id'),
			input_tokens: input,
			output_tokens: output,
		},
	};
}

function tokensOf({ usage }: Completion): [number | null, number | null] {
	const { prompt_tokens: input, completion_tokens: output } = isRecord(usage) ? usage : {};
	return [numberOrNull(input), numberOrNull(output)];
}
