import { sleep } from 'n8n-workflow';

const LONGEST_STRETCH_MS = 50;

/**
 * Loops call this at each step. Now and then they wait for a moment, so that other executions can run, and this one can be
 * stopped.
 * @returns undefined if the step need not wait
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
