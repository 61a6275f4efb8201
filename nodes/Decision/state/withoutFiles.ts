import type { IDataObject } from 'n8n-workflow';

import { FILES_IN_JSON, isBinaryValue } from '../../shared/run/binaryValue';

/**
 * Removes files from JSON. n8n's combined binary mode keeps an item's files there: as references under `_files`, and wherever a
 * workflow has copied a reference.
 */
export function withoutFiles(json: IDataObject): IDataObject {
	const { [FILES_IN_JSON]: files, ...others } = json;
	const onlyFiles = isPlainObject(files) && Object.values(files).every(isBinaryValue);
	const fields = onlyFiles ? others : json;
	// The check avoids a copy of most items, which would take several times as long.
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
	// In a stored file, `data` names the storage, and the ID begins with that name. In other files, `data` is the content. A file's
	// metadata from some API may also have `id` and `mimeType`, but not such an ID.
	return value.id === undefined
		? 'fileExtension' in value || 'fileType' in value
		: typeof value.id === 'string' && value.id.startsWith(`${value.data}:`);
}

/** A date is not a plain object, because it has its own form in JSON. */
function isPlainObject(value: unknown): value is object {
	return Object.prototype.toString.call(value) === '[object Object]' && !('toJSON' in (value as object));
}
