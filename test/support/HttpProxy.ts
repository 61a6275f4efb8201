import { once } from 'node:events';
import { createServer, request as httpRequest, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

/** Represents an HTTP proxy like those of companies, for plain requests and for tunnels. */
export class HttpProxy {
	/** Holds the requests that the proxy has received, each with its user name and password, if any. */
	readonly seen: Array<{ target: string; login: string | undefined }> = [];

	private readonly sockets = new Set<Socket>();

	private constructor(
		private readonly server: Server,
		/** Holds the login that the proxy requires, such as `user:password`. It may be changed at any time. */
		public login: string | undefined,
	) {
		server.on('connection', (socket) => {
			this.sockets.add(socket.on('error', () => {}));
		});
		server.on('request', (request, response) => {
			if (!this.admit(request.url!, request.headers['proxy-authorization'])) {
				response.writeHead(407, { 'proxy-authenticate': 'Basic' }).end();
				return;
			}
			const { 'proxy-authorization': _login, ...headers } = request.headers;
			const onward = httpRequest(request.url!, { method: request.method, headers }, (answer) => {
				response.writeHead(answer.statusCode!, answer.headers);
				answer.pipe(response);
			});
			request.pipe(onward.on('error', () => response.destroy()));
		});
		server.on('connect', (request, socket, head) => {
			if (!this.admit(request.url!, request.headers['proxy-authorization'])) {
				socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\n');
				return;
			}
			const { hostname, port } = new URL(`http://${request.url!}`);
			const onward = connect(Number(port), hostname, () => {
				socket.write('HTTP/1.1 200 OK\r\n\r\n');
				onward.write(head);
				onward.pipe(socket).pipe(onward);
			});
			this.sockets.add(onward.on('error', () => socket.destroy()));
		});
	}

	/**
	 * Starts a proxy on a free port.
	 * @param login the user name and password that the proxy requires, as `user:password`; undefined for none
	 */
	static async start(login?: string): Promise<HttpProxy> {
		const server = createServer().listen(0, '127.0.0.1');
		await once(server, 'listening');
		return new HttpProxy(server, login);
	}

	url(login?: string): string {
		const { port } = this.server.address() as AddressInfo;
		return `http://${login === undefined ? '' : `${login}@`}127.0.0.1:${port}`;
	}

	async close(): Promise<void> {
		for (const socket of this.sockets) {
			socket.destroy();
		}
		this.server.close();
		await once(this.server, 'close');
	}

	private admit(target: string, header: string | undefined): boolean {
		const login = header && Buffer.from(header.replace(/^Basic /, ''), 'base64').toString();
		this.seen.push({ target, login });
		return this.login === undefined || login === this.login;
	}
}
