import type { Accumulator } from './Accumulator';
import { decodeJsonObject } from './decodeJson';
import type { ResponseToDecode } from './Decoder';
import { isRecord } from './isRecord';
import { parseJson } from './parseJson';
import { limitNamedIn, readErrorBody } from './readErrorResponse';
import { readEvents, type ServerSentEvent } from './readEvents';
import { responseError, ServiceError } from './ServiceError';

/** Content types of what is no stream, though one was asked for. Proxies give streams various other types, or none. */
const NO_STREAM = /^\s*(application\/([\w.-]+\+)?json|text\/html)\s*(;|$)/i;

export interface CompletionOptions<Result> {
	accumulator: Accumulator<Result>;
	/** Whether a stream was asked for. A response that is JSON all the same is read as well. */
	streamed: boolean;
	/** Receives the text as it arrives. The next piece waits until the promise is resolved. */
	onText?: (text: string) => Promise<void>;
}

/**
 * Reads what a model generated, streamed or not.
 * @throws ServiceError of kind `response` for a response that is broken, or that reports an error
 */
export async function decodeCompletion<Result>(
	response: ResponseToDecode,
	{ accumulator, streamed, onText }: CompletionOptions<Result>,
): Promise<Result> {
	const push = async (data: Record<string, unknown>, name?: string) => {
		const text = accumulator.push(data, name);
		if (text !== '') await onText?.(text);
	};
	if (streamed && !NO_STREAM.test(response.header('content-type') ?? '')) {
		for await (const event of readEvents(response.body)) {
			const data = readData(event, accumulator.eventNames);
			if (data) await push(data, event.name);
		}
	} else {
		const data = await decodeJsonObject(response);
		if (reportsError(data, true)) throw reportedError(JSON.stringify(data));
		await push(data);
	}
	return accumulator.finish();
}

/** Undefined for an event that is passed over. */
function readData(
	{ name, data }: ServerSentEvent,
	knownNames: readonly string[],
): Record<string, unknown> | undefined {
	const parsed = parseJson(data);
	const record = parsed.success && isRecord(parsed.value) ? parsed.value : undefined;
	const isNeeded = name === undefined || name === 'message' || knownNames.includes(name);
	if (name === 'error' || (record && reportsError(record, isNeeded))) throw reportedError(data);
	if (record || parsed.success || !isNeeded || data.trim() === '') return record;
	throw responseError(`The service's stream holds an event that is not valid JSON: ${data}`);
}

function reportedError(text: string): ServiceError {
	const { message, code } = readErrorBody(text);
	return new ServiceError({
		kind: 'response',
		message: message || 'The service broke the stream off with an error and names no reason',
		code,
		limit: limitNamedIn(message),
	});
}

/**
 * The service document shows no errors within a stream: any of the usual shapes counts.
 * @param isKnown whether it is a whole response or an event of a known kind; others may have a message of their own
 */
function reportsError(data: Record<string, unknown>, isKnown: boolean): boolean {
	const { type, error, message, choices } = data;
	const hasError = isRecord(error) || (typeof error === 'string' && error !== '');
	// The documented body of an error has a message beside a code, data or both, and no result ever has one of its own.
	const isErrorBody =
		typeof message === 'string' &&
		type === undefined &&
		choices === undefined &&
		(isKnown || data.code !== undefined || data.data !== undefined);
	return type === 'error' || hasError || isErrorBody;
}
