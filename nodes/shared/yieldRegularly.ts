import { sleep } from 'n8n-workflow';

/** In milliseconds. */
const LONGEST_STRETCH_MS = 50;

/**
 * What a loop calls at each step: now and then it waits for a moment, in which other executions, and whoever stops this one,
 * have their turn.
 */
export function yieldRegularly(): () => Promise<void> {
	let sinceMs = performance.now();
	return async () => {
		if (performance.now() - sinceMs < LONGEST_STRETCH_MS) return;
		await sleep(0);
		sinceMs = performance.now();
	};
}
