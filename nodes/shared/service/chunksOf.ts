import type { TransportFailure } from '../../../client/Transport';

/**
 * The chunks of a response's body. The response ends not when the reader stops, but when its request's signal aborts.
 * @param read gives the next chunk: that of a web stream's reader, or of another stream's iterator
 * @param toFailure turns an error of the stream into the failure to throw
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
