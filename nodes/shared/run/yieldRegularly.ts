import { sleep } from 'n8n-workflow';

/** A loop blocks the event loop for at most this long. Longer would delay other executions, and shorter would cost time. */
const MAX_BLOCKING_MS = 50;

/** Lets the event loop run if the loop has blocked it for long enough. Returns undefined if not. */
export type Pause = () => Promise<void> | undefined;

/**
 * Returns a function that a long loop calls at each step. It lets the event loop run now and then, so that other executions can
 * continue and this one can be stopped.
 */
export function yieldRegularly(): Pause {
	let sinceMs = performance.now();
	let pausing: Promise<void> | undefined;
	const pause = async () => {
		await sleep(0);
		sinceMs = performance.now();
		pausing = undefined;
	};
	return () => {
		if (performance.now() - sinceMs < MAX_BLOCKING_MS) return undefined;
		pausing ??= pause();
		return pausing;
	};
}
