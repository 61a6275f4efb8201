/** Bytes of a body that are sent together. */
export interface Piece {
	bytes: Buffer;
	/** Milliseconds to wait before sending it. */
	delayMs?: number;
	/** How often it is sent, each time after its delay. Default 1; Infinity makes a body that never ends. */
	times?: number;
}

/** What is sent for one request. Faults turn one response into another. */
export interface EmulatedResponse {
	status: number;
	headers: Record<string, string | string[]>;
	pieces: Piece[];
	/** Whether the body has a known length (`content-length`), or is sent in chunks. */
	sized: boolean;
	/** What follows the last piece: the regular end, a reset connection, or nothing. */
	end: 'close' | 'cut' | 'stall';
	/** Whether status and headers are sent at all. */
	withHead: boolean;
	/** The tokens that it uses of a limit on tokens. */
	tokens?: number;
}

/** The number of bytes of a body; Infinity when it never ends. */
export function sizeOf(pieces: Piece[]): number {
	return pieces.reduce((sum, { bytes, times = 1 }) => sum + bytes.length * times, 0);
}

/** A response with bytes of a known length. */
export function bytesResponse(
	status: number,
	contentType: string | undefined,
	bytes: Buffer,
): EmulatedResponse {
	return {
		status,
		headers: contentType === undefined ? {} : { 'content-type': contentType },
		pieces: [{ bytes }],
		sized: true,
		end: 'close',
		withHead: true,
	};
}

export function jsonResponse(status: number, body: unknown): EmulatedResponse {
	return bytesResponse(status, 'application/json; charset=utf-8', Buffer.from(JSON.stringify(body)));
}

/** A response of server-sent events, with `delayMs` between two of them. */
export function eventStreamResponse(events: string[], delayMs: number): EmulatedResponse {
	return {
		status: 200,
		headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' },
		pieces: events.map((event, index): Piece => ({
			bytes: Buffer.from(event),
			...(index > 0 && delayMs > 0 && { delayMs }),
		})),
		sized: false,
		end: 'close',
		withHead: true,
	};
}

/** A 400. `code` is 20012 for an unknown model; other codes are not shown by the service document. */
export function badRequest(message: string, code: number | null = null): EmulatedResponse {
	return jsonResponse(400, { code, message, data: null });
}

/** A 429 that names the limit. */
export function rateLimited(limit: string): EmulatedResponse {
	return jsonResponse(429, {
		message: `Request was rejected due to rate limiting. ${limit} limit reached.`,
		data: '',
	});
}

/** The documented body of an error status, for a fault that has no body. A plain string is quoted, as JSON is. */
export function documentedResponse(status: number): EmulatedResponse {
	switch (status) {
		case 400:
			return badRequest('The request is not valid.');
		case 401:
			return jsonResponse(401, 'The API key is missing or not valid.');
		case 403:
			return jsonResponse(403, 'This model requires real-name verification.');
		case 404:
			return jsonResponse(404, 'Path not found.');
		case 429:
			return rateLimited('RPM');
		case 503:
			return jsonResponse(503, { code: 50505, message: 'The model service is overloaded.', data: '' });
		case 504:
			return jsonResponse(504, 'The service timed out.');
		default:
			return bytesResponse(status, undefined, Buffer.alloc(0));
	}
}
