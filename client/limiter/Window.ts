import type { LoggedRequest } from './RequestLog';
import type { Outage } from './Outage';
import type { Usage } from './Usage';

/** The service names its limits per minute. */
export const MINUTE_MS = 60_000;

/** Fewer places that come back at once tell nothing: a bucket may have as many. */
export const LEAST_PLACES = 8;

/** Other lengths that gateways offer. */
const SHORTER_LENGTHS_MS = [1, 2, 5, 10, 20, 30].map((seconds) => seconds * 1000);

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

/** A limit whose places come back a learned time after they were taken, or all at once where an edge is known. */
export class Window {
	/** In what the usage counts. */
	capacity = Infinity;

	edge: Edge | undefined;

	/** A minute until places are seen to come back in another rhythm. */
	lengthMs = MINUTE_MS;

	/** Kept between the return of a place and its use. */
	private marginMs = 20;

	private edgeOfMinute: Edge | undefined;

	constructor(private readonly usage: Usage) {}

	toString(): string {
		return `window of ${this.capacity} in ${this.lengthMs} ms${this.edge ? `, edge by ${this.edge.byMs}` : ''}`;
	}

	get isUnlimited(): boolean {
		return this.capacity === Infinity;
	}

	/** @param started a request that has started already, and is to be looked at as if it had not */
	fits(now: number, started?: LoggedRequest): boolean {
		const used = this.usage.after(this.boundaryMs(now)) - (started ? this.usage.costOf(started) : 0);
		return used + this.usage.nextCost <= this.capacity + TOLERANCE;
	}

	/** Whether most places are taken at the start of the request. */
	isNearlyFull({ startMs }: LoggedRequest): boolean {
		return !this.isUnlimited && this.takenAt(startMs) >= 0.7 * this.capacity;
	}

	/** When the next place comes back. */
	nextReturnMs(now: number): number {
		const used = this.usage.after(this.boundaryMs(now));
		const excess = used + this.usage.nextCost - this.capacity;
		const leaving = this.usage.startOfExcess(excess);
		const expiry = leaving === undefined ? now + 1000 : leaving + this.lengthMs + this.marginMs;
		return this.edge ? Math.min(expiry, this.edge.byMs + this.lengthMs + this.marginMs) : expiry;
	}

	/** Whether there is a gap before the next place comes back, so that one more request would tell something. */
	hasGap(now: number): boolean {
		return this.nextReturnMs(now) > now + this.marginMs + 250;
	}

	/** When the places come back if refused requests take them too. */
	nextReturnCountingRefusedMs(): number {
		const start = this.usage.startOfExcessCountingRefused(this.capacity);
		return start + this.lengthMs + this.marginMs + OVERTAKING_MS;
	}

	/** @param edge what was seen, if the window is none of that length after all */
	shorten(lengthMs: number, edge: Edge): void {
		this.lengthMs = lengthMs;
		if (this.edge) this.edge = edge;
		this.edgeOfMinute = edge;
	}

	/** @returns whether it had been thought shorter than a minute */
	lengthen(): boolean {
		if (this.lengthMs === MINUTE_MS) return false;
		this.lengthMs = MINUTE_MS;
		this.edge = this.edgeOfMinute;
		return true;
	}

	/** When the next place comes back from a window of a shorter length; the ones after the moment only. */
	shorterReturnMs(outage: Outage, leastLengthMs: number): number {
		for (const { atMs, lengthMs } of this.shorterReturns(outage)) {
			if (lengthMs >= leastLengthMs && atMs > outage.refusedMs + 0.3 * (outage.lengthMs + 100)) return atMs;
		}
		return Infinity;
	}

	/** The shorter length that foretold the probe. */
	shorterLengthMs({ startMs }: LoggedRequest, outage: Outage): number | undefined {
		return this.shorterReturns(outage).find(
			({ atMs, lengthMs }) =>
				atMs > outage.refusedMs && startMs >= atMs - 1 && startMs - atMs < 0.02 * lengthMs,
		)?.lengthMs;
	}

	private shorterReturns(outage: Outage): Array<{ atMs: number; lengthMs: number }> {
		if (this.capacity < LEAST_PLACES * this.usage.nextCost) return [];
		const { edge } = this;
		if (edge) {
			return SHORTER_LENGTHS_MS.filter((lengthMs) => lengthMs < this.lengthMs).map((lengthMs) => ({
				lengthMs,
				atMs: latestEdge(edge, outage.sinceMs, lengthMs).byMs + lengthMs + this.marginMs,
			}));
		}
		const taken = this.takenAt(outage.sinceMs);
		const leaving = this.usage.startOfExcess(taken + this.usage.nextCost - this.capacity);
		if (leaving === undefined) return [];
		return SHORTER_LENGTHS_MS.filter((lengthMs) => lengthMs < this.lengthMs).map((lengthMs) => ({
			lengthMs,
			atMs: leaving + lengthMs + this.marginMs,
		}));
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

	/** Begins again with what got through in the window before a refusal. */
	restart(refused: LoggedRequest): void {
		this.edge = undefined;
		this.capacity = Math.max(this.usage.nextCost, this.usage.since(refused.startMs - this.lengthMs, refused));
	}

	/** Places come back a little later than thought. */
	widenMargin(): void {
		if (this.marginMs < 640) this.marginMs *= 2;
	}

	/** @param refusedMs start of the last refused request before the probe */
	readReturn(probe: LoggedRequest, refusedMs: number): Return {
		const at = probe.startMs;
		const { edge } = this;
		if (edge && at >= edge.byMs + this.lengthMs - 1) {
			this.moveEdge(edge, at, refusedMs);
			return 'predicted';
		}
		if (edge && at > edge.afterMs + this.lengthMs) {
			this.moveEdge(edge, at, refusedMs);
			return 'near';
		}
		const used = this.usage.since(at - this.lengthMs, probe);
		const usedThen = this.usage.since(refusedMs - this.lengthMs, probe);
		const hasExpired = used < usedThen && used + this.usage.nextCost <= this.capacity + TOLERANCE;
		return hasExpired ? 'predicted' : 'unexpected';
	}

	/** Before this moment, nothing counts. It may move on with each call. */
	private boundaryMs(now: number): number {
		if (!this.edge) return now - this.lengthMs - this.marginMs;
		this.edge = latestEdge(this.edge, now, this.lengthMs);
		return this.edge.byMs - 1;
	}

	/** What requests have taken of the window at the moment. */
	private takenAt(atMs: number, sinceEdge = true): number {
		const edgeMs = sinceEdge && this.edge && this.edge.byMs <= atMs ? this.edge.byMs - 1 : -Infinity;
		const taken = this.usage.between(Math.max(atMs - this.lengthMs, edgeMs), atMs + OVERTAKING_MS);
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
		const withMargin = this.usage.between(startMs - this.lengthMs - 1000, startMs + OVERTAKING_MS);
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
		const refused = this.usage.since(refusedLast.startMs - this.lengthMs, refusedLast, costOfRefused);
		const missing = this.capacity - sinceEdge;
		if (refused < 3 * cost || Math.abs(missing - refused) > Math.max(cost, 0.3 * refused)) return false;
		this.usage.countRefused();
		return true;
	}

	private moveEdge(edge: Edge, atMs: number, refusedMs: number): void {
		const { afterMs, byMs } = latestEdge(edge, atMs + 1, this.lengthMs);
		this.edge = { afterMs: Math.max(afterMs, refusedMs), byMs: Math.max(byMs, atMs) };
	}
}

/** The last time before the moment at which a window with that edge turned. */
function latestEdge({ afterMs, byMs }: Edge, atMs: number, lengthMs: number): Edge {
	const laterMs = Math.max(0, Math.floor((atMs - byMs) / lengthMs)) * lengthMs;
	return { afterMs: afterMs + laterMs, byMs: byMs + laterMs };
}
