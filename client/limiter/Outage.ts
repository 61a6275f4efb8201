/** If one request in five fails by chance, five in a row happen once in three thousand times. */
const MIN_FAILURES_IN_A_ROW = 5;

/** The backoff between probes begins with the 500 ms of other retries (`backOff.ts`). */
const MIN_PROBE_GAP_MS = 500;
const MAX_PROBE_GAP_MS = 5000;

/** A longer `Retry-After` would keep the calls waiting long after the service is back. */
const MAX_FOLLOWED_RETRY_AFTER_MS = 60_000;

/**
 * Notices that a service takes no requests at all, whatever it says: 503, 502 or no connection. From the fifth failure in a row
 * until a request gets through, requests start one at a time, as probes: the first 0.5 s after that failure, the next 1, 2, 4 and then
 * 5 s after the previous probe failed, but none before the service's `Retry-After` is over.
 */
export class Outage {
	private failuresInARow = 0;

	private failedProbes = 0;

	private nextMs = -Infinity;

	get isActive(): boolean {
		return this.failuresInARow >= MIN_FAILURES_IN_A_ROW;
	}

	/** Says when the next probe may start. It is in the past if there is no outage. */
	get nextProbeMs(): number {
		return this.isActive ? this.nextMs : -Infinity;
	}

	/** If a probe has not ended after five seconds, another one may start. */
	probeStarted(now: number): void {
		this.nextMs = now + MAX_PROBE_GAP_MS;
	}

	/**
	 * Counts a failure, and plans the next probe if there is an outage.
	 * @param retryAfterMs the wait that the service asks everybody for, or 0
	 */
	failed(isProbe: boolean, now: number, retryAfterMs: number): void {
		if (isProbe) this.failedProbes++;
		this.failuresInARow++;
		if (!this.isActive) return;
		const gapMs = Math.min(MAX_PROBE_GAP_MS, MIN_PROBE_GAP_MS * 2 ** this.failedProbes);
		if (isProbe) this.nextMs = Math.min(this.nextMs, now + gapMs);
		else if (this.failuresInARow === MIN_FAILURES_IN_A_ROW) this.nextMs = now + gapMs;
		this.nextMs = Math.max(this.nextMs, now + Math.min(MAX_FOLLOWED_RETRY_AFTER_MS, retryAfterMs));
	}

	/** Ends the outage, because a request got through. */
	passed(): void {
		this.failuresInARow = 0;
		this.failedProbes = 0;
	}
}
