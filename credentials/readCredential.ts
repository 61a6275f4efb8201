import type { Credential } from '../client/Transport';

const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Represents an error in a field of the credential. The message names the field and the rule, and never contains the key. */
export class CredentialError extends Error {
	override readonly name = 'CredentialError';
}

/** Describes the fields of a credential as a person filled them in. */
interface CredentialFields {
	baseUrl?: unknown;
	apiKey?: unknown;
	allowHttp?: unknown;
}

/**
 * Checks the fields of a credential, and returns the normalized base URL and key.
 * @throws CredentialError
 */
export function readCredential(fields: CredentialFields): Credential {
	return { baseUrl: readBaseUrl(fields), apiKey: readApiKey(fields) };
}

function readBaseUrl({ baseUrl, allowHttp }: CredentialFields): string {
	const refuse = (rule: string) => new CredentialError(`Base URL in the credential ${rule}`);
	const text = typeof baseUrl === 'string' ? withoutSlashes(baseUrl.trim()) : '';
	if (text === '') throw refuse('must not be empty');
	if (!URL.canParse(text) || !/^https?:\/\//i.test(text)) {
		throw refuse('must be an absolute URL that starts with https://');
	}
	const url = new URL(text);
	if (url.username !== '' || url.password !== '' || /^https?:\/\/[^/?#]*@/i.test(text)) {
		throw refuse('must not contain a user name or password');
	}
	// `url.search` and `url.hash` are empty for a lone `?` or `#`.
	if (text.includes('?')) throw refuse('must not contain a query (?)');
	if (text.includes('#')) throw refuse('must not contain a fragment (#)');
	if (url.protocol === 'http:' && allowHttp !== true && !LOOPBACK_HOST.test(url.hostname)) {
		throw refuse(
			`must start with https://, because plain HTTP would send the API key unencrypted to ${url.host}. To allow this, turn on Allow HTTP`,
		);
	}
	return withoutSlashes(url.href);
}

function readApiKey({ apiKey }: CredentialFields): string {
	const text = typeof apiKey === 'string' ? apiKey.trim() : '';
	const refuse = (rule: string) => new CredentialError(`API Key in the credential ${rule}`);
	if (text === '') throw refuse('must not be empty');
	if (!/^[\x21-\x7e]+$/.test(text)) {
		throw refuse('must not contain spaces, line breaks or special characters');
	}
	return text;
}

function withoutSlashes(text: string): string {
	let end = text.length;
	while (text[end - 1] === '/') end--;
	return text.slice(0, end);
}
