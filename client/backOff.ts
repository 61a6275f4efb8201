const MIN_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 30_000;

/**
 * Returns the milliseconds to wait before a retry. The backoff is exponential with full jitter, so that clients that failed
 * together do not retry together.
 * @param retry 1 for the first
 * @param random a number from 0 (inclusive) to 1 (exclusive)
 */
export function backOff(retry: number, random: () => number): number {
	return random() * Math.min(MAX_BACKOFF_MS, MIN_BACKOFF_MS * 2 ** (retry - 1));
}
