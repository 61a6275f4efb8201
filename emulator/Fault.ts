import type { EmulatedResponse, Piece } from './EmulatedResponse';
import type { RecordedRequest } from './RecordedRequest';

/** A response in place of the normal one. */
export interface FaultResponse {
	status: number;
	/** An array sends a header as often as it has elements. */
	headers?: EmulatedResponse['headers'];
	/**
	 * An object goes out as JSON, a string as `text/plain`, bytes without a content type. Left out: the documented
	 * body of the status.
	 */
	body?: string | object | Buffer;
}

/** Bytes of a body that are sent together; empty ones only wait. */
export type FaultPiece = Omit<Piece, 'bytes'> & { bytes: string | Buffer };

/** Where a response stops. `mid-body` is after half of its bytes. */
export type FaultPoint = 'before-headers' | 'after-headers' | 'mid-body';

/**
 * An intended failure. The first group of fields says with which requests (all that are given must match), the second how
 * often, the rest what happens. What happens can be combined: `status`, `respond` and `stream` replace the normal response;
 * `truncate`, `split`, `cut` and `stall` are applied, in this order, to whichever response there is.
 * Faults come before everything else, the check of the key included. Of several, the first that matches acts.
 */
export interface Fault {
	method?: string;
	/** The path as received, percent-encoded, without `/v1`. It must equal the string, or match the expression. */
	path?: string | RegExp;
	/** Text that occurs in the bytes of the body. */
	bodyIncludes?: string;

	/** How many requests it acts on. Default 1; may be Infinity. */
	times?: number;
	/** How many matching requests it lets pass first. Default 0. */
	skip?: number;
	/** The share of matching requests it acts on, 0 to 1, the same ones after each reset. Default 1. */
	probability?: number;

	/** Milliseconds to wait first. If nothing else is given, the normal response follows. */
	delayMs?: number;
	status?: number;
	/** Headers of the response. Without `status`, they replace or extend those of the normal response. */
	headers?: FaultResponse['headers'];
	body?: FaultResponse['body'];
	respond?: (request: RecordedRequest) => FaultResponse;
	/** A body in pieces, by default of status 200 and type `text/event-stream`. */
	stream?: FaultPiece[];
	/** What follows `stream`. Default `close`. */
	end?: EmulatedResponse['end'];
	/** Ends the body after half of its bytes, as if that were all. */
	truncate?: boolean;
	/** Byte offsets at which the body is cut into separate writes. */
	split?: number[] | 'every-byte';
	/** Milliseconds between two of those writes. Default: the next turn of the event loop. */
	splitDelayMs?: number;
	/** Resets the connection at this point. */
	cut?: FaultPoint;
	/** Sends nothing more after this point, until the client leaves or the emulator closes. */
	stall?: FaultPoint;
}
