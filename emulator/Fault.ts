import type { EmulatedResponse, Piece } from './EmulatedResponse';
import type { RecordedRequest } from './RecordedRequest';

/** Describes a response in place of the normal one. */
export interface FaultResponse {
	status: number;
	/** An array sends the header once for each element. */
	headers?: EmulatedResponse['headers'];
	/**
	 * An object or null is sent as JSON, a string as `text/plain`, and bytes without a content type. The default is the documented body of
	 * the status.
	 */
	body?: string | object | Buffer | null;
}

/** Describes the bytes of a body that are sent together. A piece without bytes only waits. */
export type FaultPiece = Omit<Piece, 'bytes'> & { bytes: string | Buffer };

/** A response stops at this point: before its first byte, after its headers, or after half of the bytes of its body. */
export type FaultPoint = 'before-headers' | 'after-headers' | 'mid-body';

/**
 * Describes an intended failure, with three groups of fields. Those up to `bodyIncludes` select requests, which must match all that
 * are given. Those up to `probability` say on which of the selected requests the fault acts. The others say what it does, and can be
 * combined: `status`, `respond` and `stream` replace the normal response; `truncate`, `split`, `cut` and `stall` are then applied to
 * the response, in this order.
 *
 * Faults come before everything else, even before the check of the key. If several match a request, only the first acts.
 */
export interface Fault {
	method?: string;
	/**
	 * Selects requests by their path, as received: percent-encoded, without `/v1`. It must equal the string, or match the regular
	 * expression.
	 */
	path?: string | RegExp;
	/** Selects requests whose body contains this text. */
	bodyIncludes?: string;

	/** Counts the requests on which the fault acts. The default is 1, and it may be Infinity. */
	times?: number;
	/** Counts the matching requests that pass before the fault begins. The default is 0. */
	skip?: number;
	/**
	 * Holds the share of matching requests on which the fault acts, from 0 to 1. After each reset, it chooses the same ones. The default
	 * is 1.
	 */
	probability?: number;

	/** Holds the wait before the response, in milliseconds. If no other field says what happens, the normal response follows. */
	delayMs?: number;
	status?: number;
	/** Holds the headers of the response. Without `status`, they are added to those of the normal response, or replace them. */
	headers?: FaultResponse['headers'];
	body?: FaultResponse['body'];
	respond?: (request: RecordedRequest) => FaultResponse;
	/** Holds a body in pieces, by default of status 200 and type `text/event-stream`. */
	stream?: FaultPiece[];
	/** Says what happens after `stream`. The default is `close`. */
	end?: EmulatedResponse['end'];
	/** Ends the body normally, but after half of its bytes. */
	truncate?: boolean;
	/** Holds the byte offsets at which the body is cut into separate writes. */
	split?: number[] | 'every-byte';
	/** Holds the wait between two writes of `split`, in milliseconds. By default, each write is in the next turn of the event loop. */
	splitDelayMs?: number;
	/** Resets the connection at this point. */
	cut?: FaultPoint;
	/** Sends nothing more after this point, until the client disconnects or the emulator closes. */
	stall?: FaultPoint;
}
