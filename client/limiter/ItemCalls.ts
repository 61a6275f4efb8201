import { RunCalls } from './RunCalls';
import { ItemBackoff } from './ItemBackoff';

/** The state that all calls of one item share: their attempts, their refusals, and the rest of their Max Wait. */
export class ItemCalls {
	/** The item's index in its run. Calls wait in this order. */
	readonly order: number;

	readonly backoff = new ItemBackoff();

	private waited = 0;

	private sent = 0;

	private begun = 0;

	private latestTraceId: string | undefined;

	private isSetAside = false;

	/** @param maxWaitMs the longest time that all waits of the item for rate limits may take together */
	constructor(
		readonly run: RunCalls,
		readonly maxWaitMs: number,
	) {
		this.order = run.addItem();
	}

	/** The number of requests that were sent for the item so far. */
	get attempts(): number {
		return this.sent;
	}

	/** The number of failed requests that the service may have begun to process, and so may bill. */
	get mayHaveBegun(): number {
		return this.begun;
	}

	/** The trace ID of the latest request that failed. */
	get traceId(): string | undefined {
		return this.latestTraceId;
	}

	/** The time that counts towards Max Wait. */
	get waitedMs(): number {
		return this.waited;
	}

	/** How long the item may still wait for rate limits. */
	get leftMs(): number {
		return this.maxWaitMs - this.waited;
	}

	countWait(milliseconds: number): void {
		this.waited += milliseconds;
	}

	countAttempt(): void {
		this.sent++;
	}

	countFailure(mayHaveBegun: boolean, traceId: string | undefined): void {
		if (mayHaveBegun) this.begun++;
		this.latestTraceId = traceId;
	}

	/** Frees the slot of `concurrency` that the item takes, so that another item may begin, or takes a slot again. */
	setAside(isSetAside: boolean): void {
		if (this.isSetAside === isSetAside) return;
		this.isSetAside = isSetAside;
		this.run.changeSetAside(isSetAside ? 1 : -1);
	}
}

/** Makes the state of a call that belongs to no run, such as one that fills a list in the editor. */
export function singleCall(maxWaitMs: number): ItemCalls {
	return new ItemCalls(new RunCalls(), maxWaitMs);
}
