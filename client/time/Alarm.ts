/** Time as the client sees it. It is passed in so that tests can move it. */
export interface Clock {
	/** Milliseconds since the Unix epoch. */
	now(): number;
	/**
	 * Waits. With 0 milliseconds, it waits only until pending events have been handled.
	 * @throws the signal's reason when the signal aborts before the milliseconds are over
	 */
	wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

const SET_AGAIN = new Error('The alarm is set again');

/** One timer, which can be set again. It keeps the process running while it is set. */
export class Alarm {
	private current: { atMs: number; controller: AbortController } | undefined;

	constructor(
		private readonly clock: Clock,
		private readonly ring: () => void,
	) {}

	/** When it rings, by the clock. Infinity if it is not set. */
	get atMs(): number {
		return this.current?.atMs ?? Infinity;
	}

	/** Replaces the time set before. Infinity switches it off. */
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
