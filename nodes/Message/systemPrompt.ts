import type { INodeProperties } from 'n8n-workflow';

export const systemPrompt: INodeProperties = {
	displayName: 'System Prompt',
	name: 'system',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
	placeholder: 'e.g. You answer the customers of a bookshop, briefly and politely.',
	description: 'What the model is to know before the conversation: a role, rules, background',
};
