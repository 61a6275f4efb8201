export interface Credential {
	/** The base URL is absolute, and has the version of the API but no trailing slashes. */
	baseUrl: string;
	apiKey: string;
}

/** Describes an HTTP request without base URL and API key, which the transport adds. */
interface TransportRequest {
	method: 'GET' | 'POST';
	/** Holds the path below the base URL, already percent-encoded. */
	path: string;
	/** The names are in lower case. */
	headers: Record<string, string>;
	/** Holds JSON text, or a form whose encoding and content type the transport chooses. */
	body?: string | FormData;
	/** Says whether the request must not go out on a connection that another request has used. */
	onOwnConnection: boolean;
	/** Aborts the exchange and closes its connection, before or after the response headers. */
	signal: AbortSignal;
}

/** Describes a successful response whose body has not been read. */
export interface ResponseToDecode {
	/** Returns the value of a header. `name` must be in lower case. */
	header: (name: string) => string | undefined;
	/**
	 * Holds the bytes as they arrive, decompressed. They can be read only once. A decoder may stop early, because the sender of the
	 * request then reads the rest or aborts.
	 */
	body: AsyncIterable<Uint8Array>;
	/** A decoder that reads a stream calls this before the first event, and after each. */
	onProgress?: () => void;
	/**
	 * A decoder calls this with each piece of text that arrives, and waits for the promise before it reads on. It is undefined if
	 * nobody wants the text before the end.
	 */
	onText?: (text: string) => Promise<void>;
}

/** Makes the body of a response from its bytes. Throws a CallFailure for bytes that are not what was asked for. */
export type Decoder<Body> = (response: ResponseToDecode) => Promise<Body>;

export interface CallResult<Result> {
	result: Result;
	/** Holds the decoded body that the result was made from. */
	body: unknown;
	/** Holds the service's trace identifier, or if the response has none, the one that was sent. */
	traceId?: string;
}

export interface TransportResponse extends ResponseToDecode {
	status: number;
	statusText: string;
}

/**
 * Sends a request to the service and returns any response, error statuses and redirects included. It follows no redirects,
 * retries nothing, and has no timeout other than the signal and `maxTimeoutMs`.
 */
export interface Transport {
	/**
	 * Holds the longest time that it can wait for headers, and between two chunks of a body. It is undefined if there is no
	 * limit.
	 */
	readonly maxTimeoutMs?: number;
	/**
	 * Sends the request, and returns the response as soon as its headers have arrived.
	 * @throws TransportFailure when no response came; the body's iterator throws it when only a part came
	 * @throws the signal's reason after an abort
	 */
	send(request: TransportRequest): Promise<TransportResponse>;
}

/** Says why no complete response came. */
export class TransportFailure extends Error {
	override readonly name = 'TransportFailure';

	constructor(
		readonly kind:
			| 'network' // the network failed, and no byte of a response had come
			| 'unreachable' // a retry would not help: unknown host, wrong certificate, blocked port
			| 'blocked' // the request was refused before it was sent
			| 'broken', // a response had begun, or may have begun, and cannot be read
		/** Says what happened, in plain words. */
		readonly meaning: string,
		/** Says whether no connection was made, so that the request cannot have been sent. */
		readonly isUnsent = false,
		/** Holds the text of the operating system or of a library, which the message quotes last. */
		readonly quote = '',
	) {
		super(quote === '' ? meaning : `${meaning} (${quote})`);
	}
}
