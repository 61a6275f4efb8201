import type { LoggedRequest } from './RequestLog';
import type { Usage } from './Usage';

/** The service names its limits per minute. */
export const MINUTE_MS = 60_000;

/** Requests that start so little later may arrive before. */
const OVERTAKING_MS = 30;

const TOLERANCE = 1e-9;

/** When a fixed window last turned: after one moment, at another at the latest. */
interface Edge {
	afterMs: number;
	byMs: number;
}

/** How the return of places after an outage fits what is known: `predicted`, so the window is right, `near` its edge, or neither. */
type Return = 'predicted' | 'near' | 'unexpected';

/** A limit whose places come back a minute after they were taken, or all at once where an edge is known. */
export class MinuteWindow {
	/** In what the usage counts. */
	capacity = Infinity;

	edge: Edge | undefined;

	/** Kept between the return of a place and its use. */
	private marginMs = 20;

	constructor(private readonly usage: Usage) {}

	get isUnlimited(): boolean {
		return this.capacity === Infinity;
	}

	/** @param started a request that has started already, and is to be looked at as if it had not */
	fits(now: number, started?: LoggedRequest): boolean {
		const used = this.usage.after(this.boundaryMs(now)) - (started ? this.usage.costOf(started) : 0);
		return used + this.usage.nextCost <= this.capacity + TOLERANCE;
	}

	/** When the next place comes back. */
	nextReturnMs(now: number): number {
		const used = this.usage.after(this.boundaryMs(now));
		const excess = used + this.usage.nextCost - this.capacity;
		const leaving = this.usage.startOfExcess(excess);
		const expiry = leaving === undefined ? now + 1000 : leaving + MINUTE_MS + this.marginMs;
		return this.edge ? Math.min(expiry, this.edge.byMs + MINUTE_MS + this.marginMs) : expiry;
	}

	/** Whether there is a gap before the next place comes back, so that one more request would tell something. */
	hasGap(now: number): boolean {
		return this.nextReturnMs(now) > now + this.marginMs + 250;
	}

	/** When the places come back if refused requests take them too. */
	nextReturnCountingRefusedMs(): number {
		const start = this.usage.startOfExcessCountingRefused(this.capacity);
		return start + MINUTE_MS + this.marginMs + OVERTAKING_MS;
	}

	/** The least until so much has come back. */
	leastWaitMs(now: number, cost: number): number {
		const room = this.capacity - this.usage.after(this.boundaryMs(now));
		if (cost <= room) return 0;
		const fullWindows = Math.floor((cost - Math.max(0, room)) / this.capacity);
		return this.nextReturnMs(now) - now + (fullWindows - 1) * MINUTE_MS;
	}

	/** At a refusal all places are taken: learns how many there are, or why there were fewer than thought. */
	measure(refused: LoggedRequest): void {
		if (!this.isUnlimited && this.explains(refused)) return;
		this.measureAt(refused.startMs);
	}

	/** Learns how many places there are from what is taken at a refusal. */
	measureAt(atMs: number): void {
		this.capacity = this.takenAt(atMs);
	}

	/** Begins again with what got through in the minute before a refusal. */
	restart(refused: LoggedRequest): void {
		this.edge = undefined;
		this.capacity = Math.max(this.usage.nextCost, this.usage.since(refused.startMs - MINUTE_MS, refused));
	}

	/** Places come back a little later than thought. */
	widenMargin(): void {
		if (this.marginMs < 640) this.marginMs *= 2;
	}

	/** @param refusedMs start of the last refused request before the probe */
	readReturn(probe: LoggedRequest, refusedMs: number): Return {
		const at = probe.startMs;
		const { edge } = this;
		if (edge && at >= edge.byMs + MINUTE_MS - 1) {
			this.moveEdge(edge, at, refusedMs);
			return 'predicted';
		}
		if (edge && at > edge.afterMs + MINUTE_MS) {
			this.moveEdge(edge, at, refusedMs);
			return 'near';
		}
		const used = this.usage.since(at - MINUTE_MS, probe);
		const usedThen = this.usage.since(refusedMs - MINUTE_MS, probe);
		const hasExpired = used < usedThen && used + this.usage.nextCost <= this.capacity + TOLERANCE;
		return hasExpired ? 'predicted' : 'unexpected';
	}

	/** Before this moment, nothing counts. It may move on with each call. */
	private boundaryMs(now: number): number {
		if (!this.edge) return now - MINUTE_MS - this.marginMs;
		this.edge = latestEdge(this.edge, now);
		return this.edge.byMs - 1;
	}

	/** What requests have taken of the window at the moment. */
	private takenAt(atMs: number, sinceEdge = true): number {
		const edgeMs = sinceEdge && this.edge && this.edge.byMs <= atMs ? this.edge.byMs - 1 : -Infinity;
		const taken = this.usage.between(Math.max(atMs - MINUTE_MS, edgeMs), atMs + OVERTAKING_MS);
		return Math.max(this.usage.nextCost, taken);
	}

	/** Whether something else explains a refusal than the number of places, and is learned. */
	private explains(refused: LoggedRequest): boolean {
		const inMinute = this.takenAt(refused.startMs, false);
		const sinceEdge = this.takenAt(refused.startMs);
		return (
			this.explainsByMargin(refused, inMinute) ||
			this.explainsByNoEdge(inMinute, sinceEdge) ||
			this.explainsByRefused(refused, sinceEdge)
		);
	}

	/** Places came back a little later than thought. */
	private explainsByMargin({ startMs }: LoggedRequest, inMinute: number): boolean {
		const withMargin = this.usage.between(startMs - MINUTE_MS - 1000, startMs + OVERTAKING_MS);
		if (inMinute >= this.capacity * 0.9 || withMargin < this.capacity) return false;
		if (this.marginMs >= 1000) return false;
		this.marginMs = Math.min(1000, this.marginMs * 2);
		return true;
	}

	/** The places before the edge were not given back. */
	private explainsByNoEdge(inMinute: number, sinceEdge: number): boolean {
		if (!this.edge || sinceEdge >= this.capacity * 0.8 || inMinute <= this.capacity * 0.95) return false;
		this.edge = undefined;
		this.capacity = inMinute;
		return true;
	}

	/** As many places are missing as requests were refused: these take places too. */
	private explainsByRefused(refusedLast: LoggedRequest, sinceEdge: number): boolean {
		if (this.usage.refusedAreCounted) return false;
		const cost = this.usage.nextCost;
		const costOfRefused = ({ outcome }: LoggedRequest) => (outcome === 'refused' ? cost : 0);
		const refused = this.usage.since(refusedLast.startMs - MINUTE_MS, refusedLast, costOfRefused);
		const missing = this.capacity - sinceEdge;
		if (refused < 3 * cost || Math.abs(missing - refused) > Math.max(cost, 0.3 * refused)) return false;
		this.usage.countRefused();
		return true;
	}

	private moveEdge(edge: Edge, atMs: number, refusedMs: number): void {
		const { afterMs, byMs } = latestEdge(edge, atMs + 1);
		this.edge = { afterMs: Math.max(afterMs, refusedMs), byMs: Math.max(byMs, atMs) };
	}
}

/** The last time before the moment at which a window with that edge turned. */
function latestEdge({ afterMs, byMs }: Edge, atMs: number): Edge {
	let minutesMs = 0;
	while (byMs + minutesMs + MINUTE_MS <= atMs) minutesMs += MINUTE_MS;
	return { afterMs: afterMs + minutesMs, byMs: byMs + minutesMs };
}
