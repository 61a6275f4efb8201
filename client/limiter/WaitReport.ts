import type { RateLimitName } from '../ServiceError';

/** Somebody who reads the log should see that the process is alive. */
const REPORT_EVERY_MS = 30_000;

/** A report about the calls that wait at one limiter. */
export interface Waiting {
	phase: 'begins' | 'continues' | 'ends';
	/** The time since calls began to wait. */
	waitedMs: number;
	/** The number of calls that wait now. */
	queued: number;
	/** The limit that the latest refusal named. */
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

	/** Whether the beginning of a wait was told, and not yet its end. */
	get isOpen(): boolean {
		return this.sinceMs !== undefined;
	}

	/** The time at which `look` has to be called again at the latest. */
	get lookAgainMs(): number {
		return this.nextMs;
	}

	/**
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
