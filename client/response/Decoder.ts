/** A successful response whose body has not been read. */
export interface ResponseToDecode {
	/** The value of a header, by its name in lower case. */
	header: (name: string) => string | undefined;
	/** The bytes as they arrive. */
	body: AsyncIterable<Uint8Array>;
	/**
	 * A decoder that reads a body of any length must call this, with a function that measures the result so far, in
	 * characters.
	 */
	measureBy?: (size: () => number) => void;
	/** Must be called when the reading of a stream of events begins, and after each event. */
	onEvent?: () => void;
	/**
	 * Must be called with each piece of text that is shown as it arrives. The next piece waits until the promise is
	 * resolved.
	 */
	onText?: (text: string) => Promise<void>;
}

/** Makes a result of a response. Throws a ServiceError for one that is not what was asked for. */
export type Decoder<Result> = (response: ResponseToDecode) => Promise<Result>;
