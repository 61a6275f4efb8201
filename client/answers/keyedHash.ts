const HMAC = { name: 'HMAC', hash: 'SHA-256' };

const UTF8 = new TextEncoder();

/** One secret for the process, made when it is first needed. */
let secret: Promise<CryptoKey> | undefined;

/** A hash that only this process can compute, so nobody can find the hashed text by guessing. In hexadecimal digits. */
export async function keyedHash(text: string): Promise<string> {
	secret ??= crypto.subtle.importKey('raw', crypto.getRandomValues(new Uint8Array(32)), HMAC, false, [
		'sign',
	]);
	const hash = await crypto.subtle.sign(HMAC, await secret, UTF8.encode(text));
	return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
