import { sleep } from 'n8n-workflow';

import type { Clock } from '../../client/Clock';

/** Longest time a timer outlives an aborted wait: `sleep` cannot be cancelled, and n8n's rules allow no other timer. */
const SLICE_MS = 250;

export const clock: Clock = {
	// Unix time that no change of the system's clock moves.
	now: () => performance.timeOrigin + performance.now(),
	wait: async (milliseconds, signal) => {
		const until = performance.now() + milliseconds;
		for (let left = milliseconds; left > 0; left = until - performance.now()) {
			signal.throwIfAborted();
			await sleep(Math.min(left, SLICE_MS));
		}
		signal.throwIfAborted();
	},
};
