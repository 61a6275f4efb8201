import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import type { RecordedRequest } from './RecordedRequest';
import type { Arrival } from './respond';

/** A request on its way through the emulator. */
export interface Exchange {
	request: RecordedRequest;
	response: ServerResponse;
	/** Aborts when the connection is closed, or the response is complete. */
	signal: AbortSignal;
	/** Whether the emulator ends the connection, rather than the client. */
	endedHere: boolean;
}

/** What the server tells the emulator. */
export interface Exchanges {
	/** A new connection. */
	connected(socket: Socket): void;
	/** A request's head has arrived. */
	begin(incoming: IncomingMessage, response: ServerResponse): Exchange;
	/** A request's body has arrived. Responds to the request. */
	respondTo(exchange: Exchange, arrival: Arrival): Promise<void>;
}
