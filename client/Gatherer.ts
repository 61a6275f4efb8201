/** Puts an answer together from the pieces of a stream, or from the one piece that an unstreamed answer is. */
export interface Gatherer<Answer> {
	/** The generated text so far. */
	readonly text: string;
	/** The names of events that must not be passed over when they cannot be read. */
	readonly eventNames: readonly string[];
	/**
	 * Takes the data of one event, or an unstreamed answer. What it does not know, it passes over.
	 * @param name of the event, where it has one
	 * @returns the text that it adds
	 * @throws ServiceError of kind `reply` when it contradicts what came before
	 */
	add(data: Record<string, unknown>, name?: string): string;
	/**
	 * The answer in the shape of an unstreamed one. An unstreamed one comes back exactly as it was added.
	 * @throws ServiceError of kind `reply` when it is not what was asked for
	 */
	finish(): Answer;
}
