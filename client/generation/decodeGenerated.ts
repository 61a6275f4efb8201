import { decodeText, readJsonObject } from '../response/decodeJson';
import { hasErrorMessage, holdsError, reportedError } from '../response/errors';
import { parseJson } from '../values/parseJson';
import { readEvents, type ServerSentEvent, type StreamEnd } from '../response/readEvents';
import { isEmpty, isMissing, isRecord } from '../values/records';
import { unsafeIntegersIn } from '../values/unsafeIntegers';
import { responseFailure } from '../ServiceError';
import type { ResponseToDecode } from '../Transport';

/**
 * A response with one of these content types is no stream, although one was requested. All other types count as a stream, because
 * proxies give streams various types, or none.
 */
const NO_STREAM = /^\s*(application\/([\w.-]+\+)?json|text\/html)\s*(;|$)/i;

/** Some gateways stream although nobody asked for it: https://github.com/BerriAI/litellm/issues/25766. */
const STREAM = /^\s*text\/event-stream\s*(;|$)/i;

/** Assembles a result from the events of a stream, or from an unstreamed response. */
export interface Accumulator<Result> extends StreamEnd {
	readonly text: string;
	/** Holds the token usage so far, in the service's format. */
	readonly usage: unknown;
	/** Holds the JSON texts that came in pieces and that `finish` parses. */
	readonly jsonTexts?: Iterable<string>;
	/**
	 * Takes the data of one event, or an unstreamed response. Unknown events are skipped.
	 * @param name the event's name, if it has one
	 * @returns the text that the event adds
	 * @throws CallFailure of kind `response` for an event that contradicts the earlier ones
	 */
	push(data: Record<string, unknown>, name?: string): string;
	/**
	 * Returns the result in the shape of an unstreamed response. A response that was not streamed is returned unchanged.
	 * @throws CallFailure of kind `response` for a result that is not what was asked for
	 */
	finish(): Result;
}

/** Holds a generated result, in plain data that JSON can hold. */
export interface Generated<Result> {
	result: Result;
	/** Holds the whole numbers of the response whose last digits were lost, as they are in the result. */
	unsafeIntegers: number[];
}

interface GenerationOptions<Result> {
	accumulator: Accumulator<Result>;
	/** Says whether a stream was requested. A JSON response is accepted too. */
	streamed: boolean;
}

/**
 * Reads a generated response, streamed or not.
 * @throws CallFailure of kind `response` or `broken` for a response that cannot be read, of kind `reported` for one that reports
 * an error
 */
export async function decodeGenerated<Result>(
	response: ResponseToDecode,
	{ accumulator, streamed }: GenerationOptions<Result>,
): Promise<Generated<Result>> {
	const unsafeIntegers = new Set<number>();
	const noteUnsafe = (json: string) => {
		for (const text of unsafeIntegersIn(json)) unsafeIntegers.add(Number(text));
	};
	const push = async (data: Record<string, unknown>, name?: string) => {
		const text = accumulator.push(data, name);
		if (text !== '') await response.onText?.(text);
	};
	const type = response.header('content-type') ?? '';
	if (STREAM.test(type) || (streamed && !NO_STREAM.test(type))) {
		response.onProgress?.();
		for await (const event of readEvents(response.body, accumulator)) {
			const data = readData(event);
			if (data) {
				noteUnsafe(event.data);
				await push(data, event.name);
			}
			response.onProgress?.();
		}
	} else {
		const text = await decodeText(response);
		const data = readJsonObject(text);
		if (isErrorBody(data)) throw reportedError(JSON.stringify(data));
		noteUnsafe(text);
		await push(data);
	}
	const result = accumulator.finish();
	for (const json of accumulator.jsonTexts ?? []) noteUnsafe(json);
	return { result, unsafeIntegers: [...unsafeIntegers] };
}

/**
 * Parses the data of an event. It returns undefined for an event to skip.
 * @throws CallFailure of kind `response` for data that is not JSON, of kind `reported` for an error
 */
function readData({ name, data }: ServerSentEvent): Record<string, unknown> | undefined {
	if (name === 'error') throw reportedError(data);
	const isNamed = name !== undefined && name !== 'message';
	if (data.trim() === '' || (isNamed && !/^\s*\{/.test(data))) return undefined;
	const parsed = parseJson(data);
	if (!parsed.success) {
		throw responseFailure(`The service's stream has an event that is not valid JSON: ${data}`);
	}
	if (!isRecord(parsed.value)) return undefined;
	if (isErrorEvent(parsed.value, isNamed)) throw reportedError(data);
	return parsed.value;
}

/**
 * Returns whether a body reports an error, of any usual shape. An error may have the fields of an answer too, but without values.
 */
function isErrorBody(body: Record<string, unknown>): boolean {
	const isAnswer = !isEmpty(body.choices) || !isMissing(body.content);
	return holdsError(body) || (!isAnswer && hasErrorMessage(body));
}

/**
 * Returns whether an event of a stream reports an error. The service's document shows no errors within a stream, so all usual
 * shapes count. But an event with a type, a name or the fields of a chunk may have a `message` that is no error. Without a type,
 * it is one if it has a `code` too, like the service's own errors.
 */
function isErrorEvent(event: Record<string, unknown>, isNamed: boolean): boolean {
	const { type, code, message, id, object, choices } = event;
	const isError = code !== undefined && message !== undefined;
	const isOther = isNamed || [id, object, choices].some((value) => !isMissing(value));
	return !isMissing(type) || (isOther && !isError) ? holdsError(event) : isErrorBody(event);
}
