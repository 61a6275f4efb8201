import { Alarm, type Clock } from './Alarm';
import { onAbort } from './onAbort';

const ATTEMPT_OVER = new Error('The attempt is over');

/**
 * Aborts one attempt when nothing has happened for its timeout, when the whole call is aborted, or when its reader stops
 * before the response is complete: an open response would keep its connection.
 */
export class IdleTimeout {
	/** Whether the attempt has ended because nothing happened. */
	isExpired = false;

	/** Whether the response has arrived as a whole. */
	isComplete = false;

	private readonly attempt = new AbortController();

	private readonly alarm: Alarm;

	private readonly unfollowCall: () => void;

	/** Infinity while it is paused. */
	private dueMs: number;

	private deadlineMs = Infinity;

	private wasLate = false;

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
		this.alarm = new Alarm(clock, () => this.look());
		this.alarm.set(this.dueMs);
		this.unfollowCall = onAbort(callSignal, () => this.attempt.abort(callSignal.reason));
	}

	/** Aborted when the attempt must end. */
	get signal(): AbortSignal {
		return this.attempt.signal;
	}

	/** Something happened, or the pause is over: the timeout starts again. */
	refresh(): void {
		this.dueMs = this.clock.now() + this.timeoutMs;
	}

	/** Pauses the timeout, for time that the service is not responsible for. */
	pause(): void {
		this.dueMs = Infinity;
	}

	/** Ends the attempt after this many milliseconds, whatever happens. */
	endIn(milliseconds: number): void {
		this.deadlineMs = this.clock.now() + milliseconds;
		this.alarm.set(Math.min(this.dueMs, this.deadlineMs));
	}

	/** Gives everything else in the process a turn. */
	async giveWay(): Promise<void> {
		await this.clock.wait(0, this.signal).catch(() => {});
	}

	abort(reason: Error): void {
		this.attempt.abort(reason);
	}

	/** Ends the timer, because the attempt is over. */
	stop(): void {
		this.unfollowCall();
		this.alarm.set(Infinity);
		if (!this.isComplete) this.attempt.abort(ATTEMPT_OVER);
	}

	private look(): void {
		const now = this.clock.now();
		const endMs = Math.min(this.dueMs, this.deadlineMs);
		if (now >= endMs && this.wasLate) {
			this.isExpired = true;
			this.attempt.abort();
			return;
		}
		// A busy process may find the timer due before it has read what arrived in time, so it looks twice.
		this.wasLate = now >= endMs;
		this.alarm.set(Math.min(endMs, now + this.timeoutMs));
	}
}
