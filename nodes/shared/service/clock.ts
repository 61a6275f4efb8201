import { sleep } from 'n8n-workflow';

import type { Clock } from '../../../client/time/Alarm';

/**
 * Where `sleep` takes no signal (before n8n 2.41 or so), a timer outlives an aborted wait by at most this long: n8n's
 * rules allow no other timer. Where it does, this is the longest that a timer can run at all.
 */
const MAX_TIMER_MS = sleep.length > 1 ? 2 ** 31 - 1 : 250;

export const clock: Clock = {
	// Unix time that does not jump when the system's clock is changed.
	now: () => performance.timeOrigin + performance.now(),
	wait: async (milliseconds, signal) => {
		const until = performance.now() + milliseconds;
		let left = milliseconds;
		do {
			signal.throwIfAborted();
			await sleep(Math.min(left, MAX_TIMER_MS), signal);
			left = until - performance.now();
		} while (left > 0);
		signal.throwIfAborted();
	},
};
