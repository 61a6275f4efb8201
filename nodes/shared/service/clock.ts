import { sleep } from 'n8n-workflow';

import type { Clock } from '../../../client/time/Alarm';

/**
 * Before n8n 2.41 or so, `sleep` takes no signal, and n8n's rules for community nodes allow no other timer. With short
 * timers, an abort is noticed soon. Newer versions take a signal, so the timer may run for as long as Node allows.
 */
const MAX_TIMER_MS = sleep.length > 1 ? 2 ** 31 - 1 : 250;

export const clock: Clock = {
	// Unlike Date.now, this does not jump when somebody changes the system's clock.
	now: () => performance.timeOrigin + performance.now(),
	wait: async (waitMs, signal) => {
		const untilMs = performance.now() + waitMs;
		let leftMs = waitMs;
		do {
			signal.throwIfAborted();
			await sleep(Math.min(leftMs, MAX_TIMER_MS), signal);
			leftMs = untilMs - performance.now();
		} while (leftMs > 0);
		signal.throwIfAborted();
	},
};
