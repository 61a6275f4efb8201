/** Up to this share of 429s, the rate grows. */
const MAX_TOLERATED_SHARE = 0.1;

/** A larger share than this is never tolerated: the rate then stays at its minimum, which loses less than so many 429s. */
const MAX_STEADY_SHARE = 0.4;

/** If more than half of the requests are refused, the limit has become lower, and what got through before says nothing. */
const MAX_SHARE_AT_SAME_LIMIT = 0.5;

/** The share is a moving average over about this many outcomes: enough to tell a third from a half. */
const OUTCOMES_PER_AVERAGE = 32;

/** The rate never falls below this part of what got through in the best minute. */
const MIN_PART_OF_BEST = 0.5;

/** After a period without a 429, less is tolerated, because whoever caused the others may have gone. */
const DECAY = 0.9;

/**
 * Recognizes 429s that come at any rate, such as those of another client that takes what is free. A limit refuses less at a lower
 * rate. So when the rate has fallen to half of what got through in the best minute, and requests are still refused, the rate is
 * not the reason, and such a share of 429s is tolerated from then on. Idle time counts in the minute, and what got through before
 * there was a rate does not, so before the first minute is over, the rate may fall further. Repeated 429s that are blamed on an item
 * (`ItemBackoff`) do not count, so the share is somewhat lower than the service's.
 */
export class SteadyRefusals {
	private refusedShare = 0;

	/** Counts the requests per millisecond that got through in the best minute so far. */
	private bestPerMs = 0;

	private toleratedShare = MAX_TOLERATED_SHARE;

	/** Returns what got through in the best minute, in requests per millisecond. */
	get bestRatePerMs(): number {
		return this.bestPerMs;
	}

	/** The rate does not fall below this. */
	get minRatePerMs(): number {
		return MIN_PART_OF_BEST * this.bestPerMs;
	}

	count(isRefused: boolean): void {
		this.refusedShare += ((isRefused ? 1 : 0) - this.refusedShare) / OUTCOMES_PER_AVERAGE;
	}

	/**
	 * Remembers the best minute, but forgets it if most requests are refused.
	 * @param perMs the requests per millisecond that got through in the last minute
	 */
	measured(perMs: number): void {
		if (this.refusedShare > MAX_SHARE_AT_SAME_LIMIT) {
			this.bestPerMs = 0;
			this.toleratedShare = MAX_TOLERATED_SHARE;
		}
		this.bestPerMs = Math.max(this.bestPerMs, perMs);
	}

	/** Says whether it is known that 429s come at any rate, and no more come now. */
	get isSteady(): boolean {
		return this.toleratedShare > MAX_TOLERATED_SHARE && this.refusedShare <= this.toleratedShare;
	}

	/** Returns whether a share of 429s is small enough for the rate to grow. A few outcomes are too few to judge a larger share by. */
	tolerates(share: number): boolean {
		return share <= this.toleratedShare || this.isSteady;
	}

	/**
	 * Tolerates the present share of 429s from now on, and a little more: even the lowest rate has not made it smaller.
	 * @returns whether it was not tolerated before, but is now
	 */
	reachedMinRate(): boolean {
		if (this.isSteady || this.refusedShare >= MAX_STEADY_SHARE) return false;
		this.toleratedShare = Math.min(MAX_STEADY_SHARE, this.refusedShare + MAX_TOLERATED_SHARE);
		return true;
	}

	periodWithout429(): void {
		this.toleratedShare = Math.max(MAX_TOLERATED_SHARE, DECAY * this.toleratedShare);
	}
}
