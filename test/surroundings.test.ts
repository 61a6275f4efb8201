import { once } from 'node:events';
import { createServer, request as httpRequest, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

import type { INodeParameters } from 'n8n-workflow';

import { nodeDriver } from './nodeDriver';
import { useEmulator } from './useEmulator';

const emulator = useEmulator();

const decision = nodeDriver('decision', emulator, { items: [{ text: 'hello' }] });

const asking = (options: INodeParameters = {}): INodeParameters => ({
	questions: { question: [{ id: 'urgent', type: 'noul', instructions: 'Is it urgent?' }] },
	options,
});

/** An HTTP proxy as companies have them, for plain requests and for tunnels. */
class Proxy {
	/** What was asked of it, with the user's name and password where they were given. */
	readonly seen: Array<{ target: string; login: string | undefined }> = [];

	private readonly sockets = new Set<Socket>();

	private constructor(
		private readonly server: Server,
		private readonly login: string | undefined,
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

	/** @param login user's name and password with a colon between, which it wants; undefined for none */
	static async start(login?: string): Promise<Proxy> {
		const server = createServer().listen(0, '127.0.0.1');
		await once(server, 'listening');
		return new Proxy(server, login);
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

describe('behind a proxy', () => {
	let proxy: Proxy | undefined;

	afterEach(async () => {
		delete process.env.HTTP_PROXY;
		await proxy?.close();
	});

	test.each([
		['without a password', undefined],
		['with a password', 'user:word'],
	])("%s, the requests of n8n's helper go through it", async (_, login) => {
		proxy = await Proxy.start(login);
		process.env.HTTP_PROXY = proxy.url(login);
		expect(await decision.json(asking())).toMatchObject({ urgent: expect.any(Number) });
		expect(proxy.seen).toMatchObject([{ login }]);
	});

	test('that wants a password and gets none, an item fails with what to do', async () => {
		proxy = await Proxy.start('user:word');
		process.env.HTTP_PROXY = proxy.url();
		const error = await decision.error(asking({ maxRetries: 0 }));
		expect(error).toMatchObject({ http_status: 407, description: expect.stringMatching(/proxy/) });
		expect(emulator.requests).toHaveLength(0);
	});

	test('that is gone, an item fails as where the service is gone', async () => {
		proxy = await Proxy.start();
		process.env.HTTP_PROXY = proxy.url();
		await proxy.close();
		proxy = undefined;
		const error = await decision.error(asking({ maxRetries: 0 }));
		expect(error).toMatchObject({ http_status: null, message: expect.stringMatching(/ECONNREFUSED/) });
	});
});

test('many short executions lose nothing and leave nothing behind', async () => {
	const EXECUTIONS = 300;
	let failed = 0;
	for (let started = 0; started < EXECUTIONS; started += 20) {
		const runs = Array.from({ length: 20 }, async () => await decision.json(asking()));
		for (const result of await Promise.allSettled(runs)) {
			if (result.status === 'rejected' || typeof result.value.urgent !== 'number') {
				failed++;
			}
		}
	}
	expect(failed).toBe(0);
	expect(emulator.requests).toHaveLength(EXECUTIONS);
	await emulator.waitFor(() => emulator.inFlight === 0);
}, 60_000);

test('executions one after another, as in a loop, each wait for the rate limit', async () => {
	emulator.setRateLimit({ perSecond: 20, burst: 4, limit: 'RPM' });
	const results: number[] = [];
	for (let round = 0; round < 6; round++) {
		const items = await decision.items(asking(), {
			items: Array.from({ length: 5 }, (_, n) => ({ n: round * 5 + n })),
		});
		results.push(...items.map(({ json }) => (typeof json.urgent === 'number' ? (json.n as number) : -1)));
	}
	expect(results).toEqual(Array.from({ length: 30 }, (_, n) => n));
}, 60_000);
