import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

import { QUESTION } from './items';

const MIB = 1024 ** 2;
const PIECE = 64 * 1024;

/** A body that a service should never send. */
export interface HostileBody {
	/** The part of its base URL that names it. */
	name: string;
	node: 'decision' | 'message';
	contentType: string;
	contentEncoding?: string;
	/** Pieces of the body; the connection closes after the last. */
	pieces: () => Iterable<Buffer>;
}

const DECISION = {
	model: 'Kev-4B',
	answers: { [QUESTION.id]: { type: 'noul', noul: 1 } },
	usage: { input_tokens: 1, output_tokens: 1 },
};

/** Each body, just below the limit of 16 MiB and far above it. */
export const HOSTILE_BODIES: Record<'below' | 'above', HostileBody[]> = {
	below: [
		json('gzip-below', () => [gzipSync(Buffer.concat([...filledDecision(15 * MIB)]))], 'gzip'),
		stream('stream-below', 15 * MIB),
		json('text-below', () => repeated('not JSON ', 15 * MIB)),
		json('json-below', () => filledDecision(15 * MIB)),
		json('deep-below', () => repeated('[', 15 * MIB)),
	],
	above: [
		json('gzip-above', () => [(bomb ??= gzipSync(Buffer.alloc(1024 * MIB, ' ')))], 'gzip'),
		stream('stream-above', Infinity),
		json('text-above', () => repeated('not JSON ', 200 * MIB)),
		json('json-above', () => filledDecision(400 * MIB)),
		json('deep-above', () => repeated('[', 200 * MIB)),
	],
};

let bomb: Buffer | undefined;

/** Serves the hostile bodies, each below `/<name>/v1`, and an ordinary one below `/ordinary/v1`. */
export class HostileServer {
	private constructor(private readonly server: Server) {}

	static async start(): Promise<HostileServer> {
		const server = createServer((request, response) => void answer(request, response));
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		return new HostileServer(server);
	}

	urlOf(name: string): string {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/${name}/v1`;
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		this.server.close();
		await once(this.server, 'close');
	}
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
	request.resume();
	const name = request.url!.split('/')[1]!;
	const body = Object.values(HOSTILE_BODIES)
		.flat()
		.find((candidate) => candidate.name === name);
	response.on('error', () => {});
	response.setHeader('content-type', body?.contentType ?? 'application/json');
	if (body?.contentEncoding) response.setHeader('content-encoding', body.contentEncoding);
	for (const piece of body?.pieces() ?? [Buffer.from(JSON.stringify(DECISION))]) {
		if (response.destroyed) return;
		if (!response.write(piece)) await writable(response);
	}
	response.end();
}

/** Waits until more can be written, or the client has gone. */
async function writable(response: ServerResponse): Promise<void> {
	const over = new AbortController();
	const { signal } = over;
	await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]).catch(
		() => {},
	);
	over.abort();
}

function json(name: string, pieces: HostileBody['pieces'], contentEncoding?: string): HostileBody {
	return { name, node: 'decision', contentType: 'application/json', contentEncoding, pieces };
}

/** @param size of its text, in characters */
function stream(name: string, size: number): HostileBody {
	const delta = (text: string) => ({
		type: 'content_block_delta',
		index: 0,
		delta: { type: 'text_delta', text },
	});
	const event = (data: object) => Buffer.from(`data: ${JSON.stringify(data)}\n\n`);
	const piece = event(delta('x'.repeat(1024)));
	return {
		name,
		node: 'message',
		contentType: 'text/event-stream',
		pieces: function* () {
			for (let sent = 0; sent < size; sent += 1024) yield piece;
			yield event({ type: 'message_stop' });
			yield Buffer.from('data: [DONE]\n\n');
		},
	};
}

function* repeated(text: string, size: number): Iterable<Buffer> {
	const piece = Buffer.alloc(PIECE, text);
	for (let sent = 0; sent < size; sent += piece.length) yield piece;
}

function* filledDecision(size: number): Iterable<Buffer> {
	yield Buffer.from('{"filler":"');
	yield* repeated('x', size - 1024);
	yield Buffer.from(`",${JSON.stringify(DECISION).slice(1)}`);
}
