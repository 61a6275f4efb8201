import { Alarm } from './Alarm';
import type { Clock } from './Clock';

/** Keeps the time of all attempts of a client with one timer, which holds nothing of those that are over. */
export class IdleWatch {
	private readonly timers = new Set<IdleTimer>();

	private readonly alarm: Alarm;

	private readonly followed = new WeakSet<AbortSignal>();

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
		if (callSignal.aborted) timer.abort(callSignal.reason);
		else this.follow(callSignal);
		return timer;
	}

	/** All calls of an execution end by the same signal: one listener does for them. */
	private follow(signal: AbortSignal): void {
		if (this.followed.has(signal)) return;
		this.followed.add(signal);
		const end = () => {
			for (const timer of this.timers) if (timer.callSignal === signal) timer.abort(signal.reason);
		};
		signal.addEventListener('abort', end, { once: true });
	}

	private look(): void {
		for (const timer of this.timers) {
			if (timer.dueMs <= this.clock.now()) timer.abort();
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

	/** When the attempt expires unless something happens before, by the clock. */
	dueMs = 0;

	constructor(
		private readonly clock: Clock,
		private readonly timeoutMs: number,
		readonly callSignal: AbortSignal,
		private readonly onStop: () => void,
	) {
		this.touch();
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

	/** Ends the attempt: its time is over, or the call's signal says so. */
	abort(reason?: unknown): void {
		this.attempt.abort(reason);
	}

	/** To be called when the attempt is over. */
	stop(): void {
		if (!this.isComplete) this.attempt.abort();
		this.onStop();
	}
}
