const FIRST_MS = 500;
const MAX_BACKOFF_MS = 30_000;

/**
 * Milliseconds to wait before a repetition: exponential with full jitter, so that clients that failed together do not retry
 * together.
 * @param repetition 1 for the first
 * @param random a number from 0 (inclusive) to 1 (exclusive)
 */
export function backOff(repetition: number, random: () => number): number {
	return random() * Math.min(MAX_BACKOFF_MS, FIRST_MS * 2 ** (repetition - 1));
}
