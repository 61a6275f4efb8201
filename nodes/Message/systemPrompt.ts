import { option, textField } from '../shared/fields/Field';

export const systemPrompt = option(
	textField({
		displayName: 'System Prompt',
		name: 'system',
		typeOptions: { rows: 3 },
		placeholder: 'e.g. You answer the customers of a bookshop, briefly and politely.',
		description: 'What the model should know before the conversation: a role, rules, background',
	}),
);
