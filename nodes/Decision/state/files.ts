import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { isPlainObject } from '../../../client/values/records';
import { hasSentence } from '../../shared/text/sentence';
import { FILES_IN_JSON, isBinaryValue } from '../../shared/values/binaryValue';

/** The Form Trigger puts these fields into the JSON for an uploaded file, which itself is beside the JSON. */
const UPLOAD_NAMES = ['filename', 'mimetype', 'size'];

/** The Chat Trigger describes a file by these fields, of which the first one names the file beside the JSON. */
const CHAT_FILE_NAMES = ['binaryKey', 'mimeType'];

interface FieldsWithoutFiles {
	fields: IDataObject;
	/** Holds the names of the fields that are or contain a file. */
	fileFields: string[];
}

/** Returns whether an item has files, beside its JSON or, in n8n's combined binary mode, within it. */
export function hasFiles(item: INodeExecutionData): boolean {
	return filesOf(item).length > 0;
}

/** Returns the names of an item's files, as far as they have one. */
export function fileNamesOf(item: INodeExecutionData): string[] {
	return filesOf(item).flatMap((file) => (isBinaryValue(file) ? (file.fileName ?? []) : []));
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

function filesOf({ binary, json }: INodeExecutionData): unknown[] {
	const { [FILES_IN_JSON]: files } = json;
	return [binary, isFileList(files) ? files : {}].flatMap((list) => Object.values(list ?? {}));
}

/**
 * Removes references to files from JSON. n8n's combined binary mode keeps an item's files under `_files`, and a workflow may have
 * copied such a reference anywhere. The Form Trigger describes an upload that is beside the JSON.
 * @param besideFiles whether the item has files, so that a description of an upload is a reference too
 */
export function withoutFiles(json: IDataObject, besideFiles: boolean): FieldsWithoutFiles {
	const { [FILES_IN_JSON]: files, ...others } = json;
	const [fields, listed] = isFileList(files) ? [others, [FILES_IN_JSON]] : [json, []];
	const isReference = (value: unknown) => isFileReference(value) || (besideFiles && isUpload(value));
	// The check avoids a copy of most items, which would take several times as long.
	if (!holds(fields, isReference)) return { fields, fileFields: listed };
	const kept = prune(fields, isReference) as IDataObject;
	const changed = Object.keys(fields).filter((name) => kept[name] !== fields[name]);
	return { fields: kept, fileFields: [...changed, ...listed] };
}

function isFileList(value: unknown): value is object {
	return isPlainObject(value) && Object.values(value).every(isBinaryValue);
}

function holds(value: unknown, isReference: (value: unknown) => boolean): boolean {
	if (!Array.isArray(value) && !isPlainObject(value)) return false;
	return Object.values(value).some((entry) => isReference(entry) || holds(entry, isReference));
}

/** Returns the value without its references. A part that has none stays the same object. */
function prune(value: unknown, isReference: (value: unknown) => boolean): unknown {
	if (!holds(value, isReference)) return value;
	const kept = Object.entries(value as object)
		.filter(([, entry]) => !isReference(entry))
		.map(([name, entry]) => [name, prune(entry, isReference)] as const);
	return Array.isArray(value) ? kept.map(([, entry]) => entry) : Object.fromEntries(kept);
}

function isFileReference(value: unknown): boolean {
	if (!isBinaryValue(value) || typeof value.data !== 'string') return false;
	// In a stored file, `data` names the storage, and the ID begins with that name. In other files, `data` is the content. A file's
	// metadata from some API may also have `id` and `mimeType`, but not such an ID.
	return value.id === undefined
		? 'fileExtension' in value || 'fileType' in value
		: typeof value.id === 'string' && value.id.startsWith(`${value.data}:`);
}

function isUpload(value: unknown): boolean {
	if (!isPlainObject(value)) return false;
	if (CHAT_FILE_NAMES.every((name) => name in value)) return true;
	return Object.keys(value).length === UPLOAD_NAMES.length && UPLOAD_NAMES.every((name) => name in value);
}
