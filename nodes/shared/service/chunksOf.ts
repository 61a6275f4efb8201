import type { TransportFailure } from '../../../client/Transport';

/**
 * Returns the chunks of a response's body. A reader that stops early does not close the response: only an abort of the request's
 * signal does.
 * @param read returns the next chunk, from a web stream's reader or another stream's iterator
 * @param toFailure converts an error of the stream into the failure to throw
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
