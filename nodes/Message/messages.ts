import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { parseJson } from '../../client/values/parseJson';
import { isRecord } from '../../client/values/records';
import {
	checkGiven,
	decisive,
	sentIfKept,
	sentJson,
	TO_READ,
	TO_READ_WITH_TOOLS,
} from '../shared/fields/expressionRules';
import {
	describeOnlyEmptyExpressions,
	EMPTY_EXPRESSIONS_ADVICE,
	hasExpressions,
	hasOnlyEmptyExpressions,
	isExpression,
	splitAtExpressions,
} from '../shared/fields/expressionText';
import {
	describeValue,
	entriesField,
	field,
	integerField,
	subjectOf,
	option,
	optionsField,
	orDefault,
	shownIf,
	toText,
	type ValuesOf,
} from '../shared/fields/Field';
import type { ItemContext } from '../shared/context/ItemContext';
import { MAX_MESSAGES } from '../shared/generation/generationFields';
import { ParameterError } from '../shared/fields/ParameterError';
import { isBlank } from '../shared/text/composed';
import { noteFixedText, notePlaceholders, placeholdersIn } from '../shared/context/sentNotes';

type Role = 'user' | 'assistant' | 'system';

/** Describes a message as it is sent, with any further fields that it has in Messages (JSON). */
export type SentMessage = Record<string, unknown> & {
	role: Role;
	content: string | Array<Record<string, unknown>>;
};

export interface ConversationRules {
	roles: readonly Role[];
	/** If this is undefined, the number of messages has no limit. */
	maxMessages?: number;
	/** Says whether the content of a message may be a list of blocks instead of a text. */
	allowsBlocks: boolean;
	/** Says whether the model can use tools, such as to follow a link. */
	hasTools: boolean;
}

const ROLES: Array<INodePropertyOptions & { value: Role }> = [
	{
		name: 'Assistant',
		value: 'assistant',
		description: "What the model said earlier. 'Generate Message' continues it if it comes last.",
	},
	{
		name: 'System',
		value: 'system',
		description: "How the model should behave; with 'Generate Message', use the option 'System Prompt'",
		displayOptions: { show: { '/operation': ['chat'] } },
	},
	{ name: 'User', value: 'user', description: 'What the model should reply to' },
];

const ROLE: INodeProperties = {
	displayName: 'Role',
	name: 'role',
	type: 'options',
	options: ROLES,
	default: 'user',
	description: 'Who wrote the message',
};

const source = orDefault(
	optionsField({
		displayName: 'Messages From',
		name: 'messagesSource',
		noDataExpression: true,
		options: [
			// The descriptions warn about switching, because n8n deletes the values of fields that it hides.
			{
				name: 'Fields Below',
				value: 'fields',
				description: 'Messages that you type. Switching clears the JSON.',
			},
			{
				name: 'JSON',
				value: 'json',
				description:
					'A conversation stored elsewhere, such as in a sheet. Switching clears the messages in the fields: copy them first.',
			},
		],
		default: 'fields',
		description: 'Where the conversation comes from',
	}),
);

const json = shownIf(
	checkGiven(
		sentJson({
			displayName: 'Messages (JSON)',
			name: 'messagesJson',
			placeholder: 'e.g. [{ "role": "user", "content": "Hello!" }]',
			description: "The list of messages in the service's format, oldest first",
			// The example is a hint too, because the editor shows no placeholder for JSON parameters.
			hint: 'For example: [{ "role": "user", "content": "Hello!" }]',
		}),
		(value, { stored, subject }) => {
			if (!isExpression(stored) || typeof value !== 'string') return;
			const [written, given] = [parseJson(withMarkers(stored)), parseJson(value)];
			if (!written.success || !given.success || !Array.isArray(written.value)) return;
			const contents = written.value.map((message) => ({
				content: `=${isRecord(message) ? String(plainContent(message.content)) : ''}`,
			}));
			checkLastMessages(contents, given.value, subject);
		},
	),
	[source, 'json'],
);

/** Replaces each expression in JSON text by braces that stay what they are when the JSON is parsed. */
function withMarkers(stored: string): string {
	return splitAtExpressions(stored).literals.join('{{ }}');
}

const keepLast = option(
	decisive(
		integerField({
			displayName: 'Keep Last Messages',
			name: 'keepLastMessages',
			typeOptions: { minValue: 1, numberPrecision: 0 },
			default: MAX_MESSAGES,
			description: `How many of the latest messages to send. System messages at the beginning stay, and do not count. 'Generate Message' accepts up to ${MAX_MESSAGES}.`,
		}),
	),
);

/**
 * This is the content of a message. An expression may give something other than text, which `check` judges, like content in JSON.
 */
const content = sentIfKept(
	field<unknown>(
		{
			displayName: 'Content',
			name: 'content',
			type: 'string',
			typeOptions: { rows: 3 },
			default: '',
			placeholder: 'e.g. Write a friendly answer to this message: …',
			description: 'The text of the message',
		},
		(value, place) =>
			typeof value === 'number' || typeof value === 'boolean' ? toText(value, place) : value,
	),
);

const typed = shownIf(
	checkGiven(
		entriesField(
			{
				displayName: 'Messages',
				name: 'messages',
				typeOptions: {
					multipleValues: true,
					multipleValueButtonText: 'Add Message',
					sortable: true,
					fixedCollection: { itemTitle: '={{ $collection.item.value.role }}' },
				},
				placeholder: 'Add Message',
				default: { message: [{ role: 'user', content: '' }] },
				description: 'The conversation so far, oldest message first',
			},
			{
				displayName: 'Message',
				name: 'message',
				// Roles and contents are checked in `readMessages`, for typed messages and for JSON alike.
				fields: { role: decisive(field(ROLE, (value) => value ?? ROLE.default)), content },
				nameOf: (_, position, { subject }) => `${subject}: message ${position}`,
			},
		),
		(value, { stored, subject }) => {
			if (isRecord(value) && isRecord(stored)) checkLastMessages(stored.message, value.message, subject);
		},
	),
	[source, 'fields'],
);

/**
 * Checks that the message to which the model replies is more than the text around its expressions. If the last messages are those
 * of the assistant, which the model continues, it replies to the one before.
 * @param stored the messages with their expressions not resolved
 * @throws ParameterError
 */
function checkLastMessages(stored: unknown, messages: unknown, subject: string): void {
	if (!Array.isArray(stored) || !Array.isArray(messages)) return;
	const last = messages.findLastIndex((message) => isRecord(message) && message.role !== 'assistant');
	for (let index = Math.max(last, 0); index < messages.length; index++) {
		const [written, message] = [stored[index] as unknown, messages[index] as unknown];
		if (!isRecord(written) || !isRecord(message)) continue;
		if (!hasOnlyEmptyExpressions(written.content, plainContent(message.content))) continue;
		const found =
			subject === subjectOf(json)
				? 'all its expressions are empty'
				: describeOnlyEmptyExpressions(written.content);
		throw new ParameterError(
			`${subject}: message ${index + 1}`,
			`says nothing, because ${found}`,
			EMPTY_EXPRESSIONS_ADVICE,
		);
	}
}

type TypedMessage = NonNullable<ReturnType<typeof typed.parse>>[number];

export const conversation = { source, typed, json, keepLast };

/**
 * Reads the conversation to send, and checks it.
 * @throws ParameterError that names the message
 */
export function checkMessages(
	item: ItemContext,
	{ source: from, typed: entries, json: parsed, keepLast: keep }: ValuesOf<typeof conversation>,
	rules: ConversationRules,
): SentMessage[] {
	const { maxMessages } = rules;
	const [given, all] = from === 'json' ? [json, parsed] : [typed, entries?.map(messageOf)];
	const subject = subjectOf(given);
	if (!Array.isArray(all)) throw new ParameterError(subject, 'must be a list of messages');
	if (all.length === 0) throw new ParameterError(subject, 'must have at least one message');
	const numbered = all.map((message: unknown, index) => ({ message, place: index + 1 }));
	const kept = keep === undefined ? numbered : lastOf(numbered, keep);
	// A system message that does not count would make one message too many, but it is refused itself where the number is limited.
	const checked = kept.map(({ message, place }) => check(message, `${subject}: message ${place}`, rules));
	if (maxMessages !== undefined && kept.length > maxMessages) {
		throw new ParameterError(
			subject,
			`must have at most ${maxMessages} messages, but has ${kept.length}: set ${subjectOf(keepLast)} to ${maxMessages} or fewer to send only the latest ones`,
		);
	}
	const isFixedJson = from === 'json' && !hasExpressions(item.run.parameters.stored(json));
	const contents = checked.map((message) => plainContent(message.content));
	for (const { message, place } of kept) {
		const typedContent = from === 'fields' ? entries![place - 1]!.content : undefined;
		typedContent?.report(rules.hasTools ? TO_READ_WITH_TOOLS : TO_READ);
		if (!isRecord(message)) continue;
		const literals = typedContent?.literals ?? [];
		const isFixed = typedContent ? literals.length === 1 : isFixedJson;
		if (isFixed) noteFixedText(item, plainContent(message.content));
		// A name in single braces may well explain a template to the model.
		else if (message.role !== 'system') notePlaceholders(item, literals.flatMap(placeholdersIn), contents);
	}
	return checked;
}

function messageOf({ role, content: { value } }: TypedMessage): unknown {
	return { role, content: value };
}

/** Returns the last messages, and before them the system messages with which the conversation begins. */
function lastOf<Numbered extends { message: unknown }>(messages: Numbered[], count: number): Numbered[] {
	const start = messages.findIndex(({ message }) => !isRecord(message) || message.role !== 'system');
	const begin = start === -1 ? messages.length : start;
	return [...messages.slice(0, begin), ...messages.slice(begin).slice(-count)];
}

function check(message: unknown, subject: string, { roles, allowsBlocks }: ConversationRules): SentMessage {
	if (!isRecord(message)) throw new ParameterError(subject, 'must be an object with role and content');
	if (!roles.some((role) => role === message.role)) {
		throw new ParameterError(
			subject,
			`must have one of the roles ${roles.join(', ')}, not "${describeValue(message.role)}"`,
			message.role === 'system' ? "Move its text to the option 'System Prompt'." : undefined,
		);
	}
	const { content: said } = message;
	const isText = typeof said === 'string' || said === undefined || said === null;
	const text = allowsBlocks ? plainContent(said) : said;
	if (isBlank(text)) throw new ParameterError(subject, 'must have content');
	const isBlocks = allowsBlocks && Array.isArray(said) && said.length > 0 && said.every(isBlock);
	if (!isText && !isBlocks) {
		const blocks = allowsBlocks ? ' or a list of content blocks, each with its type' : '';
		throw new ParameterError(subject, `must have content that is text${blocks}`);
	}
	return message as SentMessage;
}

/** Returns the text of content that is a list of nothing but texts, and other content unchanged. */
export function plainContent(content: unknown): unknown {
	if (!Array.isArray(content) || content.length === 0 || !content.every(isBlock)) return content;
	const texts = content.map(({ type, text }) =>
		type === 'text' && typeof text === 'string' ? text : undefined,
	);
	return texts.every((text) => text !== undefined) ? texts.join('') : content;
}

function isBlock(value: unknown): value is Record<string, unknown> & { type: string } {
	return isRecord(value) && typeof value.type === 'string';
}
