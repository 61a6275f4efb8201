/** Time as the client sees it. Handed in, so that tests can move it. */
export interface Clock {
	/** Milliseconds since the Unix epoch. */
	now(): number;
	/**
	 * Waits; for 0 milliseconds, until what has happened meanwhile is dealt with.
	 * @throws the signal's reason when the signal aborts before the milliseconds are over
	 */
	wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}
