/** The state that all calls of one run of a node share, at every limiter that they use. */
export class RunCalls {
	private onSetAside: (() => void) | undefined;

	/** The limiters at which calls of the run wait. Each of them looks for its next call when a slot of `concurrency` is free. */
	readonly waitsAt = new Set<{ dispatch(): void }>();

	private items = 0;

	private toBegin = 0;

	private active = 0;

	private rateLimits = 0;

	private aside = 0;

	private inFlight = 0;

	private waiting = 0;

	/** The time until which `times` are counted. */
	private countedUntilMs = 0;

	private readonly times = { fullMs: 0, limitedMs: 0 };

	/** @param maxInFlight the maximum number of requests in flight */
	constructor(private maxInFlight = Infinity) {}

	get concurrency(): number {
		return this.maxInFlight;
	}

	/** Sets `concurrency`. The node's loop over items does this once, before the first item begins. */
	limitTo(concurrency: number): void {
		this.maxInFlight = concurrency;
	}

	/** @param callback called when `setAside` has changed, so that other items may begin */
	whenSetAside(callback: () => void): void {
		this.onSetAside = callback;
	}

	/** The number of requests of the run that were refused with a 429 so far. */
	get rateLimitHits(): number {
		return this.rateLimits;
	}

	/** The number of items that wait without taking a slot of `concurrency`. */
	get setAside(): number {
		return this.aside;
	}

	/** Whether all slots of `concurrency` are taken, so that calls wait for a slot and not for a limiter. */
	get isFull(): boolean {
		return this.inFlight >= this.maxInFlight;
	}

	/** Whether requests of the run are in flight. */
	get isSending(): boolean {
		return this.inFlight > 0;
	}

	/**
	 * Whether at most one item is left to do, such as that of a form. An outage of the service holds it back only by its own
	 * backoff, because nobody would gain from a longer wait.
	 */
	get isLastItem(): boolean {
		return this.active + this.toBegin <= 1;
	}

	/** @param count the number of items that have not begun */
	setItemsToBegin(count: number): void {
		this.toBegin = count;
	}

	/** Counts calls that are in flight, or wait for a limiter or between two attempts. */
	changeActive(by: 1 | -1): void {
		this.active += by;
	}

	/** @returns the number of items before this one */
	addItem(): number {
		return this.items++;
	}

	countRateLimit(): void {
		this.rateLimits++;
	}

	changeSetAside(by: 1 | -1): void {
		this.aside += by;
		this.onSetAside?.();
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
