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
	const decoder = new TextDecoder();
	let text = '';
	for await (const chunk of body) text += decoder.decode(chunk, { stream: true });
	return text + decoder.decode();
}
