import type { RateLimitName } from '../ServiceError';

/** Somebody who reads the log should see that the process is alive. */
const REPORT_EVERY_MS = 30_000;

export interface Waiting {
	phase: 'begins' | 'continues' | 'ends';
	/** Holds the time since calls began to wait. */
	waitedMs: number;
	/** Counts the calls that wait now, without those that wait for a slot of their run. */
	queued: number;
	/** Holds the limit that the latest refusal named. It is undefined if the refusal named none. */
	limit?: RateLimitName;
}

/**
 * Tells when calls begin to wait, every half minute while they do, and when none waits any more. Near a limit, calls wait and go
 * through in turns. So waiting is over only when no call has waited for half a minute, or no call is left.
 */
export class WaitReport {
	private sinceMs: number | undefined;

	private latestWaitMs = -Infinity;

	private nextMs = Infinity;

	constructor(private readonly tell: (waiting: Waiting) => void) {}

	/** Says whether the beginning of a wait was told, and not yet its end. */
	get isOpen(): boolean {
		return this.sinceMs !== undefined;
	}

	/** `look` has to be called again at this time at the latest. It is Infinity while no wait is to be told. */
	get nextLookMs(): number {
		return this.nextMs;
	}

	/**
	 * Tells what has changed, if it is time to.
	 * @param queued the number of calls that wait for the limiter now
	 * @param isIdle whether no call is left
	 */
	look(now: number, queued: number, isIdle: boolean, limit: RateLimitName | undefined): void {
		if (queued > 0) this.latestWaitMs = now;
		const tell = (phase: Waiting['phase'], sinceMs: number) =>
			this.tell({ phase, waitedMs: now - sinceMs, queued, limit });
		if (this.sinceMs === undefined) {
			if (queued === 0) return;
			this.sinceMs = now;
			this.nextMs = now + REPORT_EVERY_MS;
			tell('begins', now);
		} else if (queued === 0 && (isIdle || now >= this.latestWaitMs + REPORT_EVERY_MS)) {
			const { sinceMs } = this;
			this.sinceMs = undefined;
			this.nextMs = Infinity;
			tell('ends', sinceMs);
		} else if (now >= this.nextMs) {
			this.nextMs = now + REPORT_EVERY_MS;
			if (queued > 0) tell('continues', this.sinceMs);
		}
	}
}
