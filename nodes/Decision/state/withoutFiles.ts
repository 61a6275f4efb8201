import type { IDataObject } from 'n8n-workflow';

import { FILES_IN_JSON, isBinaryValue } from '../../shared/run/binaryValue';

/**
 * n8n's combined binary mode keeps an item's files in its JSON: as references under `_files`, and wherever a workflow has
 * copied a reference. A file's metadata from an API also has `id` and `mimeType`, but no storage mode in the ID.
 */
export function withoutFiles(json: IDataObject): IDataObject {
	const { [FILES_IN_JSON]: files, ...others } = json;
	const onlyFiles = isPlainObject(files) && Object.values(files).every(isBinaryValue);
	const fields = onlyFiles ? others : json;
	// Copying takes several times as long as this check.
	return holdsFile(fields) ? (prune(fields) as IDataObject) : fields;
}

function holdsFile(value: unknown): boolean {
	if (!Array.isArray(value) && !isPlainObject(value)) return false;
	return Object.values(value).some((entry) => isFileReference(entry) || holdsFile(entry));
}

function prune(value: unknown): unknown {
	if (Array.isArray(value)) return value.filter((entry) => !isFileReference(entry)).map(prune);
	if (!isPlainObject(value)) return value;
	const kept = Object.entries(value).filter(([, entry]) => !isFileReference(entry));
	return Object.fromEntries(kept.map(([name, entry]) => [name, prune(entry)]));
}

function isFileReference(value: unknown): boolean {
	if (!isBinaryValue(value) || typeof value.data !== 'string') return false;
	// A stored file's `data` is the name of its storage, and its ID begins with it. Without an ID, it is the content itself.
	return value.id === undefined
		? 'fileExtension' in value || 'fileType' in value
		: typeof value.id === 'string' && value.id.startsWith(`${value.data}:`);
}

/** A date is not a plain object: it has its own text form. */
function isPlainObject(value: unknown): value is object {
	return Object.prototype.toString.call(value) === '[object Object]' && !('toJSON' in (value as object));
}
