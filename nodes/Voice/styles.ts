import { isMissing, isRecord, type UnknownFields } from '../../client/values/records';
import { hasErrorMessage, missingError } from '../../client/response/errors';
import type { BadRequestError, Voice, VoiceList } from '../../contract/types';

export const listStyles = { method: 'GET', path: '/audio/voice/list', repeat: 'always' } as const;

/** Describes a list as the service sent it, not validated. */
export type StyleList = UnknownFields<VoiceList & BadRequestError>;

const LIST = 'list of voice styles';

const EMPTY_STYLE = { model: null, customName: null, text: null, uri: null } satisfies Record<
	keyof Voice,
	null
>;

/**
 * Reads the styles of the list, in its order. A field that the service leaves out is null, so that all have the same columns.
 * @throws CallFailure if the response has no list
 */
export function readStyles(body: StyleList): Array<UnknownFields<Voice>> {
	const list = checkStyleList(body);
	const { results } = list;
	if (results === null) return [];
	if (Array.isArray(results) && results.every(isRecord)) {
		return results.map((style) => ({ ...EMPTY_STYLE, ...style }));
	}
	throw missingError(LIST, list);
}

/**
 * Returns the response body unchanged.
 * @throws CallFailure of kind `reported` for an error with status 200
 */
export function checkStyleList(list: StyleList): StyleList {
	if (isMissing(list.results) && hasErrorMessage(list)) throw missingError(LIST, list);
	return list;
}
