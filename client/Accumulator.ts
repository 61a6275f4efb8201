import type { Gathered } from './Gathered';

/** Assembles a result from the events of a stream, or from an unstreamed response. */
export interface Accumulator<Result> {
	/** The generated text so far. */
	readonly text: string;
	/** Measures what is assembled. */
	readonly gathered: Gathered;
	/** Whether an event has arrived after which nothing more is needed. */
	readonly isEnded: boolean;
	/**
	 * Takes the data of one event, or an unstreamed response. It skips what it does not know.
	 * @param name of the event, if it has one
	 * @returns the text that it adds
	 * @throws ServiceError of kind `response` when it contradicts what came before
	 */
	push(data: Record<string, unknown>, name?: string): string;
	/**
	 * The result in the shape of an unstreamed response. An unstreamed response is returned exactly as it was pushed.
	 * @throws ServiceError of kind `response` when it is not what was asked for
	 */
	finish(): Result;
}
