import type { LoggedRequest, Usage } from './RequestLog';

/** The service names its limits per minute. */
export const MINUTE_MS = 60_000;

/** Fewer places that come back at once tell nothing: a bucket may have as many. */
export const LEAST_PLACES = 8;

/** Other lengths that gateways offer. */
const SHORTER_LENGTHS_MS = [1, 2, 5, 10, 20, 30].map((seconds) => seconds * 1000);

/** Requests that start so little later may arrive before. */
export const OVERTAKING_MS = 30;

/** A window that refuses is at least this full; a few places may be others', or were counted wrongly. */
const FULL = 0.8;

const TOLERANCE = 1e-6;

/** When a fixed window last turned: after one moment, at another at the latest. */
export interface Edge {
	afterMs: number;
	byMs: number;
}

/** A limit whose places come back a learned time after they were taken, or all at once where an edge is known. */
export class Window {
	/** In what the usage counts. */
	capacity = Infinity;

	edge: Edge | undefined;

	/** A minute until places are seen to come back in another rhythm. */
	lengthMs = MINUTE_MS;

	/** Kept between the return of a place and its use. */
	private marginMs = 20;

	constructor(private readonly usage: Usage) {}

	toString(): string {
		return `window of ${this.capacity} in ${this.lengthMs} ms${this.edge ? `, edge by ${this.edge.byMs}` : ''}`;
	}

	/** @param started the request that it is about, where it has started already */
	fits(now: number, started?: LoggedRequest): boolean {
		const fromMs = this.boundaryMs(now);
		const used = started ? this.usage.upTo(fromMs, started) : this.usage.between(fromMs);
		return used + this.usage.nextCost <= this.capacity + TOLERANCE;
	}

	/** Whether most places are taken at the start of the request. */
	isNearlyFull({ startMs }: LoggedRequest): boolean {
		return this.capacity < Infinity && this.takenAt(startMs) >= this.capacity / 2;
	}

	/** When the next place comes back. */
	nextReturnMs(now: number): number {
		const fromMs = this.boundaryMs(now);
		const excess = this.usage.between(fromMs) + this.usage.nextCost - this.capacity;
		const leavingMs = this.usage.startOf(fromMs, excess) ?? now;
		const expiryMs = leavingMs + this.lengthMs + this.marginMs;
		if (!this.edge) return expiryMs;
		return Math.min(expiryMs, latestEdge(this.edge, now, this.lengthMs).byMs + this.lengthMs + this.marginMs);
	}

	/** When the places come back if refused requests take them too. */
	returnCountingRefusedMs(all: Usage): number {
		const startMs =
			all.startOf(-Infinity, all.between(-Infinity) + all.nextCost - this.capacity) ?? -Infinity;
		return startMs + this.lengthMs + this.marginMs + OVERTAKING_MS;
	}

	/** At a refusal all places are taken: learns how many there are, or that those before the edge were not given back. */
	measureAt(atMs: number): void {
		const taken = this.takenAt(atMs);
		const inLength = this.usage.between(atMs - this.lengthMs, atMs + OVERTAKING_MS);
		const isNoEdge = taken < FULL * this.capacity && inLength > FULL * this.capacity;
		if (isNoEdge) this.edge = undefined;
		this.capacity = isNoEdge ? inLength : taken;
	}

	/** Begins again with what got through in the window before a refusal. */
	restart(refused: LoggedRequest): void {
		this.edge = undefined;
		this.capacity = Math.max(this.usage.nextCost, this.usage.upTo(refused.startMs - this.lengthMs, refused));
	}

	/**
	 * A place did not come back after so short a time.
	 * @returns whether it is thought to be longer now, as far as what got through in the last minute allows
	 */
	lengthen(atMs: number): boolean {
		if (this.lengthMs === MINUTE_MS) return false;
		const longerMs = SHORTER_LENGTHS_MS.find((lengthMs) => lengthMs > this.lengthMs) ?? MINUTE_MS;
		// A minute may touch one window more than fit into it.
		const most = (MINUTE_MS / longerMs + 1) * this.capacity;
		if (this.usage.between(atMs - MINUTE_MS, atMs) > most) return false;
		this.lengthMs = longerMs;
		return true;
	}

	/** The longest of the shorter lengths that fits into the span. */
	longestWithin(spanMs: number): number | undefined {
		return SHORTER_LENGTHS_MS.findLast((lengthMs) => lengthMs <= spanMs);
	}

	/** Places come back a little later than thought. */
	widenMargin(): void {
		if (this.marginMs < MINUTE_MS / 100) this.marginMs *= 2;
	}

	/**
	 * Learns when the edge was.
	 * @param refusedMs start of the last refused request before the probe
	 * @returns whether the probe got through because places had come back
	 */
	readReturn(probe: LoggedRequest, refusedMs: number): boolean {
		const at = probe.startMs;
		const { lengthMs, usage } = this;
		const next = this.edge && latestEdge(this.edge, refusedMs, lengthMs);
		if (next && at > next.afterMs + lengthMs) {
			const { afterMs, byMs } = latestEdge(next, at + 1, lengthMs);
			this.edge = { afterMs: Math.max(afterMs, refusedMs), byMs: Math.max(byMs, at) };
			return true;
		}
		const used = usage.upTo(at - lengthMs, probe);
		const usedThen = usage.upTo(refusedMs - lengthMs, probe);
		return used < usedThen && used + usage.nextCost <= this.capacity + TOLERANCE;
	}

	/** The edge before, where so little time has passed since it that this one cannot be the next. */
	edgeTooSoon(atMs: number): Edge | undefined {
		const before = this.edge && latestEdge(this.edge, atMs - 1, this.lengthMs);
		return before && atMs - before.byMs < this.lengthMs - this.marginMs ? before : undefined;
	}

	/** When the next place would come back from windows of shorter lengths. */
	shorterReturns(sinceMs: number): Array<{ atMs: number; lengthMs: number }> {
		const { edge, usage, marginMs } = this;
		if (this.capacity < LEAST_PLACES * usage.nextCost) return [];
		const excess = this.takenAt(sinceMs) + usage.nextCost - this.capacity;
		const leaving = edge ? undefined : usage.startOf(this.boundaryMs(sinceMs), excess);
		if (!edge && leaving === undefined) return [];
		return SHORTER_LENGTHS_MS.filter((lengthMs) => lengthMs < this.lengthMs).map((lengthMs) => ({
			lengthMs,
			atMs: (leaving ?? latestEdge(edge!, sinceMs, lengthMs).byMs) + lengthMs + marginMs,
		}));
	}

	/** Before this moment, nothing counts. */
	private boundaryMs(now: number): number {
		if (!this.edge) return now - this.lengthMs - this.marginMs;
		return latestEdge(this.edge, now, this.lengthMs).byMs - 1;
	}

	/** What requests have taken of the window at the moment. */
	private takenAt(atMs: number): number {
		const edgeMs =
			this.edge && this.edge.byMs <= atMs ? latestEdge(this.edge, atMs, this.lengthMs).byMs - 1 : -Infinity;
		const taken = this.usage.between(Math.max(atMs - this.lengthMs, edgeMs), atMs + OVERTAKING_MS);
		return Math.max(this.usage.nextCost, taken);
	}
}

/** The last time before the moment at which a window with that edge turned. */
function latestEdge({ afterMs, byMs }: Edge, atMs: number, lengthMs: number): Edge {
	const laterMs = Math.max(0, Math.floor((atMs - byMs) / lengthMs)) * lengthMs;
	return { afterMs: afterMs + laterMs, byMs: byMs + laterMs };
}
