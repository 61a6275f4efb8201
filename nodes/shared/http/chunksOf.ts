import type { TransportFailure } from '../../../client/Transport';

/**
 * The chunks of a response's body. To stop reading does not end the response: the signal of its request does.
 * @param read gives the next chunk: that of a web stream's reader, or of another stream's iterator
 * @param toFailure makes the failure to throw of an error of the stream
 */
export function chunksOf(
	read: () => Promise<IteratorResult<Uint8Array, unknown>>,
	toFailure: (error: unknown) => TransportFailure,
): AsyncIterable<Uint8Array> {
	const fail = (error: unknown) => {
		throw toFailure(error);
	};
	return { [Symbol.asyncIterator]: () => ({ next: () => read().catch(fail) }) };
}
