/** A run of body bytes that goes out at once. */
export interface Piece {
	bytes: Buffer;
	/** Milliseconds to wait before it. */
	delayMs?: number;
}

/** What goes out for one request. Faults turn one answer into another. */
export interface Answer {
	status: number;
	headers: Record<string, string>;
	pieces: Piece[];
	/** Whether the body has a known length (`content-length`) or goes out chunked. */
	sized: boolean;
	/** What follows the last piece: the regular end, a reset connection, or nothing. */
	end: 'close' | 'cut' | 'stall';
	/** Whether status and headers are sent at all. */
	withHead: boolean;
}

/** How the plain-string bodies of the service are written: quoted as JSON, or bare. */
export type PlainStrings = 'json' | 'text';

/** An answer of bytes of one known length. */
export function bytesAnswer(status: number, contentType: string | undefined, bytes: Buffer): Answer {
	return {
		status,
		headers: contentType === undefined ? {} : { 'content-type': contentType },
		pieces: [{ bytes }],
		sized: true,
		end: 'close',
		withHead: true,
	};
}

/** An answer of JSON. */
export function jsonAnswer(status: number, body: unknown): Answer {
	return bytesAnswer(status, 'application/json; charset=utf-8', Buffer.from(JSON.stringify(body)));
}

/** An answer of one string. */
export function plainAnswer(status: number, text: string, plainStrings: PlainStrings): Answer {
	return plainStrings === 'json'
		? jsonAnswer(status, text)
		: bytesAnswer(status, 'text/plain; charset=utf-8', Buffer.from(text));
}

/** A 400. `code` is 20012 for an unknown model; other codes are not shown by the service document. */
export function badRequest(message: string, code: number | null = null): Answer {
	return jsonAnswer(400, { code, message, data: null });
}

/** The documented body of an error status, for a fault that gives none. */
export function documentedAnswer(status: number, plainStrings: PlainStrings): Answer {
	switch (status) {
		case 400:
			return badRequest('The request is not valid.');
		case 401:
			return plainAnswer(401, 'The API key is missing or not valid.', plainStrings);
		case 403:
			return plainAnswer(403, 'This model requires real-name verification.', plainStrings);
		case 404:
			return plainAnswer(404, 'Path not found.', plainStrings);
		case 429:
			return jsonAnswer(429, {
				message: 'Request was rejected due to rate limiting. RPM limit reached.',
				data: '',
			});
		case 503:
			return jsonAnswer(503, { code: 50505, message: 'The model service is overloaded.', data: '' });
		case 504:
			return plainAnswer(504, 'The service timed out.', plainStrings);
		default:
			return bytesAnswer(status, undefined, Buffer.alloc(0));
	}
}
