import { decodeCompletion, type Accumulator } from '../../../client/decodeCompletion';
import type { Caller } from './Caller';
import type { RequestBody } from '../fields/generationFields';
import { untilAborted } from '../../../client/untilAborted';

/** What to generate, and how the response is read. */
interface Generation<Generated, Result> {
	path: '/messages' | '/chat/completions';
	body: RequestBody;
	/** Whether to ask the service for a stream. */
	streamed: boolean;
	/** Called for every attempt. */
	newAccumulator(): Accumulator<Generated>;
	/** The tokens that the service counted, null if it does not report them. */
	tokensOf(generated: Generated): [input: number | null, output: number | null];
	/** Makes the result. Throws a ServiceError for what is not what was asked for. */
	toResult(generated: Generated): Result;
	/** Returns what a result was made from, if a later run may reuse it. */
	generatedOf?: ((result: Result) => Generated) | undefined;
	/** Receives the text as it arrives. */
	onText?: (text: string) => Promise<void>;
}

/**
 * Asks the service to generate a message.
 * @throws ServiceError with the text so far
 */
export async function generate<Generated, Result>(
	caller: Caller,
	{
		path,
		body,
		streamed,
		newAccumulator,
		tokensOf,
		toResult,
		generatedOf,
		onText,
	}: Generation<Generated, Result>,
): Promise<Result> {
	let accumulator: Accumulator<Generated> | undefined;
	const { result } = await caller.call({
		method: 'POST',
		path,
		json: streamed ? { ...body, stream: true } : body,
		repeat: 'unless-timed-out',
		effect: 'bill',
		couldStream: !streamed,
		decode: async (response) => {
			accumulator = newAccumulator();
			const generated = await decodeCompletion(response, { accumulator, streamed });
			caller.countTokens?.(...tokensOf(generated));
			return toResult(generated);
		},
		// A chat may accept a piece slowly, or never.
		onText: onText && (async (text) => await untilAborted(onText(text), caller.signal)),
		partialText: () => accumulator?.text ?? '',
		reuse: generatedOf && { bodyOf: generatedOf, read: (body) => toResult(body as Generated) },
	});
	return result;
}
