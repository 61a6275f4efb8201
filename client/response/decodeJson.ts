import type { ResponseToDecode } from './Decoder';
import { isRecord } from './isRecord';
import { parseResponseJson } from './parseResponseJson';
import { looksLikeHtml, textOfHtml } from './readErrorResponse';
import type { Received } from './Received';
import { reportedErrorIn } from './reportedError';
import { responseError, ServiceError } from '../ServiceError';

/** Node decodes a whole text several times as fast as one in pieces. */
const UTF8 = new TextDecoder();

/**
 * Reads a body as UTF-8 JSON.
 * @throws ServiceError of kind `broken` when it begins like JSON but is not valid, of kind `response` when it is something
 * else, of kind `reported` when it is the service's error body
 */
export async function decodeJson(response: ResponseToDecode): Promise<unknown> {
	const text = await decodeText(response);
	const parsed = parseResponseJson(text);
	if (!parsed.success) throw notJson(text, parsed.problem);
	const reported = isRecord(parsed.value) ? reportedErrorIn(parsed.value) : undefined;
	if (reported) throw reported;
	return parsed.value;
}

/**
 * Reads a body as UTF-8 JSON that is an object.
 * @throws ServiceError as `decodeJson`
 */
export async function decodeJsonObject<Wire>(response: ResponseToDecode): Promise<Received<Wire>> {
	const value = await decodeJson(response);
	if (isRecord(value)) return value;
	throw responseError("The service's response is not a JSON object");
}

export async function decodeText({ body }: ResponseToDecode): Promise<string> {
	let bytes: Uint8Array = new Uint8Array(0);
	let length = 0;
	// Joined as they arrive: a list of very small chunks would take many times the memory of their content.
	for await (const chunk of body) {
		const neededLength = length + chunk.length;
		if (length === 0) bytes = chunk;
		else if (neededLength > bytes.length) {
			const larger = new Uint8Array(2 * neededLength);
			larger.set(bytes);
			bytes = larger;
		}
		bytes.set(chunk, length);
		length = neededLength;
	}
	return UTF8.decode(bytes.subarray(0, length));
}

function notJson(text: string, problem: string): Error {
	if (text.trim() === '') return responseError("The service's response is empty");
	// Problems that begin with "it" are our own. The engine's messages only repeat the beginning of the text.
	if (problem.startsWith('it ')) return responseError(`The service's response was rejected: ${problem}`);
	const message = `The service's response is not valid JSON: ${looksLikeHtml(text) ? textOfHtml(text) : text}`;
	return /^\s*[[{]/.test(text) ? new ServiceError({ kind: 'broken', message }) : responseError(message);
}
