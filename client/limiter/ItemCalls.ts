import type { Failure } from '../ServiceError';

/** What the calls of one execution of a node have in common at every limiter they meet. */
export class ExecutionCalls {
	/** Requests refused with 429 so far. */
	refusals = 0;

	/** Items that wait without taking a slot of `concurrency`. */
	setAside = 0;

	/** Called when `setAside` has changed, so that other items may begin. */
	onSetAside: (() => void) | undefined;

	/** The refusal for the day that fails every item that has not started. */
	refusedForDay: Failure | undefined;

	/** Items so far. */
	items = 0;

	/** Requests in flight. */
	inFlight = 0;

	/** The limiters at which calls wait. */
	readonly waitsAt = new Set<{ dispatch(): void }>();

	private endedWaitsMs = 0;

	private waiting = 0;

	private waitingSinceMs = 0;

	/** @param concurrency the maximum number of requests in flight */
	constructor(public concurrency = Infinity) {}

	/**
	 * Milliseconds for which at least one call of the execution has waited, so far.
	 * @param nowMs by the clock of the limiters
	 */
	waitedMs(nowMs: number): number {
		return this.endedWaitsMs + (this.waiting > 0 ? nowMs - this.waitingSinceMs : 0);
	}

	beginWait(nowMs: number): void {
		if (this.waiting++ === 0) this.waitingSinceMs = nowMs;
	}

	endWait(nowMs: number): void {
		if (--this.waiting === 0) this.endedWaitsMs += nowMs - this.waitingSinceMs;
	}
}

/** What the calls of one item share: how often they were sent and refused, and how long they may wait for rate limits. */
export class ItemCalls {
	/** Its place among the items of its execution. */
	readonly order: number;

	waitedMs = 0;

	/** Requests sent so far. */
	attempts = 0;

	/** How many of them failed although the service may have begun to process them. */
	mayHaveBegun = 0;

	/** That of its latest request that failed. */
	traceId: string | undefined;

	/** Requests that were refused with 429, or met an overload, since one of the item last got through. */
	refused = 0;

	/** How many of these came although another item's request had got through since the one before. */
	refusedAlone = 0;

	/** The index, at its limiter, of its request that was refused last. */
	refusedIndex = Infinity;

	/** By the clock of the limiter: until when the item's own backoff keeps it back. */
	backoffEndMs = -Infinity;

	/** By the clock of the limiter: until when a `Retry-After` that only this item got keeps it back. */
	retryAfterEndMs = -Infinity;

	/** Whether it waits without a slot of its execution, because it may have been refused for its own sake. */
	givesUpSlot = false;

	private isSetAside = false;

	/** @param maxWaitMs how long the calls of the item may wait for rate limits, all their waits together */
	constructor(
		readonly execution: ExecutionCalls,
		readonly maxWaitMs: number,
	) {
		this.order = execution.items++;
	}

	/** Milliseconds that the item may still wait. */
	get leftMs(): number {
		return this.maxWaitMs - this.waitedMs;
	}

	/** Sets the item aside, so that it takes none of its execution's slots, or takes it back. */
	setAside(isSetAside: boolean): void {
		if (this.isSetAside === isSetAside) return;
		this.isSetAside = isSetAside;
		this.execution.setAside += isSetAside ? 1 : -1;
		this.execution.onSetAside?.();
	}
}
