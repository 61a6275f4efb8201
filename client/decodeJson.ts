import { parseJson } from './parseJson';
import { replyError } from './replyError';

/**
 * Reads a body as UTF-8 JSON.
 * @throws ServiceError of kind `reply` when it is not JSON
 */
export async function decodeJson(body: AsyncIterable<Uint8Array>): Promise<unknown> {
	const text = await decodeText(body);
	const parsed = parseJson(text);
	if (parsed.problem === undefined) return parsed.value;
	throw replyError(
		text.trim() === '' ? "The service's answer is empty" : `The service's answer is not valid JSON: ${text}`,
	);
}

/** Reads a body as UTF-8 text. */
export async function decodeText(body: AsyncIterable<Uint8Array>): Promise<string> {
	const chunks: Uint8Array[] = [];
	for await (const chunk of body) chunks.push(chunk);
	return UTF8.decode(join(chunks));
}

/** Node decodes a whole text several times as fast as one that comes in pieces. */
const UTF8 = new TextDecoder();

function join(chunks: Uint8Array[]): Uint8Array {
	if (chunks.length === 1) return chunks[0]!;
	const whole = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
	let offset = 0;
	for (const chunk of chunks) {
		whole.set(chunk, offset);
		offset += chunk.length;
	}
	return whole;
}
