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

export interface TransportReply {
	status: number;
	statusText: string;
	/** The value of a header, by its name in lower case. */
	header: (name: string) => string | undefined;
	/** The bytes as they arrive. */
	body: AsyncIterable<Uint8Array>;
}

/**
 * Carries a request to the service and answers with whatever came back, error statuses and redirects
 * included: it follows no redirect, repeats nothing, and waits for as long as the signal lets it.
 */
export interface Transport {
	/**
	 * @throws TransportFailure when no response, or only a part of it, came; the same from the body's iterator
	 * @throws the signal's reason after an abort
	 */
	send(request: TransportRequest): Promise<TransportReply>;
}

/** Why no complete response came: the network failed, or the rules of this n8n instance forbid the request. */
export class TransportFailure extends Error {
	override readonly name = 'TransportFailure';

	constructor(
		readonly kind: 'network' | 'blocked',
		message: string,
	) {
		super(message);
	}
}
