import type { Accumulator } from '../../../client/Accumulator';
import { decodeCompletion } from '../../../client/decodeCompletion';
import type { Caller } from './Caller';
import type { RequestBody } from '../fields/RequestBody';
import { sumKnown } from '../text/sumKnown';
import { untilAborted } from './untilAborted';

/** What is to be generated, and how its answer is read. */
interface Generation<Answer, Result> {
	path: '/messages' | '/chat/completions';
	body: RequestBody;
	/** Whether to ask the service for a stream. */
	streamed: boolean;
	/** Whether the node has an option that asks for a stream. */
	hasStreamOption?: boolean;
	/** Called for every attempt. */
	newAccumulator(): Accumulator<Answer>;
	/** The tokens that the service counted, null where it does not tell. */
	tokensOf(answer: Answer): Array<number | null>;
	/** Makes the result of the answer. Throws a ServiceError for an answer that is not what was asked for. */
	toResult(answer: Answer): Result;
	/** Receives the text as it arrives. */
	onText?: (text: string) => Promise<void>;
}

/**
 * Asks the service to generate an answer.
 * @throws ServiceError with the text so far
 */
export async function generate<Answer, Result>(
	caller: Caller,
	{
		path,
		body,
		streamed,
		hasStreamOption,
		newAccumulator,
		tokensOf,
		toResult,
		onText,
	}: Generation<Answer, Result>,
): Promise<Result> {
	let accumulator: Accumulator<Answer> | undefined;
	let tokens: number | undefined;
	const { result } = await caller.call({
		method: 'POST',
		path,
		json: streamed ? { ...body, stream: true } : body,
		repeat: 'unless-timed-out',
		couldStream: !streamed && hasStreamOption,
		decode: async (response) => {
			accumulator = newAccumulator();
			const answer = await decodeCompletion(response, { accumulator, streamed });
			tokens = sumKnown(tokensOf(answer)) ?? undefined;
			return toResult(answer);
		},
		// A chat may be slow to take a piece, or never do.
		onText: onText && (async (text) => await untilAborted(onText(text), caller.signal)),
		partialText: () => accumulator?.text ?? '',
		tokensOf: () => tokens,
	});
	return result;
}
