import { decodeJsonObject } from '../response/decodeJson';
import { hasErrorMessage, holdsError, reportedError } from '../response/errors';
import { parseJson } from '../response/parseJson';
import { readEvents, type ServerSentEvent } from '../response/readEvents';
import { isRecord } from '../response/records';
import { responseFailure } from '../ServiceError';
import type { ResponseToDecode } from '../Transport';

/**
 * Content types of a response that is not a stream although one was requested. Proxies give streams various other types, or
 * none.
 */
const NO_STREAM = /^\s*(application\/([\w.-]+\+)?json|text\/html)\s*(;|$)/i;

/** Some gateways stream although nobody asked for it: https://github.com/BerriAI/litellm/issues/25766. */
const STREAM = /^\s*text\/event-stream\s*(;|$)/i;

/** Assembles a result from the events of a stream, or from an unstreamed response. */
export interface Accumulator<Result> {
	/** The generated text so far. */
	readonly text: string;
	/** The token usage as far as it has arrived, as the service sent it. */
	readonly usage: unknown;
	/** Whether an event has arrived after which nothing more is needed. */
	readonly isEnded: boolean;
	/**
	 * Takes the data of one event, or an unstreamed response. It skips what it does not know.
	 * @param name of the event, if it has one
	 * @returns the text that it adds
	 * @throws CallFailure of kind `response` when it contradicts what came before
	 */
	push(data: Record<string, unknown>, name?: string): string;
	/**
	 * The result in the shape of an unstreamed response. An unstreamed response is returned exactly as it was pushed.
	 * @throws CallFailure of kind `response` when it is not what was asked for
	 */
	finish(): Result;
}

interface GenerationOptions<Result> {
	accumulator: Accumulator<Result>;
	/** Whether a stream was requested. A JSON response is read as well. */
	streamed: boolean;
}

/**
 * Reads what a model generated, streamed or not.
 * @throws CallFailure of kind `response` for a response that is broken or too large, of kind `reported` for one that reports
 * an error
 */
export async function decodeGenerated<Result>(
	response: ResponseToDecode,
	{ accumulator, streamed }: GenerationOptions<Result>,
): Promise<Result> {
	const push = async (data: Record<string, unknown>, name?: string) => {
		const text = accumulator.push(data, name);
		if (text !== '') await response.onText?.(text);
	};
	const type = response.header('content-type') ?? '';
	if (STREAM.test(type) || (streamed && !NO_STREAM.test(type))) {
		response.onProgress?.();
		for await (const event of readEvents(response.body, () => accumulator.isEnded)) {
			const data = readData(event);
			if (data) await push(data, event.name);
			response.onProgress?.();
		}
	} else {
		const data = await decodeJsonObject(response);
		if (reportsError(data, true)) throw reportedError(JSON.stringify(data));
		await push(data);
	}
	return accumulator.finish();
}

/** Undefined for an event that is skipped. */
function readData({ name, data }: ServerSentEvent): Record<string, unknown> | undefined {
	if (name === 'error') throw reportedError(data);
	const isNamed = name !== undefined && name !== 'message';
	if (data.trim() === '' || (isNamed && !/^\s*\{/.test(data))) return undefined;
	const parsed = parseJson(data);
	if (!parsed.success) {
		throw responseFailure(`The service's stream has an event that is not valid JSON: ${data}`);
	}
	if (!isRecord(parsed.value)) return undefined;
	if (reportsError(parsed.value, !isNamed)) throw reportedError(data);
	return parsed.value;
}

/**
 * Whether an event reports an error. The service document shows no errors within a stream, so any of the usual shapes counts.
 * @param isKnown whether it is a whole response or an event without a name; others may have their own field `message`
 */
function reportsError(body: Record<string, unknown>, isKnown: boolean): boolean {
	const { type, content, choices, code, data } = body;
	const isAnswer = type !== undefined || choices !== undefined || content !== undefined;
	const isError = isKnown || code !== undefined || data !== undefined;
	return holdsError(body) || (!isAnswer && isError && hasErrorMessage(body));
}
