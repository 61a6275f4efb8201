import type { IDataObject } from 'n8n-workflow';

import { decodeJsonObject } from '../../client/decodeJson';
import type { ResponseToDecode } from '../../client/Decoder';
import { isRecord } from '../../client/isRecord';
import { missingError } from '../../client/reportedError';

/** A request for the caller's voice styles. */
export const listStyles = { method: 'GET', path: '/audio/voice/list', repeat: 'always' } as const;

const LIST = 'list of voice styles';

const UNKNOWN = { model: null, customName: null, text: null, uri: null };

/**
 * Reads the styles of a list, in its order.
 * @throws ServiceError of kind `response` when there is no list
 */
export async function decodeStyles(response: ResponseToDecode): Promise<IDataObject[]> {
	const list = await decodeStyleList(response);
	const { results } = list;
	if (results === null) return [];
	if (Array.isArray(results) && results.every(isRecord)) {
		return results.map((style) => ({ ...UNKNOWN, ...style }));
	}
	throw missingError(LIST, list);
}

/**
 * Reads a list of styles as it came.
 * @throws ServiceError of kind `reported` for an error in its place
 */
export async function decodeStyleList(response: ResponseToDecode): Promise<Record<string, unknown>> {
	const list = await decodeJsonObject(response);
	if (list.results === undefined && typeof list.message === 'string') throw missingError(LIST, list);
	return list;
}
