import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import type { RecordedRequest } from './RecordedRequest';
import type { Arrival } from './respond';

/** Describes a request that the emulator is working on, and its response. */
export interface Exchange {
	request: RecordedRequest;
	response: ServerResponse;
	/** Aborts when the connection is closed, or the response is complete. */
	signal: AbortSignal;
	/** Says whether the emulator ends the connection, rather than the client. */
	endedHere: boolean;
}

/** Describes the calls by which the HTTP server reports to the emulator. */
export interface Exchanges {
	connected(socket: Socket): void;
	/** Is called when the headers of a request have arrived. */
	begin(incoming: IncomingMessage, response: ServerResponse): Exchange;
	/** Is called when the body of a request has arrived. It responds to the request. */
	respondTo(exchange: Exchange, arrival: Arrival): Promise<void>;
}
