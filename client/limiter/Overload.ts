import { backOff } from '../backOff';

/** Outcomes over which the share of failures is averaged. */
const OUTCOMES_SEEN = 10;

/** Four failures in a row make so much, three do not: fewer are items' own, and not the service's. */
const MOST_FAILING = 0.3;

/** Above this, nothing is bounded any more. */
const MOST_IN_FLIGHT = 1000;

/**
 * Holds everything back a little while a service answers 503 or not in time, so that what failed together does not come
 * back together. As TCP does: half as many in flight after a failure, one more after each round that went well.
 */
export class Overload {
	maxInFlight = Infinity;

	/** By the clock of the limiter. */
	notBeforeMs = -Infinity;

	/** Share of the latest outcomes. */
	private failing = 0;

	private cuts = 0;

	private passedSinceGrowth = 0;

	/** Requests that started before the latest cut tell nothing new. */
	private cutIndex = 0;

	constructor(private readonly random: () => number) {}

	succeeded(): void {
		this.failing -= this.failing / OUTCOMES_SEEN;
		if (++this.passedSinceGrowth < this.maxInFlight) return;
		this.passedSinceGrowth = 0;
		this.cuts = 0;
		this.maxInFlight = this.maxInFlight < MOST_IN_FLIGHT ? this.maxInFlight + 1 : Infinity;
	}

	/**
	 * @param index of the failed request, counting starts
	 * @param starts requests started so far
	 * @param inFlight how many are in flight, this one included
	 */
	failed(nowMs: number, index: number, starts: number, inFlight: number): void {
		this.failing += (1 - this.failing) / OUTCOMES_SEEN;
		if (this.failing < MOST_FAILING || index < this.cutIndex) return;
		this.cuts++;
		this.cutIndex = starts;
		this.passedSinceGrowth = 0;
		this.maxInFlight = Math.max(1, Math.floor(Math.min(this.maxInFlight, inFlight) / 2));
		this.notBeforeMs = nowMs + backOff(this.cuts, this.random);
	}
}
