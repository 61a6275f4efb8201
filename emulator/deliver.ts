import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate, setTimeout } from 'node:timers/promises';

import { type EmulatedResponse, type Piece, sizeOf } from './EmulatedResponse';

// A reset discards bytes that the client has not read yet, so the client gets this time to read them first. A client in the same
// process may be kept from reading for longer on a busy machine, so it also gets these turns of the event loop.
const SETTLE_MS = 15;
const SETTLE_TURNS = 10;

/**
 * Sends a response in pieces, and reports the number of bytes of each. Returns when all bytes have been passed to the socket, or
 * when the connection has been reset. Rejects with an AbortError if the client closes the connection.
 */
export async function deliver(
	response: ServerResponse,
	{ status, headers, pieces, sized, end, withHead }: EmulatedResponse,
	signal: AbortSignal,
	onSent: (bytes: number) => void,
): Promise<void> {
	if (withHead) {
		const bodiless = status === 204 || status === 304;
		response.writeHead(
			status,
			sized && !bodiless ? { ...headers, 'content-length': String(sizeOf(pieces)) } : headers,
		);
		if (end === 'close' && isOneWrite(pieces)) {
			onSent(pieces[0]?.bytes.length ?? 0);
			response.end(pieces[0]?.bytes);
			return;
		}
		response.flushHeaders();
		for (const piece of pieces) await send(response, piece, signal, onSent);
	}
	if (end === 'close') response.end();
	else await stop(response, end, signal);
}

function isOneWrite(pieces: Piece[]): boolean {
	const [only] = pieces;
	return pieces.length <= 1 && !only?.delayMs && (only?.times ?? 1) === 1;
}

async function send(
	target: ServerResponse,
	{ bytes, delayMs = 0, times = 1 }: Piece,
	signal: AbortSignal,
	onSent: (bytes: number) => void,
): Promise<void> {
	for (let sent = 0; sent < times; sent++) {
		if (delayMs > 0) await setTimeout(delayMs, undefined, { signal });
		else await setImmediate(undefined, { signal });
		onSent(bytes.length);
		if (!target.write(bytes)) await once(target, 'drain', { signal });
	}
}

async function stop(response: ServerResponse, end: 'cut' | 'stall', signal: AbortSignal): Promise<void> {
	if (end === 'stall') {
		if (!signal.aborted) await once(signal, 'abort');
		return;
	}
	if (response.headersSent) {
		await setTimeout(SETTLE_MS, undefined, { signal });
		for (let turn = 0; turn < SETTLE_TURNS; turn++) await setImmediate(undefined, { signal });
	}
	response.socket?.resetAndDestroy();
}
