import { decodeJsonObject } from '../../client/response/decodeJson';
import type { ResponseToDecode } from '../../client/Transport';
import { isRecord, type UnknownFields } from '../../client/response/records';
import { missingError } from '../../client/response/errors';
import type { BadRequestError, Voice, VoiceList } from '../../contract/types';

/** A request for the caller's voice styles. */
export const listStyles = { method: 'GET', path: '/audio/voice/list', repeat: 'always' } as const;

const LIST = 'list of voice styles';

const EMPTY_STYLE = { model: null, customName: null, text: null, uri: null } satisfies Record<
	keyof Voice,
	null
>;

/**
 * Reads the styles of a list, in its order. All have the same columns.
 * @throws CallFailure of kind `response` when there is no list
 */
export async function decodeStyles(response: ResponseToDecode): Promise<Array<UnknownFields<Voice>>> {
	const list = await decodeStyleList(response);
	const { results } = list;
	if (results === null) return [];
	if (Array.isArray(results) && results.every(isRecord)) {
		return results.map((style) => ({ ...EMPTY_STYLE, ...style }));
	}
	throw missingError(LIST, list);
}

/**
 * Reads a list of styles as it came.
 * @throws CallFailure of kind `reported` for an error in its place
 */
export async function decodeStyleList(response: ResponseToDecode): Promise<UnknownFields<VoiceList>> {
	const list = await decodeJsonObject<VoiceList & BadRequestError>(response);
	if (list.results === undefined && typeof list.message === 'string') throw missingError(LIST, list);
	return list;
}
