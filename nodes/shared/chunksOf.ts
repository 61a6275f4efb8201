import type { TransportFailure } from '../../client/Transport';

/** What the bytes of a response are read from: the reader of a web stream, or what reads another stream like one. */
export interface ChunkReader {
	read(): Promise<{ done?: boolean; value?: Uint8Array }>;
	cancel(): Promise<unknown>;
}

/**
 * The chunks of a response's body, which is given up as soon as they are not read on.
 * @param toFailure makes the failure to throw of an error of the reader
 */
export async function* chunksOf(
	reader: ChunkReader,
	toFailure: (error: unknown) => TransportFailure,
): AsyncGenerator<Uint8Array> {
	try {
		for (;;) {
			const { done, value } = await reader.read();
			if (done || !value) return;
			yield value;
		}
	} catch (error) {
		throw toFailure(error);
	} finally {
		// Not awaited: it may wait for a pending read, which ends only when the client aborts the attempt.
		reader.cancel().catch(() => {});
	}
}
