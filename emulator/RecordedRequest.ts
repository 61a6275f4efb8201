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

/** A parsed multipart body. A field that occurs twice is in `repeated`. */
export interface RecordedMultipart {
	fields: Record<string, string>;
	files: RecordedFile[];
	repeated: string[];
}

/** A request as it reached the emulator, and its outcome. */
export interface RecordedRequest {
	method: string;
	/** The path as received: percent-encoded, with the query, without the leading `/v1`. */
	path: string;
	headers: IncomingHttpHeaders;
	/** The parsed JSON; undefined when there is no body or it is not JSON. */
	body: unknown;
	/** The bytes of the body; empty for a multipart body above 1 MiB. */
	rawBody: Buffer;
	multipart?: RecordedMultipart;
	/** Milliseconds on the clock of `performance.now()`. */
	receivedAtMs: number;
	/** Whether the whole body has arrived. */
	complete: boolean;
	/** The status of the response; undefined before that, and when the connection was cut instead. */
	status?: number;
	/** Whether the client went away before the response was complete. */
	closedByClient: boolean;
	/** Bytes of the response's body that the socket has received so far. */
	sentBytes: number;
}
