import { decodeGenerated, type Accumulator } from '../../../client/generation/decodeGenerated';
import { untilAborted } from '../../../client/time/abort';
import type { RequestBody } from './generationFields';
import type { Caller } from '../service/Caller';
import { tokensOf } from '../service/tokensOf';

/** Describes a request to generate text, and the functions that read its response. */
interface Generation<Generated, Result> {
	path: '/messages' | '/chat/completions';
	body: RequestBody;
	/** Says whether to ask the service for a stream. */
	streamed: boolean;
	/** Makes the accumulator of an attempt. Every attempt needs a new one. */
	newAccumulator(): Accumulator<Generated>;
	/**
	 * Makes the result from a complete response.
	 * @throws CallFailure if the response is not what was asked for
	 */
	toResult(generated: Generated): Result;
	/** Says whether the answer may be reused, such as by a later run. */
	isReusable?: boolean;
	/** Receives the text as it arrives. */
	onText?: (text: string) => Promise<void>;
}

/**
 * Asks the service to generate a message.
 * @throws ServiceError with the text received so far
 */
export async function generate<Generated, Result>(
	caller: Caller,
	{ path, body, streamed, newAccumulator, toResult, isReusable, onText }: Generation<Generated, Result>,
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
			const received = newAccumulator();
			accumulator = received;
			let isWhole = false;
			try {
				const generated = await decodeGenerated(response, { accumulator: received, streamed });
				isWhole = true;
				return generated;
			} finally {
				// A response that cannot be used is billed too, so its tokens count.
				if (isWhole || received.usage !== undefined) caller.countTokens?.(...tokensOf(received));
			}
		},
		read: (generated: Generated) => toResult(generated),
		// The chat that receives the text may be slow, or never accept it.
		onText: onText && (async (text) => await untilAborted(onText(text), caller.signal)),
		partialText: () => accumulator?.text ?? '',
		reuse: isReusable ? {} : undefined,
	});
	return result;
}
