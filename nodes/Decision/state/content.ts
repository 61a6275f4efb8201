import type { IDataObject } from 'n8n-workflow';

import { isPlainObject } from '../../../client/values/records';
import { isBlank } from '../../shared/text/composed';
import { hasSentence } from '../../shared/text/sentence';

/** Describes an item as one of n8n's nodes makes it. */
interface KnownItem {
	/** An item is known by these fields if it has all of them. */
	marks: string[];
	/** n8n itself fills in these fields, and they are nothing to judge. */
	facts: string[];
}

const FORM: KnownItem = {
	marks: ['submittedAt', 'formMode'],
	facts: ['submittedAt', 'formMode', 'formQueryParameters'],
};

const CHAT: KnownItem = { marks: ['chatInput', 'sessionId', 'action'], facts: ['sessionId', 'action'] };

const DATA_TABLE_ROW: KnownItem = {
	marks: ['id', 'createdAt', 'updatedAt'],
	facts: ['id', 'createdAt', 'updatedAt'],
};

const AIRTABLE_RECORD: KnownItem = { marks: ['id', 'createdTime'], facts: ['id', 'createdTime'] };

/** "Extract from File" gives these fields of a PDF. Without text, it is most likely a scan. */
const PDF: KnownItem = {
	marks: ['numpages', 'numrender', 'info', 'metadata', 'version'],
	facts: ['numpages', 'numrender', 'info', 'metadata', 'version'],
};

/** What a webhook receives is in its path, its query and its body. */
const WEBHOOK: KnownItem = {
	marks: ['headers', 'params', 'query', 'body', 'webhookUrl'],
	facts: ['headers', 'webhookUrl', 'executionMode'],
};

/** "HTTP Request" gives these fields with a whole response. */
const FULL_RESPONSE = { marks: ['statusCode', 'statusMessage', 'headers'] };

const KNOWN_ITEMS = [FORM, CHAT, DATA_TABLE_ROW, AIRTABLE_RECORD, PDF, WEBHOOK];

/** A Telegram Trigger gives a message in one of these fields. */
const TELEGRAM_MESSAGES = ['message', 'edited_message', 'channel_post', 'edited_channel_post'];

/** In these fields of it, Telegram describes a file. What else the message has is who sent it, and when. */
const TELEGRAM_FILES = ['voice', 'audio', 'photo', 'video', 'video_note', 'document', 'sticker', 'animation'];

/** In these fields, "Read Files from Disk" describes a file. Without a file, they are fields like any other. */
const FILE_FACTS = ['mimeType', 'fileType', 'fileName', 'fileExtension', 'fileSize'];

/**
 * Beside a list, these fields say which part of a longer list an API has given. They are nothing that a person asks about. Their names are
 * in lower case, with nothing but letters.
 */
const PAGE_FACTS = new Set([
	...['count', 'total', 'totalcount', 'page', 'pages', 'pagecount', 'totalpages', 'perpage', 'pagesize'],
	...['limit', 'offset', 'startat', 'maxresults', 'islast', 'hasmore', 'hasnext', 'hasnextpage'],
	...['next', 'previous', 'prev', 'cursor', 'nextcursor', 'nextpage', 'nextpagetoken'],
	...['paging', 'pagination', 'pageinfo', 'meta', 'links', 'success', 'ok'],
	...['odatacontext', 'odatacount', 'odatanextlink'],
]);

/** Describes an email of which one of n8n's nodes gives only the beginning, unless a person asks it for more. */
interface ShortenedEmail {
	/** An email of this kind has all of these fields, and none of `wholes`. */
	marks: string[];
	/** This field holds no more than the beginning of the text. */
	beginning: string;
	/** These fields hold the whole text, if the node gives it. */
	wholes: string[];
	/** A beginning of fewer characters is the whole text of its email. */
	minChars: number;
}

/** Gmail documents no length of its snippets, which are cut at 100 to 200 characters. */
const GMAIL: ShortenedEmail = {
	marks: ['threadId', 'snippet'],
	beginning: 'snippet',
	wholes: ['text', 'html', 'textAsHtml', 'textPlain', 'textHtml'],
	minChars: 100,
};

/** Microsoft Graph gives the first 255 characters, of which blank ones at the end are missing. */
const OUTLOOK: ShortenedEmail = {
	marks: ['conversationId', 'bodyPreview'],
	beginning: 'bodyPreview',
	wholes: ['body', 'uniqueBody'],
	minChars: 240,
};

const SHORTENED_EMAILS = [GMAIL, OUTLOOK];

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
	const known = KNOWN_ITEMS.filter((item) => isLike(item, fields)).flatMap(({ facts }) => facts);
	return [...ROW_NAMES, ...(isWithFiles ? FILE_FACTS : []), ...known].filter((name) =>
		Object.hasOwn(fields, name),
	);
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

/** Returns whether a value is or contains more than null, blank text, and empty lists and objects. */
export function hasContent(value: unknown): boolean {
	if (Array.isArray(value) || isPlainObject(value)) return Object.values(value).some(hasContent);
	return !isBlank(value);
}

/** Returns whether these fields are those of a webhook, with the headers of its request. */
export function hasHeaders(fields: IDataObject): boolean {
	return isLike(WEBHOOK, fields) && hasContent(fields.headers);
}

/** Describes a list of objects that is all that an item holds. */
interface OnlyList {
	name: string;
	entries: number;
	/** Says whether the item tells that it is a page of a longer list. */
	isPage: boolean;
}

/**
 * Returns the only field with content if it is a list of several objects, each of which was probably to be an item. It may stand within
 * other objects, and beside what an API says of its pages. Objects with a role are the messages of a conversation, which is judged as a
 * whole.
 */
export function onlyListIn(fields: IDataObject): OnlyList | undefined {
	let name: string | undefined;
	let isPage = false;
	for (const one of contentsOf(fields, false)) {
		if (PAGE_FACTS.has(one.toLowerCase().replace(/[^a-z]/g, ''))) isPage = true;
		else if (name === undefined) name = one;
		else return undefined;
	}
	if (name === undefined) return undefined;
	const value = fields[name];
	if (isPlainObject(value)) {
		const inner = onlyListIn(value as IDataObject);
		return inner && { ...inner, name: `${name}.${inner.name}`, isPage: isPage || inner.isPage };
	}
	if (!Array.isArray(value) || value.length < 2) return undefined;
	const isRow = (entry: unknown) => isPlainObject(entry) && !Object.hasOwn(entry, 'role');
	return value.every(isRow) ? { name, entries: value.length, isPage } : undefined;
}

/** Returns whether these fields are those of a response with an error status, as "HTTP Request" gives it if it never fails. */
export function isFailedResponse(fields: IDataObject): boolean {
	const { statusCode } = fields;
	return isLike(FULL_RESPONSE, fields) && typeof statusCode === 'number' && statusCode >= 400;
}

/** Returns the field with a message of Telegram that is nothing but a file, such as a voice message. */
export function telegramFileIn(fields: IDataObject): string | undefined {
	if (!Object.hasOwn(fields, 'update_id')) return undefined;
	return TELEGRAM_MESSAGES.find((name) => {
		const message = fields[name];
		if (!isPlainObject(message)) return false;
		const { text, caption } = message as IDataObject;
		return (
			!hasContent(text) && !hasContent(caption) && TELEGRAM_FILES.some((file) => Object.hasOwn(message, file))
		);
	});
}

/** Returns the field with the beginning of an email, if that is probably all that the item has of its text. */
export function beginningOfEmail(fields: IDataObject): string | undefined {
	const email = SHORTENED_EMAILS.find((one) => isLike(one, fields));
	if (!email || email.wholes.some((name) => hasContent(fields[name]))) return undefined;
	const { beginning, minChars } = email;
	return String(fields[beginning]).length >= minChars ? beginning : undefined;
}

/**
 * Returns the field with the name or the path of one of the item's files, if the item has no text beside it, which an earlier node may
 * have read from the file.
 */
export function nameOfFile(fields: IDataObject, fileNames: string[]): string | undefined {
	const isName = ([field, value]: [string, unknown]) =>
		typeof value === 'string' &&
		value !== '' &&
		fileNames.some((name) => value === name || value.endsWith(`/${name}`) || isOfDrive(field, value, name));
	const found = Object.entries(fields).find(isName);
	const others = Object.entries(fields).filter((entry) => !isName(entry));
	return others.some(([, value]) => hasSentence(value)) ? undefined : found?.[0];
}

/** A document of Google Drive has no extension, which its file gets when it is converted. */
function isOfDrive(field: string, value: string, fileName: string): boolean {
	return field === 'name' && fileName.replace(/\.\w+$/, '') === value;
}

function isLike({ marks }: Pick<KnownItem, 'marks'>, fields: IDataObject): boolean {
	return marks.every((name) => Object.hasOwn(fields, name));
}
