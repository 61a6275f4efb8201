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
