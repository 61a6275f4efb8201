/** Describes the bytes of a body that are sent together. */
export interface Piece {
	bytes: Buffer;
	/** Holds the wait before the piece is sent, in milliseconds. */
	delayMs?: number;
	/** Says how many times the piece is sent, each time after its delay. The default is 1; Infinity makes a body that never ends. */
	times?: number;
}

/** Describes the response to one request. A fault may replace or change it. */
export interface EmulatedResponse {
	status: number;
	headers: Record<string, string | string[]>;
	pieces: Piece[];
	/** Says whether the body has a known length (`content-length`), or is sent in chunks. */
	sized: boolean;
	/** Says what follows the last piece: the regular end (`close`), a reset connection (`cut`), or nothing (`stall`). */
	end: 'close' | 'cut' | 'stall';
	/** Says whether status and headers are sent at all. */
	withHead: boolean;
	/** Holds the tokens that count towards a rate limit on tokens. */
	tokens?: number;
}

/** Returns the number of bytes of a body. It returns Infinity if it never ends. */
export function sizeOf(pieces: Piece[]): number {
	return pieces.reduce((sum, { bytes, times = 1 }) => sum + bytes.length * times, 0);
}

/** Makes a response with a body of known length. */
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

/** Makes a response of server-sent events, with `delayMs` between two events. */
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

/** Makes a 400. The service's document shows only one code: 20012, for an unknown model. */
export function badRequest(message: string, code: number | null = null): EmulatedResponse {
	return jsonResponse(400, { code, message, data: null });
}

/** Makes a 429 that names the limit. */
export function rateLimited(limit: string): EmulatedResponse {
	return jsonResponse(429, {
		message: `Request was rejected due to rate limiting. ${limit} limit reached.`,
		data: '',
	});
}

/** Makes a response with the documented body of an error status. If the body is a plain string, it is quoted, like JSON. */
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
