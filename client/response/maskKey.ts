const MASK = '*****';

/** A key of fewer characters is not masked, because it could be a part of ordinary words. */
const MIN_KEY_LENGTH = 8;

/**
 * Masks the API key in the text of an error, because the error pages of some proxies repeat the request's headers. Only the key
 * as it is written in the credential is found.
 */
export function maskKey(text: string, apiKey: string): string {
	return apiKey.length < MIN_KEY_LENGTH ? text : text.replaceAll(apiKey, MASK);
}
