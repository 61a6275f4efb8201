import type { ResponseToDecode } from './response/Decoder';

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
	readonly longestTimeoutMs?: number;
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
