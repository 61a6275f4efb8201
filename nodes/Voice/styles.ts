import type { IDataObject } from 'n8n-workflow';

import { decodeJsonObject } from '../../client/decodeJsonObject';
import { replyError } from '../../client/replyError';

/** A request for the caller's voice styles. */
export const listStyles = { method: 'GET', path: '/audio/voice/list', repeat: 'always' } as const;

const UNKNOWN = { model: null, customName: null, text: null, uri: null };

/**
 * Reads the styles of a list, in its order.
 * @throws ServiceError of kind `reply` when there is no list
 */
export async function decodeStyles(body: AsyncIterable<Uint8Array>): Promise<IDataObject[]> {
	const { results } = await decodeJsonObject(body);
	if (results === null) return [];
	if (Array.isArray(results)) return results.map((style: unknown) => ({ ...UNKNOWN, ...(style as object) }));
	throw replyError("The service's answer has no list of voice styles");
}
