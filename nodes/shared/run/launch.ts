import type { ExecutionCalls } from '../../../client/limiter/ItemCalls';
import { yieldRegularly } from './yieldRegularly';

/** Items that wait for another's request take no place, but each takes memory. */
const MAX_SET_ASIDE = 1000;

interface Launch<Result> {
	count: number;
	/** Says how many items run at once, besides those that are set aside. */
	calls: ExecutionCalls;
	/** When it aborts, no further item is begun. */
	signal: AbortSignal;
	run(index: number): Promise<Result>;
}

/**
 * Runs the items, the first ones first: the next one begins whenever a place is free. After an error none is begun.
 * @returns the results in the same order; without those that were not begun
 * @throws the first error, or the signal's reason after an abort, when all that were begun have ended
 */
export async function launch<Result>({ count, calls, signal, run }: Launch<Result>): Promise<Result[]> {
	const results: Result[] = new Array(count);
	const errors: unknown[] = [];
	const pauseRegularly = yieldRegularly();
	let begun = 0;
	let ended = 0;
	let wake = () => {};
	const change = async () => await new Promise<void>((resolve) => (wake = resolve));
	calls.onSetAside = () => wake();
	const runOne = async (index: number) => {
		try {
			results[index] = await run(index);
		} catch (error) {
			errors.push(error);
		}
		ended++;
		wake();
	};
	const isFull = () => begun - ended - Math.min(calls.setAside, MAX_SET_ASIDE) >= calls.concurrency;
	while (begun < count) {
		// Items that never wait for anything would keep everything else waiting.
		await pauseRegularly();
		while (isFull()) await change();
		if (errors.length > 0 || signal.aborted) break;
		void runOne(begun++);
	}
	while (ended < begun) await change();
	if (errors.length > 0) throw errors[0];
	signal.throwIfAborted();
	return results;
}
