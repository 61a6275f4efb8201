import type { Clock } from './Clock';
import { onAbort } from './onAbort';

const ATTEMPT_OVER = new Error('The attempt is over');

/**
 * Aborts one attempt when nothing has happened for its timeout, when its deadline has passed, when the whole call is
 * aborted, or when its reader stops before the response is complete: an open response would keep its connection.
 */
export class IdleTimeout {
	/** What ended the attempt, if it was one of the two. */
	expired: 'timeout' | 'deadline' | undefined;

	/** Whether the response has arrived as a whole. */
	isComplete = false;

	private readonly attempt = new AbortController();

	/** Aborted when there is nothing left to wait for. This ends the timer. */
	private readonly over = new AbortController();

	private readonly unfollowCall: () => void;

	private dueMs: number;

	private deadlineMs = Infinity;

	private mayGoOn: () => boolean = () => false;

	private pausedSinceMs: number | undefined;

	/**
	 * @param timeoutMs how long nothing may happen
	 * @param callSignal ends the attempt too; not aborted yet
	 */
	constructor(
		private readonly clock: Clock,
		readonly timeoutMs: number,
		callSignal: AbortSignal,
	) {
		this.dueMs = clock.now() + timeoutMs;
		this.unfollowCall = onAbort(callSignal, () => this.attempt.abort(callSignal.reason));
		void this.watch();
	}

	/** Aborted when the attempt must end. */
	get signal(): AbortSignal {
		return this.attempt.signal;
	}

	/** Something happened: the timeout starts again. */
	refresh(): void {
		this.dueMs = this.clock.now() + this.timeoutMs;
	}

	/**
	 * Ends the attempt after this many milliseconds, whatever happens. Replaces the deadline set before.
	 * @param mayGoOn asked at the deadline; if it returns true, the attempt gets the same time again
	 */
	setDeadline(milliseconds: number, mayGoOn: () => boolean = () => false): void {
		this.deadlineMs = this.clock.now() + milliseconds;
		this.mayGoOn = () => {
			if (!mayGoOn()) return false;
			this.deadlineMs = this.clock.now() + milliseconds;
			return true;
		};
		// Otherwise the timer that is already set would ring too late.
		if (this.deadlineMs < this.dueMs) void this.watch();
	}

	/** Pauses the timeout, for time that the service is not responsible for. */
	pause(): void {
		this.pausedSinceMs = this.clock.now();
	}

	resume(): void {
		const now = this.clock.now();
		if (this.pausedSinceMs !== undefined) this.deadlineMs += now - this.pausedSinceMs;
		this.pausedSinceMs = undefined;
		this.dueMs = now + this.timeoutMs;
	}

	/** Gives everything else in the process a turn. */
	async giveWay(): Promise<void> {
		await this.clock.wait(0, this.signal).catch(() => {});
	}

	/** The response has been read to its end, so its connection need not be closed. */
	complete(): void {
		this.isComplete = true;
	}

	abort(reason: Error): void {
		this.attempt.abort(reason);
	}

	/** Ends all timers, because the attempt is over. */
	stop(): void {
		this.unfollowCall();
		this.over.abort(ATTEMPT_OVER);
		if (!this.isComplete) this.attempt.abort(ATTEMPT_OVER);
	}

	/** Milliseconds until the attempt is late, as far as is known now. */
	private get leftMs(): number {
		if (this.pausedSinceMs !== undefined) {
			return Math.min(this.timeoutMs, this.deadlineMs - this.pausedSinceMs);
		}
		return Math.min(this.dueMs, this.deadlineMs) - this.clock.now();
	}

	private async watch(): Promise<void> {
		let wasLate = false;
		while (!this.over.signal.aborted) {
			const leftMs = this.leftMs;
			if (leftMs <= 0 && wasLate) {
				const isDeadline = this.clock.now() >= this.deadlineMs;
				if (!isDeadline || !this.mayGoOn()) return this.expire(isDeadline);
			}
			// A busy process may find the timer due before it has read what arrived in time, so it looks twice.
			wasLate = leftMs <= 0;
			await this.clock.wait(Math.max(0, leftMs), this.over.signal).catch(() => {});
		}
	}

	private expire(isDeadline: boolean): void {
		this.expired = isDeadline ? 'deadline' : 'timeout';
		this.over.abort(ATTEMPT_OVER);
		this.attempt.abort();
	}
}
