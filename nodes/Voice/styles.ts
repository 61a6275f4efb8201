import type { IDataObject } from 'n8n-workflow';

import { decodeJsonObject } from '../../client/decodeJson';
import type { ResponseToDecode } from '../../client/Decoder';
import { isRecord } from '../../client/isRecord';
import { responseError } from '../../client/ServiceError';

/** A request for the caller's voice styles. */
export const listStyles = { method: 'GET', path: '/audio/voice/list', repeat: 'always' } as const;

const UNKNOWN = { model: null, customName: null, text: null, uri: null };

/**
 * Reads the styles of a list, in its order.
 * @throws ServiceError of kind `response` when there is no list
 */
export async function decodeStyles(response: ResponseToDecode): Promise<IDataObject[]> {
	const { results } = await decodeJsonObject(response);
	if (results === null) return [];
	if (Array.isArray(results) && results.every(isRecord)) {
		return results.map((style) => ({ ...UNKNOWN, ...style }));
	}
	throw responseError("The service's response has no list of voice styles");
}
