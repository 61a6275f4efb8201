import type { TransportFailure } from '../../client/Transport';

/** What the next chunk of a response is read with: that of a web stream's reader, or of another stream's iterator. */
export type ReadChunk = () => Promise<{ done?: boolean; value?: Uint8Array }>;

/**
 * The chunks of a response's body. To stop reading does not end the response: the signal of its request does.
 * @param toFailure makes the failure to throw of an error of the stream
 */
export function chunksOf(
	read: ReadChunk,
	toFailure: (error: unknown) => TransportFailure,
): AsyncIterable<Uint8Array> {
	const next = async (): Promise<IteratorResult<Uint8Array>> => {
		try {
			const { done, value } = await read();
			return done || !value ? { done: true, value: undefined } : { done: false, value };
		} catch (error) {
			throw toFailure(error);
		}
	};
	return { [Symbol.asyncIterator]: () => ({ next }) };
}
