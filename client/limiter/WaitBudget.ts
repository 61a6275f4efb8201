/** How long the calls of one item may wait for rate limits, and have waited so far. */
export class WaitBudget {
	/** Milliseconds. */
	waitedMs = 0;

	/** Requests that were let through so far. */
	attempts = 0;

	constructor(readonly maxWaitMs: number) {}

	/** Milliseconds. */
	get leftMs(): number {
		return this.maxWaitMs - this.waitedMs;
	}
}
