import { RunCalls } from './RunCalls';
import { ItemBackoff } from './ItemBackoff';

/** All calls of one item share this, so that its attempts, its backoff and its Max Wait are counted together. */
export class ItemCalls {
	/** Holds the item's index in its run. Calls wait in this order. */
	readonly order: number;

	readonly backoff = new ItemBackoff();

	private countedWaitMs = 0;

	private sentRequests = 0;

	private begunRequests = 0;

	private latestTraceId: string | undefined;

	private isSetAside = false;

	/**
	 * Adds the item to its run, behind the items before.
	 * @param maxWaitMs the longest time that all waits of the item for rate limits may take together
	 */
	constructor(
		readonly run: RunCalls,
		readonly maxWaitMs: number,
	) {
		this.order = run.addItem();
	}

	/** Counts the requests that were sent for the item so far, whatever their outcome. */
	get attempts(): number {
		return this.sentRequests;
	}

	/** Counts the failed requests that the service may have begun to process, and so may bill. */
	get mayHaveBegun(): number {
		return this.begunRequests;
	}

	/** Holds the trace ID of the latest request that failed. It is undefined if none did. */
	get traceId(): string | undefined {
		return this.latestTraceId;
	}

	/** This much of Max Wait is used up. A wait for a slot of `concurrency` does not count, unless the item gave its slot up. */
	get waitedMs(): number {
		return this.countedWaitMs;
	}

	/** This much of Max Wait is left. */
	get leftMs(): number {
		return this.maxWaitMs - this.countedWaitMs;
	}

	countWait(milliseconds: number): void {
		this.countedWaitMs += milliseconds;
	}

	countAttempt(): void {
		this.sentRequests++;
	}

	countFailure(mayHaveBegun: boolean, traceId: string | undefined): void {
		if (mayHaveBegun) this.begunRequests++;
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
