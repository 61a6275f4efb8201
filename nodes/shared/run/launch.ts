import { yieldRegularly } from './yieldRegularly';

interface Launch<Result> {
	/** How many items there are. */
	count: number;
	/** The most items that run at once. */
	places: number;
	/** Once it is aborted, none is begun. */
	signal: AbortSignal;
	run(index: number): Promise<Result>;
	itemEnds(): void;
}

/**
 * Runs the items, the first ones first: the next one begins whenever a place is free.
 * @returns the results in the same order; without those that were not begun
 * @throws the first error, while others may still be running
 */
export async function launch<Result>({
	count,
	places,
	signal,
	run,
	itemEnds,
}: Launch<Result>): Promise<Result[]> {
	const results: Result[] = new Array(count);
	// Items that fail without a request would keep everything else waiting.
	const yieldNowAndThen = yieldRegularly();
	let begun = 0;
	let ended = 0;
	await new Promise<void>((resolve, reject) => {
		const beginNext = () => {
			while (begun < count && begun - ended < places && !signal.aborted) {
				const index = begun++;
				run(index)
					.then(async (result) => {
						results[index] = result;
						ended++;
						itemEnds();
						await yieldNowAndThen();
						beginNext();
					})
					.catch(reject);
			}
			if (begun === ended) resolve();
		};
		beginNext();
	});
	return results;
}
