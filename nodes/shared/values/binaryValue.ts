import type { IBinaryData } from 'n8n-workflow';

/** n8n's combined binary mode keeps the files in this field of an item's JSON. */
export const FILES_IN_JSON = '_files';

/** Returns whether a value is a file in n8n's format. n8n-workflow has such a function only since n8n 2.6 or so. */
export function isBinaryValue(value: unknown): value is IBinaryData {
	return (
		typeof value === 'object' && value !== null && 'mimeType' in value && ('data' in value || 'id' in value)
	);
}
