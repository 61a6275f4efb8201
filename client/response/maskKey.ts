const MASK = '*****';

/** A shorter key would be found in ordinary words. */
const MIN_KEY_LENGTH = 8;

/**
 * Masks the key in a text for an error: proxies repeat the headers of a request on their error pages. It is looked for as it is
 * written in the credential.
 */
export function maskKey(text: string, apiKey: string): string {
	return apiKey.length < MIN_KEY_LENGTH ? text : text.replaceAll(apiKey, MASK);
}
