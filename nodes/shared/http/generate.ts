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
	tokensOf(answer: Answer): [input: number | null, output: number | null];
	/** Makes the result of the answer. Throws a ServiceError for an answer that is not what was asked for. */
	toResult(answer: Answer): Result;
	/** The answer that a result was made of, where a later run may have it. */
	answerOf?: ((result: Result) => Answer) | undefined;
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
		answerOf,
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
		effect: 'bill',
		couldStream: !streamed && hasStreamOption,
		decode: async (response) => {
			accumulator = newAccumulator();
			const answer = await decodeCompletion(response, { accumulator, streamed });
			const counted = tokensOf(answer);
			tokens = sumKnown(counted) ?? undefined;
			caller.countTokens?.(...counted);
			return toResult(answer);
		},
		// A chat may be slow to take a piece, or never do.
		onText: onText && (async (text) => await untilAborted(onText(text), caller.signal)),
		partialText: () => accumulator?.text ?? '',
		tokensOf: () => tokens,
		reuse: answerOf && { bodyOf: answerOf, read: (answer) => toResult(answer as Answer) },
	});
	return result;
}
