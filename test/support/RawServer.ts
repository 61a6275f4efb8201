import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Represents a server that sends whatever the test gives it, valid HTTP or not. */
export class RawServer {
	/** Holds the first line and the headers of each request. */
	readonly requests: string[] = [];

	readonly apiKey = 'sk-Hostile+key/4711=&"<x>';

	private readonly sockets = new Set<Socket>();

	private constructor(
		private readonly server: Server,
		private readonly port: number,
	) {}

	/**
	 * Starts a server on a free port.
	 * @param answer is called once for each request, when its headers have arrived
	 */
	static async start(answer: (socket: Socket, request: number) => void): Promise<RawServer> {
		const server = createServer();
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		const raw = new RawServer(server, (server.address() as AddressInfo).port);
		server.on('connection', (socket) => raw.serve(socket, answer));
		return raw;
	}

	get url(): string {
		return `http://127.0.0.1:${this.port}/v1`;
	}

	/** Counts the connections that have sent something. The built-in fetch also opens spare connections, which send nothing. */
	get openSockets(): number {
		return [...this.sockets].filter(({ bytesRead }) => bytesRead > 0).length;
	}

	async close(): Promise<void> {
		for (const socket of this.sockets) socket.destroy();
		this.server.close();
		await once(this.server, 'close');
	}

	private serve(socket: Socket, answer: (socket: Socket, request: number) => void): void {
		this.sockets.add(socket);
		socket.on('error', () => {});
		socket.once('close', () => this.sockets.delete(socket));
		let unread = '';
		socket.on('data', (data) => {
			unread += data.toString('latin1');
			for (let head = HEAD.exec(unread); head; head = HEAD.exec(unread)) {
				const length = Number(/^content-length: *(\d+)/im.exec(head[0])?.[1] ?? 0);
				if (unread.length < head[0].length + length) return;
				unread = unread.slice(head[0].length + length);
				this.requests.push(head[0]);
				answer(socket, this.requests.length - 1);
			}
		});
	}
}

const HEAD = /^[^]*?\r\n\r\n/;

export function http(body: string | Buffer, status = '200 OK', headers: Record<string, string> = {}): Buffer {
	const bytes = Buffer.from(body);
	const lines = Object.entries({
		'Content-Type': 'application/json',
		'Content-Length': String(bytes.length),
		...headers,
	}).map(([name, value]) => `${name}: ${value}\r\n`);
	return Buffer.concat([Buffer.from(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n`), bytes]);
}

/** Makes the status line and headers of a response whose body comes in chunks, which `chunk` makes. */
export function chunked(headers: Record<string, string> = {}, status = '200 OK'): string {
	const lines = Object.entries({
		'Content-Type': 'application/json',
		'Transfer-Encoding': 'chunked',
		...headers,
	}).map(([name, value]) => `${name}: ${value}\r\n`);
	return `HTTP/1.1 ${status}\r\n${lines.join('')}\r\n`;
}

export function chunk(body: string | Buffer): Buffer {
	const bytes = Buffer.from(body);
	return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
}

/** Ends a body that comes in chunks. */
export const LAST_CHUNK = '0\r\n\r\n';

/** Writes the same bytes over and over, as fast as the client reads them, until the connection is closed. */
export function writeForever(socket: Socket, bytes: Buffer | (() => Buffer)): void {
	const next = typeof bytes === 'function' ? bytes : () => bytes;
	const write = () => {
		while (!socket.destroyed && socket.write(next()));
	};
	socket.on('drain', write);
	write();
}
