import { backOff } from '../backOff';

/** The latest outcomes that decide whether the service is overloaded. */
const OUTCOMES_SEEN = 10;

/** So many failures of the latest outcomes are the service's, not one item's. */
const FAILURES_OF_AN_OVERLOAD = 4;

/**
 * Holds everything back a little while a service answers 503 or not in time, so that what failed together does not come
 * back together. As TCP does: half as many in flight after a failure, one more after each round that went well. A few
 * failures among many successes change nothing.
 */
export class Overload {
	/** Most requests in flight. */
	maxInFlight = Infinity;

	/** By the clock of the limiter. */
	notBeforeMs = -Infinity;

	private readonly outcomes: boolean[] = [];

	private cuts = 0;

	private passedSinceGrowth = 0;

	/** Requests that started before the latest cut tell nothing new. */
	private cutIndex = 0;

	constructor(private readonly random: () => number) {}

	succeeded(): void {
		this.note(true);
		this.passedSinceGrowth++;
		if (this.passedSinceGrowth < this.maxInFlight) return;
		this.passedSinceGrowth = 0;
		this.maxInFlight++;
		this.cuts = 0;
		if (this.maxInFlight > MOST_IN_FLIGHT_KEPT) this.maxInFlight = Infinity;
	}

	/**
	 * @param index of the failed request, counting starts
	 * @param starts requests started so far
	 * @param inFlight how many are in flight besides it
	 */
	failed(nowMs: number, index: number, starts: number, inFlight: number): void {
		this.note(false);
		const failures = this.outcomes.filter((isSuccess) => !isSuccess).length;
		if (failures < FAILURES_OF_AN_OVERLOAD || index < this.cutIndex) return;
		this.cuts++;
		this.cutIndex = starts;
		this.passedSinceGrowth = 0;
		this.maxInFlight = Math.max(1, Math.floor(Math.min(this.maxInFlight, inFlight + 1) / 2));
		this.notBeforeMs = nowMs + backOff(this.cuts, this.random);
	}

	private note(isSuccess: boolean): void {
		this.outcomes.push(isSuccess);
		if (this.outcomes.length > OUTCOMES_SEEN) this.outcomes.shift();
	}
}

/** More than this is no bound any more. */
const MOST_IN_FLIGHT_KEPT = 1000;
