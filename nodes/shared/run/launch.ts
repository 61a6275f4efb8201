import type { ExecutionBudget } from '../../../client/limiter/WaitBudget';
import { yieldRegularly } from './yieldRegularly';

interface Launch<Result> {
	count: number;
	/** Says how many items run at once, besides those that are set aside. */
	budget: ExecutionBudget;
	/** When it aborts, no further item is begun. */
	signal: AbortSignal;
	run(index: number): Promise<Result>;
	itemEnds(): void;
}

/**
 * Runs the items, the first ones first: the next one begins whenever a place is free. After an error none is begun.
 * @returns the results in the same order; without those that were not begun
 * @throws the first error, when all that were begun have ended
 */
export async function launch<Result>({
	count,
	budget,
	signal,
	run,
	itemEnds,
}: Launch<Result>): Promise<Result[]> {
	const results: Result[] = new Array(count);
	const errors: unknown[] = [];
	// Items that fail without a request would keep everything else waiting.
	const yieldNowAndThen = yieldRegularly();
	let begun = 0;
	let ended = 0;
	await new Promise<void>((resolve) => {
		const runOne = async (index: number) => {
			try {
				results[index] = await run(index);
				itemEnds();
			} catch (error) {
				errors.push(error);
			}
			ended++;
			await yieldNowAndThen();
			beginNext();
		};
		const mayBegin = () => begun < count && errors.length === 0 && !signal.aborted;
		const beginNext = () => {
			while (mayBegin() && begun - ended - budget.setAside < budget.concurrency) void runOne(begun++);
			if (begun === ended && !mayBegin()) resolve();
		};
		budget.onSetAside = beginNext;
		beginNext();
	});
	if (errors.length > 0) throw errors[0];
	return results;
}
