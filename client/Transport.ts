import type { ResponseToDecode } from './Decoder';

/** One HTTP exchange as the client asks for it. The credential is the transport's business. */
export interface TransportRequest {
	method: 'GET' | 'POST';
	/** Absolute. */
	url: string;
	/** Names in lower case. */
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
 * Carries a request to the service and gives back whatever response came, error statuses and redirects
 * included: it follows no redirect, repeats nothing, and waits for as long as the signal lets it.
 */
export interface Transport {
	/**
	 * @throws TransportFailure when no response, or only a part of it, came; the same from the body's iterator
	 * @throws the signal's reason after an abort
	 */
	send(request: TransportRequest): Promise<TransportResponse>;
}

/** Why no complete response came: the network failed, or the request was refused before it was sent (`blocked`). */
export class TransportFailure extends Error {
	override readonly name = 'TransportFailure';

	constructor(
		readonly kind: 'network' | 'blocked',
		message: string,
	) {
		super(message);
	}
}
