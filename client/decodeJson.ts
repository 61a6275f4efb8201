import type { ResponseToDecode } from './Decoder';
import { isRecord } from './isRecord';
import { parseJson } from './parseJson';
import { responseError } from './ServiceError';

/** Node decodes a whole text several times as fast as one that comes in pieces. */
const UTF8 = new TextDecoder();

/**
 * Reads a body as UTF-8 JSON.
 * @throws ServiceError of kind `response` when it is not JSON
 */
export async function decodeJson(response: ResponseToDecode): Promise<unknown> {
	const text = await decodeText(response);
	const parsed = parseJson(text);
	if (parsed.success) return parsed.value;
	throw responseError(
		text.trim() === ''
			? "The service's response is empty"
			: `The service's response is not valid JSON: ${text}`,
	);
}

/**
 * Reads a body as UTF-8 JSON that is an object.
 * @throws ServiceError of kind `response` when it is not
 */
export async function decodeJsonObject(response: ResponseToDecode): Promise<Record<string, unknown>> {
	const value = await decodeJson(response);
	if (isRecord(value)) return value;
	throw responseError("The service's response is not a JSON object");
}

/** Reads a body as UTF-8 text. */
export async function decodeText({ body }: ResponseToDecode): Promise<string> {
	const chunks: Uint8Array[] = [];
	for await (const chunk of body) chunks.push(chunk);
	return UTF8.decode(join(chunks));
}

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
