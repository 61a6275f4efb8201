import { Alarm, type Clock } from './Alarm';
import { onAbort } from './abort';

const ATTEMPT_OVER = new Error('The attempt is over');

const NEVER = new AbortController().signal;

/** Watches all attempts of a client with one timer. A timer for each would cost more than the rest of an attempt. */
export class Watchdog {
	private readonly watched = new Set<IdleTimeout>();

	private readonly alarm: Alarm;

	constructor(readonly clock: Clock) {
		// In a busy process, the timer may be due before the event loop has read data that arrived in time.
		this.alarm = new Alarm(clock, () => void clock.wait(0, NEVER).then(() => this.look()));
	}

	/** Begins to watch a timeout. For a timeout that is already watched, notes that it may end earlier. */
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

/** Aborts one attempt after its idle timeout, at its deadline (`endIn`), or when the whole call is aborted. */
export class IdleTimeout {
	private expiredMs: number | undefined;

	private readonly attempt = new AbortController();

	/** The signal is aborted when the attempt must end. */
	readonly signal = this.attempt.signal;

	private readonly unfollowCall: () => void;

	/** Holds the time at which the attempt ends if nothing happens. It is Infinity while the timeout is paused. */
	private dueMs: number;

	private deadline = { atMs: Infinity, afterMs: Infinity };

	/**
	 * Begins the timeout of one attempt, which the watchdog watches.
	 * @param timeoutMs the longest time that may pass without a `refresh`
	 * @param callSignal ends the attempt too; must not be aborted yet
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

	/**
	 * Holds the limit that ended the attempt, in milliseconds: the idle timeout, or the span given to `endIn`. It is undefined if neither
	 * ended it.
	 */
	get expiredAfterMs(): number | undefined {
		return this.expiredMs;
	}

	/** Says when the attempt ends if nothing happens. */
	get endMs(): number {
		return this.dueMs === Infinity ? Infinity : Math.min(this.dueMs, this.deadline.atMs);
	}

	/** Starts the timeout again, after data arrived or at the end of a pause. */
	refresh(): void {
		this.dueMs = this.watchdog.clock.now() + this.timeoutMs;
	}

	/** Pauses the timeout while the client, not the service, causes the delay. */
	pause(): void {
		this.dueMs = Infinity;
	}

	/** Sets a deadline, after which the attempt ends even if data arrives. If the timeout is paused then, it ends after the pause. */
	endIn(milliseconds: number): void {
		this.deadline = { atMs: this.watchdog.clock.now() + milliseconds, afterMs: milliseconds };
		this.watchdog.watch(this);
	}

	/** Stops watching an attempt whose response has been read to the end. */
	stop(): void {
		this.unfollowCall();
		this.watchdog.unwatch(this);
	}

	/** Stops watching the attempt, and closes its connection if that is still in use. */
	abort(): void {
		this.stop();
		this.attempt.abort(ATTEMPT_OVER);
	}

	/**
	 * Aborts the attempt if its time is over.
	 * @returns when to look again
	 */
	look(now: number): number {
		const { endMs } = this;
		if (now < endMs) return Math.min(endMs, now + this.timeoutMs);
		this.expiredMs = endMs === this.dueMs ? this.timeoutMs : this.deadline.afterMs;
		this.attempt.abort();
		return Infinity;
	}
}
