import type { IdleTimeout } from './IdleTimeout';

/** In bytes, decompressed. A person needs only the beginning. */
const LARGEST_ERROR_BODY = 100_000;

/**
 * Reads the body of an error response, or the beginning of one that is large, that breaks off or that takes longer than its
 * timeout: its status counts all the same.
 */
export async function readErrorText(body: AsyncIterable<Uint8Array>, timeout: IdleTimeout): Promise<string> {
	timeout.setDeadline(timeout.timeoutMs);
	const decoder = new TextDecoder();
	let text = '';
	let leftBytes = LARGEST_ERROR_BODY;
	try {
		for await (const chunk of body) {
			text += decoder.decode(chunk.subarray(0, leftBytes), { stream: true });
			leftBytes -= chunk.length;
			if (leftBytes <= 0) break;
		}
	} catch {
		// The status is known, and what has arrived.
	}
	return text;
}
