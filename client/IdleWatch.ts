import { Alarm } from './Alarm';
import type { Clock } from './Clock';

/** Keeps the time of all attempts of a client with one timer, which holds nothing of those that are over. */
export class IdleWatch {
	private readonly timers = new Set<IdleTimer>();

	private readonly alarm: Alarm;

	constructor(private readonly clock: Clock) {
		this.alarm = new Alarm(clock, () => this.look());
	}

	/**
	 * Begins an attempt.
	 * @param timeoutMs how long nothing may happen
	 * @param callSignal ends the attempt too
	 */
	start(timeoutMs: number, callSignal: AbortSignal): IdleTimer {
		const timer = new IdleTimer(this.clock, timeoutMs, callSignal, () => this.timers.delete(timer));
		this.timers.add(timer);
		this.alarm.set(timer.dueMs);
		return timer;
	}

	private look(): void {
		for (const timer of this.timers) {
			if (timer.dueMs <= this.clock.now()) timer.expire();
			else this.alarm.set(timer.dueMs);
		}
	}
}

/**
 * Aborts one attempt when nothing has happened for its time-out, when the whole call is aborted, or when it is left
 * before its response was complete: an open response would keep its connection.
 */
export class IdleTimer {
	private readonly attempt = new AbortController();

	private isComplete = false;

	private readonly onCallAborted = () => this.attempt.abort(this.callSignal.reason);

	/** When the attempt expires unless something happens before, by the clock. */
	dueMs = 0;

	constructor(
		private readonly clock: Clock,
		private readonly timeoutMs: number,
		private readonly callSignal: AbortSignal,
		private readonly onStop: () => void,
	) {
		this.touch();
		callSignal.addEventListener('abort', this.onCallAborted);
		if (callSignal.aborted) this.onCallAborted();
	}

	/** Aborted when the attempt must end. */
	get signal(): AbortSignal {
		return this.attempt.signal;
	}

	/** Whether it was the timer that ended the attempt. */
	get expired(): boolean {
		return this.attempt.signal.aborted && !this.callSignal.aborted;
	}

	/** Something happened: the time-out begins anew. */
	touch(): void {
		this.dueMs = this.clock.now() + this.timeoutMs;
	}

	/** The response has arrived as a whole. */
	complete(): void {
		this.isComplete = true;
	}

	expire(): void {
		this.attempt.abort();
	}

	/** To be called when the attempt is over. */
	stop(): void {
		if (!this.isComplete) this.attempt.abort();
		this.callSignal.removeEventListener('abort', this.onCallAborted);
		this.onStop();
	}
}
