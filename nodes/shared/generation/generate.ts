import {
	decodeGenerated,
	type Accumulator,
	type Generated,
} from '../../../client/generation/decodeGenerated';
import { untilAborted } from '../../../client/time/abort';
import type { RequestBody } from './generationFields';
import type { Caller } from '../service/Caller';
import { tokensOf } from '../service/tokensOf';

/** Describes a request to generate text, and the functions that read its response. */
interface Generation<Wire, Result> {
	path: '/messages' | '/chat/completions';
	body: RequestBody;
	streamed: boolean;
	/** Makes the accumulator of an attempt. Every attempt needs a new one. */
	newAccumulator(): Accumulator<Wire>;
	/**
	 * Makes the result from a complete response.
	 * @param unsafeIntegers the whole numbers in it that lost digits when they were parsed
	 * @throws CallFailure if the response is not what was asked for
	 */
	toResult(generated: Wire, unsafeIntegers: ReadonlySet<number>): Result;
	/** Says whether the answer may be reused, such as by a later run. */
	isReusable?: boolean;
	onText?: (text: string) => Promise<void>;
}

/**
 * Asks the service to generate a message.
 * @throws ServiceError with the text received so far
 */
export async function generate<Wire, Result>(
	caller: Caller,
	{ path, body, streamed, newAccumulator, toResult, isReusable, onText }: Generation<Wire, Result>,
): Promise<Result> {
	let accumulator: Accumulator<Wire> | undefined;
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
		read: (generated: Generated<Wire>) => toResult(generated.result, new Set(generated.unsafeIntegers)),
		// The chat that receives the text may be slow, or never accept it.
		onText: onText && (async (text) => await untilAborted(onText(text), caller.signal)),
		partialText: () => accumulator?.text ?? '',
		reuse: isReusable ? {} : undefined,
	});
	return result;
}
