import { sleep } from 'n8n-workflow';

/** In milliseconds. */
const LONGEST_TURN_MS = 50;

/**
 * What a loop calls at each step: now and then it waits for a moment, in which other executions, and whoever stops this one,
 * have their turn.
 */
export function turns(): () => Promise<void> {
	let sinceMs = performance.now();
	return async () => {
		if (performance.now() - sinceMs < LONGEST_TURN_MS) return;
		await sleep(0);
		sinceMs = performance.now();
	};
}
