import { decodeJson } from './decodeJson';
import { isRecord } from './isRecord';
import { replyError } from './replyError';

/**
 * Reads a body as UTF-8 JSON that is an object.
 * @throws ServiceError of kind `reply` when it is not
 */
export async function decodeJsonObject(body: AsyncIterable<Uint8Array>): Promise<Record<string, unknown>> {
	const value = await decodeJson(body);
	if (isRecord(value)) return value;
	throw replyError("The service's answer is not a JSON object");
}
