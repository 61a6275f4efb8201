import { looksLikeHtml, reportedErrorIn, textOfHtml } from './errors';
import { parseJson } from '../values/parseJson';
import { isRecord, type UnknownFields } from '../values/records';
import { CallFailure, responseFailure } from '../ServiceError';
import type { ResponseToDecode } from '../Transport';

/**
 * Reads a body as UTF-8 JSON.
 * @throws CallFailure of kind `broken` if it begins like JSON but is not valid, of kind `response` if it is not JSON at all, of
 * kind `reported` if it is an error body
 */
export async function decodeJson(response: ResponseToDecode): Promise<unknown> {
	return readJson(await decodeText(response));
}

function readJson(text: string): unknown {
	const parsed = parseJson(text);
	if (!parsed.success) throw notJson(text);
	const reported = isRecord(parsed.value) ? reportedErrorIn(parsed.value) : undefined;
	if (reported) throw reported;
	return parsed.value;
}

/**
 * Reads a body as UTF-8 JSON that is an object.
 * @throws CallFailure for the reasons of `decodeJson`, and of kind `response` for JSON that is not an object
 */
export async function decodeJsonObject<Wire>(response: ResponseToDecode): Promise<UnknownFields<Wire>> {
	return readJsonObject(await decodeText(response));
}

/**
 * Parses a body that is an object.
 * @throws CallFailure like `decodeJsonObject`
 */
export function readJsonObject<Wire>(text: string): UnknownFields<Wire> {
	const value = readJson(text);
	if (isRecord(value)) return value;
	throw responseFailure("The service's response is not a JSON object");
}

export async function decodeText({ body }: ResponseToDecode): Promise<string> {
	const decoder = new TextDecoder();
	let text = '';
	for await (const chunk of body) text += decoder.decode(chunk, { stream: true });
	return text + decoder.decode();
}

function notJson(text: string): Error {
	if (text.trim() === '') return responseFailure("The service's response is empty");
	const message = `The service's response is not valid JSON: ${looksLikeHtml(text) ? textOfHtml(text) : text}`;
	return /^\s*[[{]/.test(text) ? new CallFailure({ kind: 'broken', message }) : responseFailure(message);
}
