/** Counts for one run of a node what all its calls share, at every limiter that they use: slots, waits and refusals. */
export class RunCalls {
	private onSetAside: (() => void) | undefined;

	/** Holds the limiters at which calls of the run wait. Each of them looks for its next call when a slot of `concurrency` is free. */
	readonly waitsAt = new Set<{ dispatch(): void }>();

	private maxInFlight = Infinity;

	private addedItems = 0;

	private itemsToBegin = 0;

	private activeCalls = 0;

	private rateLimitedRequests = 0;

	private itemsAside = 0;

	private requestsInFlight = 0;

	private waitingCalls = 0;

	/** `times` are counted until this time. */
	private countedUntilMs = 0;

	private readonly times = { fullMs: 0, limitedMs: 0 };

	/** Returns the maximum number of requests in flight. */
	get concurrency(): number {
		return this.maxInFlight;
	}

	/** Sets `concurrency`. The node's loop over items does this once, before the first item begins. */
	limitTo(concurrency: number): void {
		this.maxInFlight = concurrency;
	}

	/**
	 * Sets the function that hears of changes of `setAside`.
	 * @param callback lets other items begin
	 */
	whenSetAside(callback: () => void): void {
		this.onSetAside = callback;
	}

	/** Counts the 429s of the run, also those after which the request was sent again and succeeded. */
	get rateLimitHits(): number {
		return this.rateLimitedRequests;
	}

	/** Counts the items that wait without taking a slot of `concurrency`. */
	get setAside(): number {
		return this.itemsAside;
	}

	/** Says whether all slots of `concurrency` are taken, so that calls wait for a slot and not for a limiter. */
	get isFull(): boolean {
		return this.requestsInFlight >= this.maxInFlight;
	}

	get isSending(): boolean {
		return this.requestsInFlight > 0;
	}

	/**
	 * Says whether at most one item is left to do, such as that of a form, or the last of many. An outage of the service holds it back
	 * only by its own backoff and the `Retry-After` of its own 503s, because nobody would gain from a longer wait.
	 */
	get isLastItem(): boolean {
		return this.activeCalls + this.itemsToBegin <= 1;
	}

	/** Takes note of how many items have not begun. */
	setItemsToBegin(count: number): void {
		this.itemsToBegin = count;
	}

	/** Counts calls that are in flight, or wait for a limiter or between two attempts. */
	changeActive(by: 1 | -1): void {
		this.activeCalls += by;
	}

	/** Counts an item, and returns the number of items before it. */
	addItem(): number {
		return this.addedItems++;
	}

	countRateLimit(): void {
		this.rateLimitedRequests++;
	}

	changeSetAside(by: 1 | -1): void {
		this.itemsAside += by;
		this.onSetAside?.();
	}

	/**
	 * Counts a request that starts or ends.
	 * @param nowMs the time on the limiters' clock
	 */
	changeInFlight(by: 1 | -1, nowMs: number): void {
		this.countTimes(nowMs);
		this.requestsInFlight += by;
	}

	changeWaiting(by: 1 | -1, nowMs: number): void {
		this.countTimes(nowMs);
		this.waitingCalls += by;
	}

	/**
	 * Returns the time so far during which `isFull` was true, and during which it was not although calls waited, so that they waited
	 * for a limiter: for a rate limit, or for an outage. Backoffs between two attempts of an item do not count.
	 */
	countTimes(nowMs: number): { readonly fullMs: number; readonly limitedMs: number } {
		const elapsedMs = nowMs - this.countedUntilMs;
		if (this.isFull) this.times.fullMs += elapsedMs;
		else if (this.waitingCalls > 0) this.times.limitedMs += elapsedMs;
		this.countedUntilMs = nowMs;
		return this.times;
	}
}
