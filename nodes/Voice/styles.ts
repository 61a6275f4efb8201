import { decodeJsonObject } from '../../client/response/decodeJson';
import type { ResponseToDecode } from '../../client/Transport';
import { isMissing, isRecord, type UnknownFields } from '../../client/values/records';
import { hasErrorMessage, missingError } from '../../client/response/errors';
import type { BadRequestError, Voice, VoiceList } from '../../contract/types';

/** The request for the user's voice styles. */
export const listStyles = { method: 'GET', path: '/audio/voice/list', repeat: 'always' } as const;

const LIST = 'list of voice styles';

const EMPTY_STYLE = { model: null, customName: null, text: null, uri: null } satisfies Record<
	keyof Voice,
	null
>;

/**
 * Reads the styles of the list, in its order. A field that the service leaves out is null, so that all have the same columns.
 * @throws CallFailure if the response has no list
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
 * Reads the response body unchanged.
 * @throws CallFailure of kind `reported` for an error with status 200
 */
export async function decodeStyleList(response: ResponseToDecode): Promise<UnknownFields<VoiceList>> {
	const list = await decodeJsonObject<VoiceList & BadRequestError>(response);
	if (isMissing(list.results) && hasErrorMessage(list)) throw missingError(LIST, list);
	return list;
}
