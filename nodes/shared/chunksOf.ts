import type { TransportFailure } from '../../client/Transport';

/**
 * The chunks of a response's body, which is given up as soon as they are not read on.
 * @param toFailure makes the failure to throw of an error of the body
 */
export async function* chunksOf(
	body: AsyncIterable<Uint8Array> | null,
	toFailure: (error: unknown) => TransportFailure,
): AsyncGenerator<Uint8Array> {
	if (!body) return;
	const iterator = body[Symbol.asyncIterator]();
	try {
		for (;;) {
			const { done, value } = await iterator.next();
			if (done) return;
			yield value;
		}
	} catch (error) {
		throw toFailure(error);
	} finally {
		// Not awaited: it waits for a pending read, which ends only when the client aborts the attempt.
		iterator.return?.().catch(() => {});
	}
}
