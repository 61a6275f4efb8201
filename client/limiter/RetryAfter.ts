/**
 * A longer `Retry-After` without a limit per day is probably a mistake of the service. It is followed for a minute only, and then
 * a single request finds out.
 */
const MAX_FOLLOWED_MS = 3_600_000;
const FOLLOWED_IF_TOO_LONG_MS = 60_000;

/**
 * An item whose Max Wait ends with a `Retry-After` may wait this much longer: timers are late, and a probe of another item goes
 * first.
 */
const GRACE_MS = 500;

/** Remembers the longest `Retry-After` that all calls of a limiter follow. */
export class RetryAfter {
	private namedEndMs = -Infinity;

	private pauseEndMs = -Infinity;

	/** Nothing starts before this time. It is earlier than the end that the service named if that is too late to be followed. */
	get endMs(): number {
		return this.pauseEndMs;
	}

	/** A call fails at once if its Max Wait ends before this time. */
	minEndOfWaitMs(now: number): number {
		return now < this.pauseEndMs ? this.namedEndMs : -Infinity;
	}

	/** A wait that is too long to be meant is followed for a minute only, so that a mistake of the service does not stop everything. */
	static followedMs(retryAfterMs: number): number {
		return retryAfterMs > MAX_FOLLOWED_MS ? FOLLOWED_IF_TOO_LONG_MS : retryAfterMs;
	}

	extend(now: number, retryAfterMs: number): void {
		this.namedEndMs = Math.max(this.namedEndMs, now + retryAfterMs);
		this.pauseEndMs = Math.max(this.pauseEndMs, now + RetryAfter.followedMs(retryAfterMs));
	}

	/** Returns the end of a call's Max Wait, with some grace if it is about the end of the `Retry-After`. */
	withGrace(endOfWaitMs: number, now: number): number {
		const isInPause = now < this.namedEndMs && this.namedEndMs <= endOfWaitMs;
		return isInPause ? Math.max(endOfWaitMs, this.namedEndMs + GRACE_MS) : endOfWaitMs;
	}
}
