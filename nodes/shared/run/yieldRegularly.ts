import { sleep } from 'n8n-workflow';

/** In milliseconds. */
const LONGEST_STRETCH_MS = 50;

/**
 * What a loop, or several that run side by side, call at each step: now and then they wait for a moment, in which other executions,
 * and whoever stops this one, have their turn.
 * @returns undefined for a step that need not wait
 */
export function yieldRegularly(): () => Promise<void> | undefined {
	let sinceMs = performance.now();
	let pausing: Promise<void> | undefined;
	const pause = async () => {
		await sleep(0);
		sinceMs = performance.now();
		pausing = undefined;
	};
	return () => {
		if (performance.now() - sinceMs < LONGEST_STRETCH_MS) return undefined;
		pausing ??= pause();
		return pausing;
	};
}
