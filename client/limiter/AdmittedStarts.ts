/** The rate is measured over a minute, because the service's limits are per minute (RPM, TPM, IPM). */
const MEASURED_MS = 60_000;

/** A probe may get through a minute after the refusal, and then the minute before that refusal is measured. */
const KEPT_MS = 2 * MEASURED_MS;

/** A shorter time may hold only a burst of a few requests, which says little about the rate. */
const MIN_MEASURED_MS = 1000;

/** Old starts are dropped by halves, so that dropping them costs little. */
const MIN_DROPPED = 32;

/** Knows when the admitted requests of at least the last two minutes started, in the order in which they were admitted. */
export class AdmittedStarts {
	private startsMs: number[] = [];

	add(startMs: number, now: number): void {
		this.startsMs.push(startMs);
		const half = this.startsMs.length >> 1;
		if (half >= MIN_DROPPED && this.startsMs[half]! < now - KEPT_MS) this.startsMs.splice(0, half);
	}

	remove(startMs: number): void {
		const at = this.startsMs.lastIndexOf(startMs);
		if (at >= 0) this.startsMs.splice(at, 1);
	}

	/** Returns the rate, per millisecond, at which requests were admitted between two times. */
	rateBetween(fromMs: number, untilMs: number): number {
		return this.countBetween(fromMs, untilMs) / Math.max(1, untilMs - fromMs);
	}

	/**
	 * Returns the mean rate, per millisecond, over the minute that ends at a time.
	 * @param sinceMs requests that started before do not count
	 */
	meanRate(endMs: number, sinceMs = -Infinity): number {
		return this.countBetween(Math.max(sinceMs, endMs - MEASURED_MS), endMs) / MEASURED_MS;
	}

	/**
	 * Returns the highest rate, per millisecond, at which requests started that are admitted by now, in a time that ends at `endMs` and
	 * is at most a minute long. In a longer time with a pause in it, such as between a form and a large run, the service would have admitted more.
	 */
	highestRate(endMs: number): number {
		const recent = this.startsMs.filter((ms) => ms > endMs - MEASURED_MS && ms <= endMs);
		return recent.reduce((highest, startMs, index) => {
			const rate = (recent.length - index) / Math.max(MIN_MEASURED_MS, endMs - startMs);
			return Math.max(highest, rate);
		}, 0);
	}

	private countBetween(fromMs: number, untilMs: number): number {
		return this.startsMs.filter((ms) => ms > fromMs && ms <= untilMs).length;
	}
}
