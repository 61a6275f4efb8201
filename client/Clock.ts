/** Time as the client sees it. Handed in, so that tests can move it. */
export interface Clock {
	/** Milliseconds since the Unix epoch. */
	now(): number;
	/**
	 * Waits.
	 * @param milliseconds how long
	 * @param signal ends the wait at once
	 * @throws the signal's reason when the signal aborts before the time is over
	 */
	wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}
