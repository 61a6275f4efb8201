/** If one request in five gets a 503 by chance, five in a row happen once in three thousand times. */
const MIN_OVERLOADS_IN_A_ROW = 5;

/** The backoff between single requests during an overload. It begins with the 500 ms of other retries (`backOff.ts`). */
const MIN_OVERLOAD_BACKOFF_MS = 500;
const MAX_OVERLOAD_BACKOFF_MS = 5000;

/**
 * The time from the fifth overload in a row until a request gets through. Requests start one at a time then, with a backoff of
 * 0.5, 1, 2, 4 and then 5 s.
 */
export class Overload {
	private failuresInARow = 0;

	private nextProbeMs = -Infinity;

	/** How many single requests have met the overload again. */
	private failedProbes = 0;

	get isActive(): boolean {
		return this.failuresInARow >= MIN_OVERLOADS_IN_A_ROW;
	}

	/** When the next single request may start. */
	get nextStartMs(): number {
		return this.nextProbeMs;
	}

	/** Takes note of a single request. If it has not ended after five seconds, another one may start. */
	probeStarted(now: number): void {
		this.nextProbeMs = now + MAX_OVERLOAD_BACKOFF_MS;
	}

	/** @param isProbe whether the request that failed was a single one */
	failed(isProbe: boolean, now: number): void {
		if (isProbe) this.failedProbes++;
		this.failuresInARow++;
		if (!this.isActive) return;
		const gapMs = Math.min(MAX_OVERLOAD_BACKOFF_MS, MIN_OVERLOAD_BACKOFF_MS * 2 ** this.failedProbes);
		if (isProbe) this.nextProbeMs = Math.min(this.nextProbeMs, now + gapMs);
		else if (this.failuresInARow === MIN_OVERLOADS_IN_A_ROW) this.nextProbeMs = now + gapMs;
	}

	/** Ends the overload, because a request got through. */
	passed(): void {
		this.failuresInARow = this.failedProbes = 0;
	}
}
