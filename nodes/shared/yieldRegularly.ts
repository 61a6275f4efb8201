import { sleep } from 'n8n-workflow';

/** In milliseconds. */
const LONGEST_STRETCH_MS = 50;

/**
 * What a loop calls at each step: now and then it waits for a moment, in which other executions, and whoever stops this one,
 * have their turn.
 * @returns undefined at the steps that need not wait, for a promise at each costs as much as what it waits for
 */
export function yieldRegularly(): () => Promise<void> | undefined {
	let sinceMs = performance.now();
	const pause = async () => {
		await sleep(0);
		sinceMs = performance.now();
	};
	return () => (performance.now() - sinceMs < LONGEST_STRETCH_MS ? undefined : pause());
}
