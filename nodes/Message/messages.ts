import type { INodeProperties } from 'n8n-workflow';

import { isRecord } from '../../client/isRecord';
import { readList } from '../shared/fieldValues';
import type { ItemCall } from '../shared/ItemCall';
import { ParameterError } from '../shared/ParameterError';
import { readJsonParameter } from './jsonParameter';

export type Role = 'user' | 'assistant' | 'system';

/** One turn of a conversation, with whatever further fields it was given as JSON. */
export type Turn = Record<string, unknown> & { role: Role; content: string | Array<Record<string, unknown>> };

/** What an operation allows in a conversation. */
export interface ConversationRules {
	roles: readonly Role[];
	/** Undefined for no limit. */
	maxMessages?: number;
	/** Whether the content of a message may be a list of blocks instead of a text. */
	allowsBlocks: boolean;
}

/** The most messages of one request to `/messages`. */
export const MAX_MESSAGES = 10;

const ROLE_OPTIONS = [
	{ name: 'Assistant', value: 'assistant', description: 'What the model said before, or is to go on from' },
	{ name: 'System', value: 'system', description: 'How the model is to behave' },
	{ name: 'User', value: 'user', description: 'What the model is to answer' },
];

export const messagesSource: INodeProperties = {
	displayName: 'Messages From',
	name: 'messagesSource',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'Fields Below', value: 'fields' },
		{
			name: 'JSON',
			value: 'json',
			description: 'A conversation kept elsewhere, such as in a sheet or a data table',
		},
	],
	default: 'fields',
	description: 'Where the conversation comes from',
};

export const messagesJson: INodeProperties = {
	displayName: 'Messages (JSON)',
	name: 'messagesJson',
	type: 'json',
	default: '',
	placeholder: 'e.g. [{ "role": "user", "content": "Hello!" }]',
	description: 'The list of messages as the service takes it, the oldest first',
	displayOptions: { show: { messagesSource: ['json'] } },
};

export const keepLastMessages: INodeProperties = {
	displayName: 'Keep Last Messages',
	name: 'keepLastMessages',
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: MAX_MESSAGES,
	description: `How many messages of a long conversation to send, counted from its end. 'Generate Message' takes up to ${MAX_MESSAGES}.`,
};

/** The fields for typing a conversation, with the roles that an operation allows. */
export function messagesBuilder(roles: readonly Role[]): INodeProperties {
	return {
		displayName: 'Messages',
		name: 'messages',
		type: 'fixedCollection',
		typeOptions: {
			multipleValues: true,
			multipleValueButtonText: 'Add Message',
			sortable: true,
			fixedCollection: { itemTitle: '={{ $collection.item.value.role }}' },
		},
		placeholder: 'Add Message',
		default: { message: [{ role: 'user', content: '' }] },
		description: 'The conversation so far, the oldest message first',
		displayOptions: { show: { messagesSource: ['fields'] } },
		options: [
			{
				displayName: 'Message',
				name: 'message',
				values: [
					{
						displayName: 'Role',
						name: 'role',
						type: 'options',
						options: ROLE_OPTIONS.filter(({ value }) => roles.some((role) => role === value)),
						default: 'user',
						description: 'Who says it',
					},
					{
						displayName: 'Content',
						name: 'content',
						type: 'string',
						typeOptions: { rows: 3 },
						default: '',
						placeholder: 'e.g. Write a friendly answer to this message: …',
						description: 'What is said',
					},
				],
			},
		],
	};
}

/**
 * The conversation to send, checked.
 * @throws ParameterError that names the message
 */
export function readMessages(item: ItemCall, rules: ConversationRules): Turn[] {
	const isJson = item.parameter('messagesSource') === 'json';
	const parameter = isJson ? 'messagesJson' : 'messages';
	const all = isJson ? readJsonList(item) : readFields(item);
	if (all.length === 0) throw new ParameterError(parameter, 'must hold at least one message');
	const keep = item.number(
		'options.keepLastMessages',
		{ min: 1, max: Number.MAX_SAFE_INTEGER, integer: true },
		undefined,
	);
	const kept = keep === undefined ? all : all.slice(-keep);
	const { maxMessages } = rules;
	if (maxMessages !== undefined && kept.length > maxMessages) {
		throw new ParameterError(
			parameter,
			`must hold at most ${maxMessages} messages, but holds ${kept.length}: set options.keepLastMessages to ${maxMessages} or less to send only the last ones`,
		);
	}
	const skipped = all.length - kept.length;
	return kept.map((turn, index) => check(turn, `${parameter}: message ${skipped + index + 1}`, rules));
}

function readFields(item: ItemCall): unknown[] {
	return readList(item.parameter('messages.message')).map(({ role, content }) => ({
		role: role ?? 'user',
		content: typeof content === 'number' || typeof content === 'boolean' ? String(content) : content,
	}));
}

function readJsonList(item: ItemCall): unknown[] {
	const value = readJsonParameter(item, 'messagesJson');
	if (value === undefined) throw new ParameterError('messagesJson', 'must not be empty');
	if (!Array.isArray(value)) throw new ParameterError('messagesJson', 'must be a list of messages');
	return value;
}

function check(turn: unknown, name: string, { roles, allowsBlocks }: ConversationRules): Turn {
	if (!isRecord(turn)) throw new ParameterError(name, 'must be an object with role and content');
	if (!roles.some((role) => role === turn.role)) {
		throw new ParameterError(
			name,
			`must have one of the roles ${roles.join(', ')}, not "${String(turn.role)}"`,
		);
	}
	const { content } = turn;
	const isText = typeof content === 'string' || content === undefined || content === null;
	if (isText && (content ?? '').trim() === '') throw new ParameterError(name, 'must have content');
	const isBlocks = allowsBlocks && Array.isArray(content) && content.length > 0 && content.every(isBlock);
	if (!isText && !isBlocks) {
		const blocks = allowsBlocks ? ' or a list of content blocks, each with its type' : '';
		throw new ParameterError(name, `must have content that is a text${blocks}`);
	}
	return turn as Turn;
}

function isBlock(value: unknown): boolean {
	return isRecord(value) && typeof value.type === 'string';
}
