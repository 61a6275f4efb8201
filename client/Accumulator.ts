/** Puts a result together from the events of a stream, or from the one piece that an unstreamed response is. */
export interface Accumulator<Result> {
	/** The generated text so far. */
	readonly text: string;
	/** All that has been assembled so far, as JSON can hold it. Grows with every part of the result, and with nothing else. */
	readonly gathered: unknown;
	/** Whether an event has come after which nothing more is needed. */
	readonly isEnded: boolean;
	/** The names of events that must not be passed over when they cannot be read. */
	readonly eventNames: readonly string[];
	/**
	 * Takes the data of one event, or an unstreamed response. What it does not know, it passes over.
	 * @param name of the event, where it has one
	 * @returns the text that it adds
	 * @throws ServiceError of kind `response` when it contradicts what came before
	 */
	push(data: Record<string, unknown>, name?: string): string;
	/**
	 * The result in the shape of an unstreamed response. An unstreamed one comes back exactly as it was pushed.
	 * @throws ServiceError of kind `response` when it is not what was asked for
	 */
	finish(): Result;
}
