import type { Clock } from './Clock';
import { onAbort } from './onAbort';
import type { Watchdog, Watched } from './Watchdog';

const ATTEMPT_OVER = new Error('The attempt is over');

/**
 * Aborts one attempt when nothing has happened for its timeout, when its deadline has passed, when the whole call is aborted,
 * or when it is left before its response was complete: an open response would keep its connection.
 */
export class IdleTimeout implements Watched {
	/** What has ended the attempt, if one of the two has. */
	expired: 'timeout' | 'deadline' | undefined;

	/** Whether the response has arrived as a whole. */
	isComplete = false;

	private readonly attempt = new AbortController();

	private readonly unfollowCall: () => void;

	private dueMs: number;

	private deadlineMs = Infinity;

	private pausedSinceMs: number | undefined;

	/**
	 * @param timeoutMs how long nothing may happen
	 * @param callSignal ends the attempt too; not aborted yet
	 */
	constructor(
		private readonly clock: Clock,
		private readonly watchdog: Watchdog,
		readonly timeoutMs: number,
		callSignal: AbortSignal,
	) {
		this.dueMs = clock.now() + timeoutMs;
		this.unfollowCall = onAbort(callSignal, () => this.attempt.abort(callSignal.reason));
		watchdog.watch(this);
	}

	/** Aborted when the attempt must end. */
	get signal(): AbortSignal {
		return this.attempt.signal;
	}

	/** Milliseconds until the attempt is late, as far as is known now. */
	get leftMs(): number {
		if (this.pausedSinceMs !== undefined) {
			return Math.min(this.timeoutMs, this.deadlineMs - this.pausedSinceMs);
		}
		return Math.min(this.dueMs, this.deadlineMs) - this.clock.now();
	}

	/** Something happened: the timeout starts again. */
	refresh(): void {
		this.dueMs = this.clock.now() + this.timeoutMs;
	}

	/** Ends the attempt after these milliseconds, whatever happens; in place of the deadline set before. */
	setDeadline(milliseconds: number): void {
		this.deadlineMs = this.clock.now() + milliseconds;
		if (this.deadlineMs < this.dueMs) this.watchdog.watch(this);
	}

	/** Until the timeout is resumed, the time that passes is not the service's. */
	pause(): void {
		this.pausedSinceMs = this.clock.now();
	}

	resume(): void {
		const now = this.clock.now();
		if (this.pausedSinceMs !== undefined) this.deadlineMs += now - this.pausedSinceMs;
		this.pausedSinceMs = undefined;
		this.dueMs = now + this.timeoutMs;
	}

	/** Nothing is left of the response, so that its connection need not be closed. */
	complete(): void {
		this.isComplete = true;
	}

	/** Ends the attempt at once. */
	abort(reason: Error): void {
		this.attempt.abort(reason);
	}

	/** The attempt is late. */
	expire(): void {
		this.expired = this.clock.now() >= this.deadlineMs ? 'deadline' : 'timeout';
		this.watchdog.unwatch(this);
		this.attempt.abort();
	}

	/** The attempt is over. */
	stop(): void {
		this.unfollowCall();
		this.watchdog.unwatch(this);
		if (!this.isComplete) this.attempt.abort(ATTEMPT_OVER);
	}
}
