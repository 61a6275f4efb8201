import { sleep } from 'n8n-workflow';

/** Long enough to cost nothing, and short enough for nobody to notice. */
const MAX_STRETCH_MS = 50;

/** Waits for a moment if the last wait is long ago. */
export type Pause = () => Promise<void> | undefined;

/**
 * Loops call this at each step. Now and then they wait for a moment, so that other executions can run, and this one can be
 * stopped.
 * @returns undefined if the step need not wait
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
		if (performance.now() - sinceMs < MAX_STRETCH_MS) return undefined;
		pausing ??= pause();
		return pausing;
	};
}
