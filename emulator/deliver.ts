import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import type { Answer } from './Answer';

// A reset drops what the peer has not read yet: bytes written just before it need this long to be read.
const settleMs = 15;

function reset(socket: Socket | null): void {
	if (socket === null) return;
	// Only plain TCP handles can be reset.
	if (socket instanceof TLSSocket) socket.destroy();
	else socket.resetAndDestroy();
}

async function stop(response: ServerResponse, end: 'cut' | 'stall', signal: AbortSignal): Promise<void> {
	if (end === 'stall') {
		if (!signal.aborted) await once(signal, 'abort');
		return;
	}
	if (response.headersSent) await setTimeout(settleMs, undefined, { signal });
	reset(response.socket);
}

/**
 * Sends an answer piece by piece, and reports the bytes of each. Returns when all is handed to the socket, or the
 * connection has been cut. Rejects with an AbortError when the signal says that the connection is gone.
 */
export async function deliver(
	response: ServerResponse,
	answer: Answer,
	signal: AbortSignal,
	onSent: (bytes: number) => void,
): Promise<void> {
	const { status, headers, pieces, end } = answer;
	if (answer.withHead) {
		const size = pieces.reduce((sum, { bytes }) => sum + bytes.length, 0);
		const bodiless = status === 204 || status === 304;
		response.writeHead(
			status,
			answer.sized && !bodiless ? { ...headers, 'content-length': String(size) } : headers,
		);
		const [only] = pieces;
		if (end === 'close' && pieces.length <= 1 && !only?.delayMs) {
			onSent(only?.bytes.length ?? 0);
			response.end(only?.bytes);
			return;
		}
		response.flushHeaders();
		for (const { bytes, delayMs } of pieces) {
			if (delayMs !== undefined && delayMs > 0) await setTimeout(delayMs, undefined, { signal });
			else await setImmediate(undefined, { signal });
			onSent(bytes.length);
			if (!response.write(bytes)) await once(response, 'drain', { signal });
		}
	}
	if (end === 'close') response.end();
	else await stop(response, end, signal);
}
