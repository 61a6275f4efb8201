import { clock } from '../../nodes/shared/service/clock';

/**
 * Lets a test end waits of the nodes at once, such as a timeout as soon as the request has arrived. On a busy machine a request may
 * take longer to arrive than any timeout that a test can wait for.
 */
export function useSkippableClock() {
	const { now, wait } = clock;
	let skippedMs = 0;
	let skip = new AbortController();

	beforeEach(() => {
		jest.spyOn(clock, 'now').mockImplementation(() => now() + skippedMs);
		jest.spyOn(clock, 'wait').mockImplementation(async (waitMs, signal) => {
			const untilMs = clock.now() + waitMs;
			for (;;) {
				const skipped = skip.signal;
				const leftMs = Math.max(0, untilMs - clock.now());
				const ended = await wait(leftMs, AbortSignal.any([signal, skipped])).then(
					() => true,
					() => false,
				);
				signal.throwIfAborted();
				if (ended) return;
			}
		});
	});

	afterEach(() => {
		jest.restoreAllMocks();
	});

	return {
		/** Moves the clock on by this many milliseconds. Waits that are over then end. */
		skip(milliseconds: number): void {
			skippedMs += milliseconds;
			const skipped = skip;
			skip = new AbortController();
			skipped.abort();
		},
	};
}
