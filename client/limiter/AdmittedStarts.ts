/** The rate is measured over a minute, because the service's limits are per minute (RPM, TPM, IPM). */
const MEASURED_MS = 60_000;

/** A shorter time may hold only a burst of a few requests, which says little about the rate. */
const MIN_MEASURED_MS = 1000;

/** Old starts are dropped by halves, so that dropping them costs little. */
const MIN_DROPPED = 32;

/** When the admitted requests of at least the last minute started. */
export class AdmittedStarts {
	private startsMs: number[] = [];

	get isEmpty(): boolean {
		return this.startsMs.length === 0;
	}

	add(startMs: number, now: number): void {
		this.startsMs.push(startMs);
		const half = this.startsMs.length >> 1;
		if (half >= MIN_DROPPED && this.startsMs[half]! < now - MEASURED_MS) this.startsMs.splice(0, half);
	}

	remove(startMs: number): void {
		const at = this.startsMs.lastIndexOf(startMs);
		if (at >= 0) this.startsMs.splice(at, 1);
	}

	/**
	 * The highest rate, per millisecond, at which requests were admitted in a time that ends now and is at most a minute long. In a
	 * longer time with a pause in it, such as between a form and a large run, the service would have admitted more.
	 */
	highestRate(now: number): number {
		const recent = this.startsMs.filter((ms) => ms > now - MEASURED_MS);
		return recent.reduce((highest, startMs, index) => {
			const rate = (recent.length - index) / Math.max(MIN_MEASURED_MS, now - startMs);
			return Math.max(highest, rate);
		}, 0);
	}
}
