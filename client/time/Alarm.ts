/** Describes the client's clock. It is a parameter so that tests can use virtual time. */
export interface Clock {
	/** Returns milliseconds since the Unix epoch. */
	now(): number;
	/**
	 * Waits. With 0 milliseconds, it waits until the event loop has handled the pending events.
	 * @throws the signal's reason when the signal aborts before the time is over
	 */
	wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

const SET_AGAIN = new Error('The alarm is set again');

/** Represents a timer that can be set again. While it is set, it keeps the process running. */
export class Alarm {
	private current: { atMs: number; controller: AbortController } | undefined;

	constructor(
		private readonly clock: Clock,
		private readonly ring: () => void,
	) {}

	/** Holds the time on the clock at which the alarm rings. It is Infinity if the alarm is not set. */
	get atMs(): number {
		return this.current?.atMs ?? Infinity;
	}

	/** Replaces the time that was set before. Infinity switches the alarm off. */
	set(atMs: number): void {
		if (atMs === this.atMs) return;
		this.current?.controller.abort(SET_AGAIN);
		this.current = undefined;
		if (atMs === Infinity) return;
		const alarm = { atMs, controller: new AbortController() };
		this.current = alarm;
		const ring = () => {
			if (this.current !== alarm) return;
			this.current = undefined;
			this.ring();
		};
		const replaced = () => {};
		this.clock.wait(Math.max(0, atMs - this.clock.now()), alarm.controller.signal).then(ring, replaced);
	}
}
