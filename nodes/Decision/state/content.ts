import type { IDataObject } from 'n8n-workflow';

import { isPlainObject } from '../../../client/values/records';
import { isBlank } from '../../shared/text/composed';

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

/** What a webhook receives is in its path, its query and its body. */
const WEBHOOK: KnownItem = {
	marks: ['headers', 'params', 'query', 'body', 'webhookUrl'],
	facts: ['headers', 'webhookUrl', 'executionMode'],
};

const KNOWN_ITEMS = [FORM, CHAT, DATA_TABLE_ROW, AIRTABLE_RECORD, WEBHOOK];

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
	const known = KNOWN_ITEMS.filter((item) => isLike(item, fields)).flatMap(({ facts }) => facts);
	return [...ROW_NAMES, ...(isWithFiles ? FILE_FACTS : []), ...known].filter((name) =>
		Object.hasOwn(fields, name),
	);
}

/** Returns the names of the fields that hold something to judge. */
export function contentsOf(fields: IDataObject, isWithFiles: boolean): string[] {
	const facts = factsIn(fields, isWithFiles);
	return Object.keys(fields).filter((name) => !facts.includes(name) && hasContent(fields[name]));
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

/**
 * Returns the only field with content if it is a list of several objects, each of which was probably to be an item. Objects with a
 * role are the messages of a conversation, which is judged as a whole.
 */
export function onlyListIn(fields: IDataObject): { name: string; entries: number } | undefined {
	const [name, ...others] = contentsOf(fields, false);
	if (name === undefined || others.length > 0) return undefined;
	const list = fields[name];
	if (!Array.isArray(list) || list.length < 2) return undefined;
	const isRow = (entry: unknown) => isPlainObject(entry) && !Object.hasOwn(entry, 'role');
	return list.every(isRow) ? { name, entries: list.length } : undefined;
}

function isLike({ marks }: KnownItem, fields: IDataObject): boolean {
	return marks.every((name) => Object.hasOwn(fields, name));
}
