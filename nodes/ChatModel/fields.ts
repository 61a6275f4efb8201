import { decisive } from '../shared/fields/expressionRules';
import { option, optionsField, orDefault, type ValuesOf } from '../shared/fields/Field';
import {
	MAX_MESSAGES,
	maxTokensOption,
	model,
	sampling,
	streamField,
} from '../shared/generation/generationFields';
import { callOptions } from '../shared/fields/sharedFields';

/** Describes what happens to a conversation with more messages than the service accepts. */
export type LongConversations = 'fold' | 'dropOldest' | 'fail';

export const longConversations = option(
	orDefault(
		decisive(
			optionsField<LongConversations>({
				displayName: 'Long Conversations',
				name: 'longConversations',
				options: [
					{ name: 'Drop the Oldest', value: 'dropOldest', description: 'Send only the newest messages' },
					{ name: 'Fail', value: 'fail', description: 'Fail without sending' },
					{
						name: 'Fold the Oldest',
						value: 'fold',
						description: 'Send the oldest messages as a transcript in the first message',
					},
				],
				default: 'fold',
				description: `What happens to a conversation of more than ${MAX_MESSAGES} messages, the maximum that the service accepts`,
			}),
		),
	),
);

export const fields = {
	model,
	maxTokens: maxTokensOption,
	longConversations,
	stream: streamField(false),
	...sampling,
	...callOptions({ timeoutMs: 300_000 }),
};

export type ChatModelSettings = ValuesOf<typeof fields>;
