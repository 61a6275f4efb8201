import type { RunCalls } from '../../../client/limiter/RunCalls';
import { yieldRegularly } from './yieldRegularly';

/** An item that waits without a slot, such as for an equal request of another item, still takes memory. */
const MAX_SET_ASIDE_ITEMS = 1000;

interface ConcurrentRun<Result> {
	count: number;
	/** Its `concurrency` limits how many items run at once, not counting those that are set aside. */
	calls: RunCalls;
	/** After its abort, no further item begins. */
	signal: AbortSignal;
	/** Rejects only with what ends the whole run. An item that fails and does not end it has a result. */
	run(index: number): Promise<Result>;
}

/**
 * Runs the items in order: the next one begins whenever a slot is free. After an error, no further item begins.
 * @returns the results in the order of the items
 * @throws the first error, or the signal's reason after an abort, as soon as all items that have begun have ended
 */
export async function runConcurrently<Result>({
	count,
	calls,
	signal,
	run,
}: ConcurrentRun<Result>): Promise<Result[]> {
	const results: Result[] = new Array(count);
	const errors: unknown[] = [];
	const pauseRegularly = yieldRegularly();
	let begun = 0;
	let ended = 0;
	let wake = () => {};
	const waitForChange = async () => await new Promise<void>((resolve) => (wake = resolve));
	calls.whenSetAside(() => wake());
	const runOne = async (index: number) => {
		try {
			results[index] = await run(index);
		} catch (error) {
			errors.push(error);
		}
		ended++;
		wake();
	};
	const isFull = () => begun - ended - Math.min(calls.setAside, MAX_SET_ASIDE_ITEMS) >= calls.concurrency;
	calls.setItemsToBegin(count);
	while (begun < count) {
		// Items that never wait would block the event loop.
		await pauseRegularly();
		while (isFull()) await waitForChange();
		if (errors.length > 0 || signal.aborted) break;
		void runOne(begun++);
		calls.setItemsToBegin(count - begun);
	}
	while (ended < begun) await waitForChange();
	if (errors.length > 0) throw errors[0];
	signal.throwIfAborted();
	return results;
}
