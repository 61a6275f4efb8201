import type { ServiceError } from '../ServiceError';

/** What the calls of one execution of a node have in common at every limiter they meet. */
export class ExecutionBudget {
	/** Requests refused with 429 so far. */
	refusals = 0;

	/** Items that are refused for their own sake, and wait without a place among `concurrency`. */
	setAside = 0;

	/** Called when `setAside` has changed, so that other items may begin. */
	onSetAside: (() => void) | undefined;

	/** The per-day refusal that turns away every item that has not started. */
	turnedAwayBy: ServiceError | undefined;

	private endedWaitsMs = 0;

	private waiting = 0;

	private waitingSinceMs = 0;

	/** @param concurrency most requests in flight at once */
	constructor(public concurrency = Infinity) {}

	/**
	 * Milliseconds for which at least one call of the execution has waited, so far.
	 * @param nowMs by the clock of the limiters
	 */
	waitedMs(nowMs: number): number {
		return this.endedWaitsMs + (this.waiting > 0 ? nowMs - this.waitingSinceMs : 0);
	}

	waitBegins(nowMs: number): void {
		if (this.waiting === 0) this.waitingSinceMs = nowMs;
		this.waiting++;
	}

	waitEnds(nowMs: number): void {
		this.waiting--;
		if (this.waiting === 0) this.endedWaitsMs += nowMs - this.waitingSinceMs;
	}
}

/** How long the calls of one item have waited for rate limits so far, and how long they may. */
export class WaitBudget {
	waitedMs = 0;

	/** Whether a request of the item has been let through. */
	started = false;

	/** Requests sent so far. */
	attempts = 0;

	/** Those of them that failed, and that the service may have begun with all the same. */
	mayHaveBegun = 0;

	/** Refusals since a request of the item last got past the limit. */
	refusedInARow = 0;

	/** Of these, how many came though requests of other items had got past it since the one before. */
	refusedAlone = 0;

	/** Of these, how many were for its own sake. */
	ownRefusals = 0;

	/** Whether it is set aside, so that it takes no place of its execution's. */
	isSetAside = false;

	/** Its place among the items of its execution, taken at its first call. */
	order: number | undefined;

	/** By the clock of the limiter: how long a refusal that concerns this item alone keeps it back. */
	notBeforeMs = -Infinity;

	/** How many requests had been sent when the item was last refused. */
	refusedAtIndex = Infinity;

	/** @param maxWaitMs how long the calls of the item may wait for rate limits, all their waits together */
	constructor(
		readonly execution: ExecutionBudget,
		readonly maxWaitMs: number,
	) {}

	/** Milliseconds. */
	get leftMs(): number {
		return this.maxWaitMs - this.waitedMs;
	}

	/** Sets the item aside, or takes it back. */
	setAside(isSetAside: boolean): void {
		if (this.isSetAside === isSetAside) return;
		this.isSetAside = isSetAside;
		this.execution.setAside += isSetAside ? 1 : -1;
		this.execution.onSetAside?.();
	}
}
