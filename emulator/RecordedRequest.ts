import type { IncomingHttpHeaders } from 'node:http';

/** A file of a multipart body. */
export interface RecordedFile {
	field: string;
	fileName: string;
	mimeType: string;
	/** In bytes. */
	size: number;
	/** In hexadecimal. */
	sha256: string;
	/** Left out above 1 MiB. */
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
	/** As received, percent-encoded, with the query, without the leading `/v1`. */
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
	/** Bytes of the response's body handed to the socket so far. */
	sentBytes: number;
}
