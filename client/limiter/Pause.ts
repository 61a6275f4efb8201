import { backOff } from '../backOff';
import type { Clock } from '../Clock';

/** Milliseconds. */
const SHORTEST_REPEATED_PAUSE_MS = 500;

/**
 * The time in which nothing may start after a refusal: as long as the service says, or else a back-off that ends with a
 * single probe.
 */
export class Pause {
	/** By the clock. */
	untilMs = 0;

	private fromMs = 0;

	private endedMs = 0;

	/** `due` after a pause of unknown length: the next request goes alone. */
	private probe: 'none' | 'due' | 'out' = 'none';

	/** Refusals that were news since a request last got through. */
	private refusedInARow = 0;

	constructor(
		private readonly clock: Clock,
		private readonly random: () => number,
	) {}

	/** Milliseconds of all pauses so far. */
	get totalMs(): number {
		return this.endedMs + Math.max(0, Math.min(this.clock.now(), this.untilMs) - this.fromMs);
	}

	/** Milliseconds until it is over; not positive when it is. */
	get leftMs(): number {
		return this.untilMs - this.clock.now();
	}

	/** Whether its length is a guess, so that it may be longer than it need be. */
	get isGuess(): boolean {
		return this.probe !== 'none';
	}

	/** How many requests may be in flight, for the sake of the probe. */
	get maxInFlight(): number {
		if (this.probe === 'out') return 0;
		return this.probe === 'due' ? 1 : Infinity;
	}

	/** @returns whether the request that starts is the probe */
	start(): boolean {
		const isProbe = this.probe === 'due';
		if (isProbe) this.probe = 'out';
		return isProbe;
	}

	/** The probe is over; unless it got through, the next request is another one. */
	takeBackProbe(): void {
		if (this.probe === 'out') this.probe = 'due';
	}

	/** The probe got through. */
	endProbing(): void {
		this.probe = 'none';
	}

	/** A request that started after the last refusal got through. */
	succeeded(): void {
		this.refusedInARow = 0;
	}

	/**
	 * @param retryAfterMs as the service says, where it does
	 * @param isNews whether the refused request started after the refusal before
	 * @returns whether the pause begins, or begins anew
	 */
	throttled(retryAfterMs: number | undefined, isNews: boolean): boolean {
		if (isNews) this.refusedInARow++;
		if (retryAfterMs !== undefined) this.extend(this.atLeast(retryAfterMs), 'none');
		else if (isNews) this.extend(backOff(this.refusedInARow, this.random), 'due');
		return isNews || retryAfterMs !== undefined;
	}

	private extend(milliseconds: number, probe: 'none' | 'due'): void {
		const now = this.clock.now();
		if (now >= this.untilMs) {
			this.endedMs += this.untilMs - this.fromMs;
			this.fromMs = now;
			this.untilMs = now;
		}
		this.untilMs = Math.max(this.untilMs, now + milliseconds);
		this.probe = probe;
	}

	/** "Retry after 0 seconds", or at a time that is over, would have a request sent again and again without end. */
	private atLeast(retryAfterMs: number): number {
		if (retryAfterMs >= SHORTEST_REPEATED_PAUSE_MS || this.refusedInARow <= 1) return retryAfterMs;
		return SHORTEST_REPEATED_PAUSE_MS + backOff(this.refusedInARow - 1, this.random);
	}
}
