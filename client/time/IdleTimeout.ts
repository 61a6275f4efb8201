import { Alarm, type Clock } from './Alarm';
import { onAbort } from './onAbort';

const ATTEMPT_OVER = new Error('The attempt is over');

const NEVER = new AbortController().signal;

/** Looks after the attempts of a client with one timer: to set one and end it again costs more than the rest of an attempt. */
export class Watchdog {
	private readonly watched = new Set<IdleTimeout>();

	private readonly alarm: Alarm;

	constructor(readonly clock: Clock) {
		// A busy process may find the timer due before it has read what arrived in time.
		this.alarm = new Alarm(clock, () => void clock.wait(0, NEVER).then(() => this.look()));
	}

	/** Begins to watch a timeout, or looks at it earlier than planned. */
	watch(timeout: IdleTimeout): void {
		this.watched.add(timeout);
		if (timeout.endMs < this.alarm.atMs) this.alarm.set(timeout.endMs);
	}

	unwatch(timeout: IdleTimeout): void {
		this.watched.delete(timeout);
		if (this.watched.size === 0) this.alarm.set(Infinity);
	}

	private look(): void {
		const now = this.clock.now();
		let nextMs = Infinity;
		for (const timeout of this.watched) nextMs = Math.min(nextMs, timeout.look(now));
		this.alarm.set(nextMs);
	}
}

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

	/** Aborted when the attempt must end. */
	readonly signal = this.attempt.signal;

	private readonly unfollowCall: () => void;

	/** Infinity while it is paused. */
	private dueMs: number;

	private deadlineMs = Infinity;

	/**
	 * @param timeoutMs how long nothing may happen
	 * @param callSignal ends the attempt too; not aborted yet
	 */
	constructor(
		private readonly watchdog: Watchdog,
		readonly timeoutMs: number,
		callSignal: AbortSignal,
	) {
		this.dueMs = watchdog.clock.now() + timeoutMs;
		watchdog.watch(this);
		this.unfollowCall = onAbort(callSignal, () => this.attempt.abort(callSignal.reason));
	}

	/** When the attempt ends if nothing happens. */
	get endMs(): number {
		return Math.min(this.dueMs, this.deadlineMs);
	}

	/** Something happened, or the pause is over: the timeout starts again. */
	refresh(): void {
		this.dueMs = this.watchdog.clock.now() + this.timeoutMs;
	}

	/** Pauses the timeout, for time that the service is not responsible for. */
	pause(): void {
		this.dueMs = Infinity;
	}

	/** Ends the attempt after this many milliseconds, whatever happens. */
	endIn(milliseconds: number): void {
		this.deadlineMs = this.watchdog.clock.now() + milliseconds;
		this.watchdog.watch(this);
	}

	/** Gives everything else in the process a turn. */
	async giveWay(): Promise<void> {
		await this.watchdog.clock.wait(0, NEVER);
	}

	/** The attempt is over. */
	stop(): void {
		this.unfollowCall();
		this.watchdog.unwatch(this);
		if (!this.isComplete) this.attempt.abort(ATTEMPT_OVER);
	}

	/** @returns when to look again */
	look(now: number): number {
		const { endMs } = this;
		if (now < endMs) return Math.min(endMs, now + this.timeoutMs);
		this.isExpired = true;
		this.attempt.abort();
		return Infinity;
	}
}
