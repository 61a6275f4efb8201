import { Alarm, type Clock } from './Alarm';
import { onAbort } from './abort';

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

/** Aborts one attempt when nothing has happened for its timeout, when its time is over, or when the whole call is aborted. */
export class IdleTimeout {
	/** For how many milliseconds nothing had happened when the attempt was ended for that. */
	expiredAfterMs: number | undefined;

	private readonly attempt = new AbortController();

	/** Aborted when the attempt must end. */
	readonly signal = this.attempt.signal;

	private readonly unfollowCall: () => void;

	/** Infinity while it is paused. */
	private dueMs: number;

	private deadline = { atMs: Infinity, afterMs: Infinity };

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
		return this.dueMs === Infinity ? Infinity : Math.min(this.dueMs, this.deadline.atMs);
	}

	/** Something happened, or the pause is over: the timeout starts again. */
	refresh(): void {
		this.dueMs = this.watchdog.clock.now() + this.timeoutMs;
	}

	/** Pauses the timeout, for time that the service is not responsible for. */
	pause(): void {
		this.dueMs = Infinity;
	}

	/** Ends the attempt after this many milliseconds, whatever happens; at the end of a pause that lasts longer. */
	endIn(milliseconds: number): void {
		this.deadline = { atMs: this.watchdog.clock.now() + milliseconds, afterMs: milliseconds };
		this.watchdog.watch(this);
	}

	/** The attempt is over, and its response has been read to the end. */
	stop(): void {
		this.unfollowCall();
		this.watchdog.unwatch(this);
	}

	/** The attempt is over. Closes its connection if that is still in use. */
	abort(): void {
		this.stop();
		this.attempt.abort(ATTEMPT_OVER);
	}

	/** @returns when to look again */
	look(now: number): number {
		const { endMs } = this;
		if (now < endMs) return Math.min(endMs, now + this.timeoutMs);
		this.expiredAfterMs = endMs === this.dueMs ? this.timeoutMs : this.deadline.afterMs;
		this.attempt.abort();
		return Infinity;
	}
}
