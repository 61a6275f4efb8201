import type { IDataObject } from 'n8n-workflow';

import { isPlainObject } from '../../../client/values/records';
import { hasContent } from '../text/hasContent';

/** Describes an item as one of n8n's nodes makes it. It is known by its facts and its contents, and has all of them. */
interface KnownItem {
	/** n8n or the app itself fills in these fields, and they are nothing to judge. */
	facts: string[];
	contents: string[];
	/** These are facts too, but not every item of the kind has them. */
	otherFacts?: string[];
	/** Each of these fields may hold a message of a chat, or a list of messages, unless the item itself is a message. */
	messages?: string[] | 'item';
	/** A field that holds no more than the beginning of a text, if the others lack. */
	shortened?: { field: string; wholes: string[]; minChars: number };
}

const FORM: KnownItem = {
	facts: ['submittedAt', 'formMode'],
	contents: [],
	otherFacts: ['formQueryParameters'],
};

const CHAT: KnownItem = { facts: ['sessionId', 'action'], contents: ['chatInput'] };

const DATA_TABLE_ROW: KnownItem = { facts: ['id', 'createdAt', 'updatedAt'], contents: [] };

const AIRTABLE_RECORD: KnownItem = { facts: ['id', 'createdTime'], contents: [] };

/** "Extract from File" gives these fields of a PDF. Without text, it is most likely a scan. */
const PDF: KnownItem = { facts: ['numpages', 'numrender', 'info', 'metadata', 'version'], contents: [] };

/** What a webhook receives is in its path, its query and its body. */
const WEBHOOK: KnownItem = {
	facts: ['headers', 'webhookUrl'],
	contents: ['params', 'query', 'body'],
	otherFacts: ['executionMode'],
};

const TELEGRAM: KnownItem = {
	facts: ['update_id'],
	contents: [],
	messages: ['message', 'edited_message', 'channel_post', 'edited_channel_post'],
};

/** WhatsApp also tells, without a message, that one was delivered or read. n8n's trigger passes that on unless it is told not to. */
const WHATSAPP: KnownItem = {
	facts: ['messaging_product', 'metadata'],
	contents: [],
	otherFacts: ['field', 'contacts', 'statuses'],
	messages: ['messages'],
};

const SLACK: KnownItem = { facts: ['channel', 'event_ts'], contents: ['text'], messages: 'item' };

const DISCORD: KnownItem = { facts: ['channel_id'], contents: ['content', 'attachments'], messages: 'item' };

/** Gmail documents no length of its snippets, which are cut at 100 to 200 characters. */
const GMAIL: KnownItem = {
	facts: ['threadId'],
	contents: ['snippet'],
	shortened: {
		field: 'snippet',
		wholes: ['text', 'html', 'textAsHtml', 'textPlain', 'textHtml'],
		minChars: 100,
	},
};

/** Microsoft Graph gives the first 255 characters, of which blank ones at the end are missing. */
const OUTLOOK: KnownItem = {
	facts: ['conversationId'],
	contents: ['bodyPreview'],
	shortened: { field: 'bodyPreview', wholes: ['body', 'uniqueBody'], minChars: 240 },
};

/** "HTTP Request" gives these fields with a whole response. */
const FULL_RESPONSE: KnownItem = { facts: ['statusCode', 'statusMessage', 'headers'], contents: [] };

const KNOWN_ITEMS = [
	...[FORM, CHAT, DATA_TABLE_ROW, AIRTABLE_RECORD, PDF, WEBHOOK],
	...[TELEGRAM, WHATSAPP, SLACK, DISCORD, GMAIL, OUTLOOK],
];

/** Chats describe a file in these fields of a message. */
const MESSAGE_FILES = [
	...['voice', 'audio', 'photo', 'video', 'video_note', 'document', 'sticker', 'animation'],
	...['image', 'files', 'attachments'],
];

/**
 * The text of a message is in one of these fields. WhatsApp has a caption, and Slack the beginning of a text file, within the file. What
 * bots write is in the last three: Slack calls it attachments, as Discord calls files.
 */
const MESSAGE_TEXTS = ['text', 'caption', 'content', 'preview', 'fallback', 'blocks', 'embeds'];

/** In these fields, "Read Files from Disk" describes a file. Without a file, they are fields like any other. */
const FILE_FACTS = ['mimeType', 'fileType', 'fileName', 'fileExtension', 'fileSize'];

/**
 * n8n adds these fields to the rows of a sheet and of an evaluation. They say where a row stands, and nothing about it, so they are
 * not even sent.
 */
const ROW_NAMES = ['row_number', 'row_id'];

/** Removes the fields by which n8n numbers the rows of a sheet or a data set. */
export function withoutRowNames(fields: IDataObject): IDataObject {
	if (!ROW_NAMES.some((name) => Object.hasOwn(fields, name))) return fields;
	return Object.fromEntries(Object.entries(fields).filter(([name]) => !ROW_NAMES.includes(name)));
}

/**
 * Returns the names of the fields that n8n itself has filled in, so that they are nothing to judge.
 * @param isWithFiles whether the item has files
 */
export function factsIn(fields: IDataObject, isWithFiles: boolean): string[] {
	const known = KNOWN_ITEMS.filter((item) => isLike(item, fields));
	return [
		...ROW_NAMES,
		...(isWithFiles ? FILE_FACTS : []),
		...known.flatMap(({ facts, otherFacts = [] }) => [...facts, ...otherFacts]),
	].filter((name) => Object.hasOwn(fields, name));
}

/**
 * Gives the names of the fields that hold something to judge. Every item is looked at, and the first names often say enough, so they are
 * given one at a time.
 */
export function* contentsOf(fields: IDataObject, isWithFiles: boolean): Generator<string, void, void> {
	const facts = factsIn(fields, isWithFiles);
	for (const name of Object.keys(fields)) {
		if (!facts.includes(name) && hasContent(fields[name])) yield name;
	}
}

/** Returns whether these fields are those of a webhook, with the headers of its request. */
export function hasHeaders(fields: IDataObject): boolean {
	return isLike(WEBHOOK, fields) && hasContent(fields.headers);
}

/** Returns whether these fields are those of a response with an error status, as "HTTP Request" gives it if it never fails. */
export function isFailedResponse(fields: IDataObject): boolean {
	const { statusCode } = fields;
	return isLike(FULL_RESPONSE, fields) && typeof statusCode === 'number' && statusCode >= 400;
}

/** Returns the field of a chat's item that holds nothing but a file, such as a voice message. */
export function fileMessageIn(fields: IDataObject): string | undefined {
	const messages = KNOWN_ITEMS.find((item) => item.messages && isLike(item, fields))?.messages;
	if (messages === 'item') return fileOf(fields);
	return messages?.find((name) => {
		const list = [fields[name] ?? []].flat();
		return list.length > 0 && list.every((message) => fileOf(message) !== undefined);
	});
}

/** Returns the field of a message that describes a file, if the message has no text. What else it has is who sent it, and when. */
function fileOf(message: unknown): string | undefined {
	if (!isPlainObject(message) || hasText(message)) return undefined;
	const fields = message as IDataObject;
	const found = MESSAGE_FILES.filter((name) => hasContent(fields[name]));
	return found.some((name) => [fields[name]].flat().some(hasText)) ? undefined : found[0];
}

function hasText(part: unknown): boolean {
	return isPlainObject(part) && MESSAGE_TEXTS.some((name) => hasContent((part as IDataObject)[name]));
}

/** Returns the field with the beginning of an email, and those with content that have its whole text. */
export function beginningOfEmail(fields: IDataObject): { field: string; wholes: string[] } | undefined {
	const email = KNOWN_ITEMS.find((item) => item.shortened && isLike(item, fields))?.shortened;
	if (!email || String(fields[email.field]).length < email.minChars) return undefined;
	return { field: email.field, wholes: email.wholes.filter((name) => hasContent(fields[name])) };
}

/** These are the style sheets of HTML, if it is split at them: every second piece. */
const STYLE_TAG = /<\/?style\b[^<>]*>/i;

/** Returns the length of a text as a preview shows it, or of the longest text in an object. */
export function lengthOfText(value: unknown): number {
	if (isPlainObject(value)) return Math.max(0, ...Object.values(value).map(lengthOfText));
	const pieces = String(value)
		.split(STYLE_TAG)
		.filter((_, index) => index % 2 === 0);
	return pieces
		.join('')
		.replace(/<[^<>]*>/g, '')
		.trim()
		.replace(/\s+/g, ' ').length;
}

function isLike({ facts, contents }: KnownItem, fields: IDataObject): boolean {
	const has = (name: string) => Object.hasOwn(fields, name);
	return facts.every(has) && contents.every(has);
}
