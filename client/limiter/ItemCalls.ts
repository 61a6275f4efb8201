/** The state that all calls of one execution of a node share, at every limiter that they use. */
export class ExecutionCalls {
	/** Requests refused with 429 so far. */
	rateLimitHits = 0;

	/** The number of items that wait without taking a slot of `concurrency`. */
	setAside = 0;

	/** Called when `setAside` has changed, so that other items may begin. */
	onSetAside: (() => void) | undefined;

	/** The number of items created so far. */
	items = 0;

	/** The limiters at which calls of the execution wait. Each of them looks for its next call when a slot of `concurrency` is free. */
	readonly waitsAt = new Set<{ dispatch(): void }>();

	private inFlight = 0;

	private waiting = 0;

	/** Until when `times` are counted. */
	private countedUntilMs = 0;

	private readonly times = { fullMs: 0, limitedMs: 0 };

	/** @param concurrency the maximum number of requests in flight */
	constructor(public concurrency = Infinity) {}

	/** Whether all slots of `concurrency` are taken, so that calls wait for a slot and not for a limiter. */
	get isFull(): boolean {
		return this.inFlight >= this.concurrency;
	}

	/** Whether requests of the execution are in flight. */
	get isSending(): boolean {
		return this.inFlight > 0;
	}

	/** @param nowMs the time on the limiters' clock */
	changeInFlight(by: 1 | -1, nowMs: number): void {
		this.countTimes(nowMs);
		this.inFlight += by;
	}

	changeWaiting(by: 1 | -1, nowMs: number): void {
		this.countTimes(nowMs);
		this.waiting += by;
	}

	/**
	 * The time so far during which `isFull` was true, and during which it was not although calls waited, so that they waited for a
	 * limiter.
	 */
	countTimes(nowMs: number): { readonly fullMs: number; readonly limitedMs: number } {
		const elapsedMs = nowMs - this.countedUntilMs;
		if (this.isFull) this.times.fullMs += elapsedMs;
		else if (this.waiting > 0) this.times.limitedMs += elapsedMs;
		this.countedUntilMs = nowMs;
		return this.times;
	}
}

/** The state that all calls of one item share: their attempts, their refusals, and the rest of their Max Wait. */
export class ItemCalls {
	/** The item's index in its execution. Calls wait in this order. */
	readonly order: number;

	/** The time that counts towards Max Wait. */
	waitedMs = 0;

	/** Requests sent so far. */
	attempts = 0;

	/** The number of failed requests that the service may have begun to process, and so may bill. */
	mayHaveBegun = 0;

	/** The trace ID of the latest request that failed. */
	traceId: string | undefined;

	/** Requests that were answered with 429, 503, 529 or a quick 504 since a request of this item last succeeded. */
	failuresInARow = 0;

	/** The number of 429s that were blamed on this item, because requests of other items succeeded in between. */
	ownRefusals = 0;

	/** The index, at its limiter, of the item's latest request that was answered with 429. */
	refusedIndex = Infinity;

	/** The end of the item's own backoff, on the limiter's clock. */
	backoffEndMs = -Infinity;

	/** The end of a `Retry-After` that applies to this item only, on the limiter's clock. */
	retryAfterEndMs = -Infinity;

	/** Whether the item waits without a slot of its execution, because the item itself may be the reason for its 429. */
	givesUpSlot = false;

	private isSetAside = false;

	/** @param maxWaitMs the longest time that all waits of the item for rate limits may take together */
	constructor(
		readonly execution: ExecutionCalls,
		readonly maxWaitMs: number,
	) {
		this.order = execution.items++;
	}

	/** How long the item may still wait for rate limits. */
	get leftMs(): number {
		return this.maxWaitMs - this.waitedMs;
	}

	/** Frees the slot of `concurrency` that the item takes, so that another item may begin, or takes a slot again. */
	setAside(isSetAside: boolean): void {
		if (this.isSetAside === isSetAside) return;
		this.isSetAside = isSetAside;
		this.execution.setAside += isSetAside ? 1 : -1;
		this.execution.onSetAside?.();
	}
}
