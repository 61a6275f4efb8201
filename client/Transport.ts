/** What a request to the service is signed with. */
export interface Credential {
	/** Absolute, with the version, without trailing slashes. */
	baseUrl: string;
	apiKey: string;
}

/** One HTTP exchange as the client asks for it. The credential, base URL and key, is up to the transport. */
interface TransportRequest {
	method: 'GET' | 'POST';
	/** Below the base URL, already percent-encoded. */
	path: string;
	/** The names are in lower case. */
	headers: Record<string, string>;
	/** JSON text, or a form whose encoding and content type the transport chooses. */
	body?: string | FormData;
	/** Aborts the exchange and closes its connection, before or after the response headers. */
	signal: AbortSignal;
}

/** A successful response whose body has not been read. */
export interface ResponseToDecode {
	/** The value of a header, by its name in lower case. */
	header: (name: string) => string | undefined;
	/** The bytes as they arrive. */
	body: AsyncIterable<Uint8Array>;
	/** A decoder that reads a stream calls this before the first event, and after each. */
	onProgress?: () => void;
	/**
	 * Must be called with each piece of text that is shown as it arrives. The next piece waits until the promise is
	 * resolved.
	 */
	onText?: (text: string) => Promise<void>;
}

/** Makes a result of a response. Throws a CallFailure for one that is not what was asked for. */
export type Decoder<Result> = (response: ResponseToDecode) => Promise<Result>;

export interface CallResult<Result> {
	result: Result;
	/** The service's trace identifier, or if the response has none, the one that was sent. */
	traceId?: string;
}

export interface TransportResponse extends ResponseToDecode {
	status: number;
	statusText: string;
}

/**
 * Sends a request to the service and returns any response, error statuses and redirects included. It follows no redirects,
 * repeats nothing, and waits until the signal aborts.
 */
export interface Transport {
	/** The longest that it waits for headers, and between two chunks of a body, in milliseconds. Undefined for no limit. */
	readonly maxTimeoutMs?: number;
	/**
	 * @throws TransportFailure when no response, or only a part of it, came; the same from the body's iterator
	 * @throws the signal's reason after an abort
	 */
	send(request: TransportRequest): Promise<TransportResponse>;
}

/** Why no complete response came. */
export class TransportFailure extends Error {
	override readonly name = 'TransportFailure';

	constructor(
		readonly kind:
			| 'network' // the network failed
			| 'unreachable' // it would fail again, because of the host's name, certificate or port
			| 'blocked' // the request was refused before it was sent
			| 'broken', // a response began, and cannot be read
		message: string,
		/** Whether there was no connection by which the request could have been sent. */
		readonly isUnsent = false,
	) {
		super(message);
	}
}
