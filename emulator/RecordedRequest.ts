import type { IncomingHttpHeaders } from 'node:http';

/** Describes a file of a multipart body. */
export interface RecordedFile {
	field: string;
	fileName: string;
	mimeType: string;
	/** Holds the size in bytes. */
	size: number;
	/** Holds the hash in hexadecimal digits. */
	sha256: string;
	/** The bytes are absent for files above 1 MiB. */
	bytes?: Buffer;
}

/** Describes a parsed multipart body. The names of fields that occur twice are in `repeated`. */
export interface RecordedMultipart {
	fields: Record<string, string>;
	files: RecordedFile[];
	repeated: string[];
}

/** Describes a request as the emulator received it, and its outcome. */
export interface RecordedRequest {
	method: string;
	/** Holds the path as received: percent-encoded, with the query, without `/v1`. */
	path: string;
	headers: IncomingHttpHeaders;
	/** Holds the parsed JSON. It is undefined if there is no body, or if it is not JSON. */
	body: unknown;
	/** Holds the bytes of the body. It is empty for a multipart body above 1 MiB. */
	rawBody: Buffer;
	multipart?: RecordedMultipart;
	/** Says when the request came, in milliseconds on the clock of `performance.now()`. */
	receivedAtMs: number;
	/** Says whether the whole body has arrived. */
	complete: boolean;
	/** Holds the status of the response. It is undefined before it is sent, or if the connection was reset instead. */
	status?: number;
	/** Says whether the client closed the connection before the response was complete. */
	closedByClient: boolean;
	/** Counts the bytes of the response's body that were passed to the socket so far. */
	sentBytes: number;
}
