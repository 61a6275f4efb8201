import type { IncomingHttpHeaders } from 'node:http';

/** A file of a multipart body. */
export interface RecordedFile {
	field: string;
	fileName: string;
	mimeType: string;
	/** The size in bytes. */
	size: number;
	/** The hash in hexadecimal digits. */
	sha256: string;
	/** Absent for files above 1 MiB. */
	bytes?: Buffer;
}

/** A parsed multipart body. The names of fields that occur twice are in `repeated`. */
export interface RecordedMultipart {
	fields: Record<string, string>;
	files: RecordedFile[];
	repeated: string[];
}

/** A request as the emulator received it, and its outcome. */
export interface RecordedRequest {
	method: string;
	/** The path as received: percent-encoded, with the query, without `/v1`. */
	path: string;
	headers: IncomingHttpHeaders;
	/** The parsed JSON. Undefined if there is no body, or if it is not JSON. */
	body: unknown;
	/** The bytes of the body. Empty for a multipart body above 1 MiB. */
	rawBody: Buffer;
	multipart?: RecordedMultipart;
	/** Milliseconds on the clock of `performance.now()`. */
	receivedAtMs: number;
	/** Whether the whole body has arrived. */
	complete: boolean;
	/** The status of the response. Undefined before it is sent, or if the connection was reset instead. */
	status?: number;
	/** Whether the client closed the connection before the response was complete. */
	closedByClient: boolean;
	/** The number of bytes of the response's body that were passed to the socket so far. */
	sentBytes: number;
}
