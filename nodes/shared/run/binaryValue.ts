import type { IBinaryData } from 'n8n-workflow';

/** Where n8n's combined binary mode keeps an item's files in its JSON. */
export const FILES_IN_JSON = '_files';

/** Whether a value is a file as n8n keeps it. n8n-workflow has this too, from n8n 2.6 or so. */
export function isBinaryValue(value: unknown): value is IBinaryData {
	return (
		typeof value === 'object' && value !== null && 'mimeType' in value && ('data' in value || 'id' in value)
	);
}
