import type { Credential } from '../client/Credential';

const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** A field of the credential that cannot be used. The message names the field and the rule, and never contains the key. */
export class CredentialError extends Error {
	override readonly name = 'CredentialError';
}

/**
 * Checks the fields of the credential as n8n stores them.
 * @throws CredentialError
 */
export function readCredential(fields: {
	baseUrl?: unknown;
	apiKey?: unknown;
	allowHttp?: unknown;
}): Credential {
	return {
		baseUrl: readBaseUrl(fields.baseUrl, fields.allowHttp === true),
		apiKey: readApiKey(fields.apiKey),
	};
}

function readBaseUrl(value: unknown, allowHttp: boolean): string {
	const refuse = (rule: string) => new CredentialError(`Credential field Base URL (baseUrl) ${rule}`);
	const text = typeof value === 'string' ? value.trim().replace(/\/+$/, '') : '';
	if (text === '') throw refuse('must not be empty');
	const url = parseUrl(text);
	if (!url || !/^https?:\/\//i.test(text)) throw refuse('must be an absolute URL that starts with https://');
	if (url.username !== '' || url.password !== '' || /^https?:\/\/[^/?#]*@/i.test(text)) {
		throw refuse('must not contain a user name or password');
	}
	// `url.search` and `url.hash` are empty for a lone `?` or `#`.
	if (text.includes('?')) throw refuse('must not contain a query (?)');
	if (text.includes('#')) throw refuse('must not contain a fragment (#)');
	if (url.protocol === 'http:' && !allowHttp && !LOOPBACK_HOST.test(url.hostname)) {
		throw refuse(
			`must start with https://, because plain HTTP would send the API key unencrypted to ${url.host}. To allow this, turn on Allow HTTP (allowHttp)`,
		);
	}
	return url.href.replace(/\/+$/, '');
}

function readApiKey(value: unknown): string {
	const text = typeof value === 'string' ? value.trim() : '';
	const refuse = (rule: string) => new CredentialError(`Credential field API Key (apiKey) ${rule}`);
	if (text === '') throw refuse('must not be empty');
	if (!/^[\x21-\x7e]+$/.test(text)) {
		throw refuse('must not contain spaces, line breaks or special characters');
	}
	return text;
}

function parseUrl(text: string): URL | undefined {
	try {
		return new URL(text);
	} catch {
		return undefined;
	}
}
