import dns from 'node:dns';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

import type { INodeParameters } from 'n8n-workflow';

import { toTransportFailure } from '../../nodes/shared/service/toTransportFailure';
import { chunk, chunked, http, LAST_CHUNK, RawServer, writeForever } from '../support/RawServer';
import { repeatSoon } from '../support/repeatSoon';
import { readErrorItem, runNode, type NodeRun } from '../support/runNode';

const MIB = 1024 ** 2;

const KEY = 'sk-hostile-4711';

/** This body is twice as large as the limit for responses. */
const BOMB = gzipSync(Buffer.alloc(32 * MIB, 'x'));

let server: RawServer | undefined;

afterEach(async () => {
	jest.restoreAllMocks();
	await server?.close();
	server = undefined;
});

/** Waits until the client, which runs in this process, has read what was written. A reset would discard the rest. */
async function whenRead(): Promise<void> {
	for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}

async function serve(answer: (socket: Socket, request: number) => void): Promise<RawServer> {
	server = await RawServer.start(answer);
	return server;
}

const asking = (options: INodeParameters = {}): INodeParameters => ({
	questions: { question: [{ id: 'urgent', type: 'noul', instructions: 'Is it urgent?' }] },
	options,
});

const writing = (options: INodeParameters = {}): INodeParameters => ({
	model: 'acme/quick-1',
	messages: { message: [{ role: 'user', content: 'Hello' }] },
	options,
});

const UPLOADING: INodeParameters = {
	operation: 'upload',
	audioSource: 'dataUri',
	audioDataUri: 'data:audio/mpeg;base64,AAAA',
	customName: 'mine',
	text: 'Hello',
	model: 'vendor/voice',
};

const DECISION = JSON.stringify({
	model: 'Kev-4B',
	answers: { urgent: { type: 'noul', noul: 1 } },
	usage: { input_tokens: 1, output_tokens: 1 },
});

const MESSAGE = JSON.stringify({
	id: 'm',
	type: 'message',
	role: 'assistant',
	model: 'acme/quick-1',
	content: [{ type: 'text', text: 'Hi' }],
	stop_reason: 'end_turn',
	stop_sequence: null,
	usage: { input_tokens: 1, output_tokens: 1 },
});

describe.each([
	["n8n's request helper", false],
	['the built-in fetch', true],
])('with %s, the node', (_, reuseConnections) => {
	const run = async (type: string, parameters: INodeParameters, input: Partial<NodeRun> = {}) => {
		const { outputs } = await runNode({
			type,
			parameters,
			service: server!,
			onError: 'continueRegularOutput',
			items: [{ text: 'hello' }],
			credential: { reuseConnections },
			...input,
		});
		return outputs()[0]!.map(({ json }) => json);
	};

	const errorOf = async (...given: Parameters<typeof run>) => {
		const [first] = await run(...given);
		return readErrorItem(first!).error;
	};

	const closed = async () => {
		for (let left = 3000; left > 0 && server!.openSockets > 0; left--) {
			await new Promise((resolve) => setTimeout(resolve, 10));
		}
		expect(server!.openSockets).toBe(0);
	};

	describe('at a long response,', () => {
		test('closes the connection at 16 MiB and fails, even if the body is small in gzip', async () => {
			await serve((socket) => socket.end(http(BOMB, '200 OK', { 'Content-Encoding': 'gzip' })));
			const error = await errorOf('decision', asking());
			expect(error).toMatchObject({ message: expect.stringMatching(/larger than 16 MiB/), attempts: 1 });
		});

		test('closes the connection at 16 MiB and fails, for a body without an end', async () => {
			await serve((socket) => {
				socket.write(chunked());
				writeForever(socket, chunk(Buffer.alloc(64 * 1024, 'x')));
			});
			const error = await errorOf('decision', asking());
			expect(error).toMatchObject({ message: expect.stringMatching(/larger than 16 MiB/), attempts: 1 });
			await closed();
		});

		test.each([
			[
				'of text',
				`data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"${'x'.repeat(50_000)}"}}\n\n`,
			],
			['of comments', `: ${'x'.repeat(50_000)}\n\n`],
			['of events that bring nothing', `event: ping\ndata: {"x":"${'x'.repeat(50_000)}"}\n\n`],
			['of one event', `data: ${'x'.repeat(50_000)}\n`],
		])('closes the connection at 16 MiB and fails, for a stream without an end, %s', async (__, event) => {
			await serve((socket) => {
				socket.write(chunked({ 'Content-Type': 'text/event-stream' }));
				writeForever(socket, chunk(event));
			});
			const error = await errorOf('message', writing({ stream: true }));
			expect(error).toMatchObject({
				message: expect.stringMatching(/larger than 16 MiB/),
				attempts: 1,
			});
			expect(error.description!.length).toBeLessThan(1.1 * MIB);
			await closed();
		});

		test('reports an error status with a body without an end by its first 100 kB', async () => {
			await serve((socket) => {
				socket.write(chunked({}, '400 Bad Request'));
				writeForever(socket, chunk(Buffer.alloc(64 * 1024, 'x')));
			});
			const error = await errorOf('decision', asking());
			expect(error).toMatchObject({ http_status: 400, message: expect.stringMatching(/^x{500}…$/) });
			await closed();
		});

		test('accepts a stream whose end mark came before, however much follows', async () => {
			let sent = 0;
			const rest = chunk(Buffer.alloc(64 * 1024, '\n'));
			await serve((socket) => {
				socket.write(chunked({ 'Content-Type': 'text/event-stream' }));
				socket.write(chunk(`data: ${MESSAGE}\n\ndata: [DONE]\n\n`));
				writeForever(socket, () => {
					sent += rest.length;
					return rest;
				});
			});
			expect(await run('message', writing({ stream: true }))).toMatchObject([{ text: 'Hi' }]);
			await closed();
			// The operating system buffers some MiB that the client does not read.
			expect(sent).toBeLessThan(32 * MIB);
		});

		test('accepts a body of exactly 16 MiB', async () => {
			const body = DECISION.replace('{', `{"more":"${'x'.repeat(16 * MIB - DECISION.length - 10)}",`);
			expect(body).toHaveLength(16 * MIB);
			await serve((socket) => socket.end(http(body)));
			expect(await run('decision', asking())).toMatchObject([{ urgent: 1 }]);
		});
	});

	test('reports an error by the part of its body that arrives within Timeout', async () => {
		await serve((socket) => {
			socket.write(chunked({}, '403 Forbidden'));
			socket.write(chunk('Forbidden'));
			const timer = setInterval(() => socket.write(chunk(' ')), 30);
			socket.once('close', () => clearInterval(timer));
		});
		const error = await errorOf('decision', asking({ timeout: 1000, maxRetries: 0 }));
		expect(error).toMatchObject({ message: 'Forbidden', http_status: 403 });
		await closed();
	});

	describe('after a response that cannot be read,', () => {
		beforeEach(repeatSoon);

		const broken: Array<[string, (socket: Socket) => void]> = [
			[
				'a broken header',
				(socket) => socket.end('HTTP/1.1 200 OK\r\nContent Length: 3\r\n\x01: x\r\n\r\n{}'),
			],
			['a broken status', (socket) => socket.end('HTTP/1.1 2OO OK\r\n\r\n{}')],
			['another protocol', (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n')],
			[
				'a header of 100 KB',
				(socket) => socket.end(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}\r\n\r\n{}`),
			],
			['a broken chunk', (socket) => socket.end(`${chunked()}zz\r\n{}`)],
			[
				'fewer bytes than it reports',
				(socket) => socket.end(http('{}', '200 OK', { 'Content-Length': '50' })),
			],
			[
				'both a length and chunks',
				(socket) =>
					socket.end(
						`HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n${LAST_CHUNK}`,
					),
			],
			['JSON that breaks off', (socket) => socket.end(http(DECISION.slice(0, -5)))],
			[
				'broken gzip',
				(socket) =>
					socket.end(
						http(gzipSync(Buffer.from(DECISION)).fill(0xff, 12, 40), '200 OK', {
							'Content-Encoding': 'gzip',
						}),
					),
			],
		];

		test.each(broken)('does not retry a message: %s', async (__, answer) => {
			await serve(answer);
			const error = await errorOf('message', writing());
			expect(error.attempts).toBe(1);
			expect(server!.requests).toHaveLength(1);
		});

		test.each(broken)('retries a decision once: %s', async (__, answer) => {
			await serve(answer);
			const error = await errorOf('decision', asking());
			expect(error.attempts).toBe(2);
			expect(server!.requests).toHaveLength(2);
		});

		describe.each([
			['after one byte', 'H'],
			['within its first line', 'HTTP/1.'],
			['within its status', 'HTTP/1.1 20'],
			['after its first line', 'HTTP/1.1 200 OK\r\n'],
			['within its headers', 'HTTP/1.1 200 OK\r\nContent-Type: app'],
			['before the blank line', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n'],
			['after a preliminary response', 'HTTP/1.1 102 Processing\r\n\r\n'],
		])('because it breaks off %s,', (__, head) => {
			const ends: Array<[string, (socket: Socket) => void]> = [
				['closed', (socket) => socket.end(head)],
				['reset', (socket) => socket.write(head, () => void whenRead().then(() => socket.resetAndDestroy()))],
			];

			test.each(ends)('does not retry a message, a chat or an upload (connection %s)', async (___, end) => {
				await serve(end);
				const billed = [
					['message', writing()],
					['message', { operation: 'chat', ...writing() }],
					['voice', UPLOADING],
				] as const;
				for (const [type, parameters] of billed) {
					const before = server!.requests.length;
					const error = await errorOf(type, parameters);
					expect(error).toMatchObject({ message: expect.stringContaining('had begun'), attempts: 1 });
					expect(server!.requests).toHaveLength(before + 1);
				}
			});

			test.each(ends)(
				'does not retry a message after a decision on a connection that stays open (%s later)',
				async (___, end) => {
					await serve((socket, request) => (request === 0 ? socket.write(http(DECISION)) : end(socket)));
					await run('decision', asking());
					expect(await errorOf('message', writing())).toMatchObject({ attempts: 1 });
					expect(server!.requests).toHaveLength(2);
				},
			);

			test.each(ends)('retries a decision and a read once (connection %s)', async (___, end) => {
				await serve(end);
				for (const [type, parameters] of [['decision', asking()] as const, ['account', {}] as const]) {
					const error = await errorOf(type, parameters);
					expect(error).toMatchObject({ message: expect.stringContaining('had begun'), attempts: 2 });
				}
			});
		});
	});

	test.each(['message', 'decision'] as const)(
		'gets an answer to each %s of 60, although the server ends every connection at its second request',
		async (type) => {
			repeatSoon();
			const used = new Set<Socket>();
			const answer = http(type === 'message' ? MESSAGE : DECISION);
			await serve((socket) => {
				if (used.has(socket)) socket.destroy();
				else socket.write(answer);
				used.add(socket);
			});
			const items = Array.from({ length: 60 }, (___, n) => ({ n }));
			const asked = type === 'message' ? writing() : asking();
			const results = await run(type, asked, { items });
			expect(results).toHaveLength(60);
			expect(results.filter(({ error }) => error)).toEqual([]);
		},
	);

	test.each([
		['is closed', (socket: Socket) => socket.end()],
		['is reset', (socket: Socket) => socket.resetAndDestroy()],
	])('retries up to Max Retries while the connection %s without a byte', async (__, end) => {
		repeatSoon();
		for (const [type, asked, answer] of [
			['message', writing(), MESSAGE],
			['decision', asking(), DECISION],
		] as const) {
			await serve((socket, request) => (request < 3 ? end(socket) : socket.end(http(answer))));
			const [result] = await run(type, asked);
			expect(result).not.toHaveProperty('error');
			expect(server!.requests).toHaveLength(4);
			await server!.close();
		}
	});

	test('retries a message if the server destroys the connection without a byte', async () => {
		repeatSoon();
		await serve((socket, request) => (request === 0 ? socket.destroy() : socket.end(http(MESSAGE))));
		expect(await run('message', writing())).toMatchObject([{ text: 'Hi' }]);
	});

	test('does not retry a decision if the response is a page that is not JSON at all', async () => {
		for (const page of ['<html>Welcome</html>', 'Welcome{']) {
			await serve((socket) => socket.end(http(page)));
			expect(await errorOf('decision', asking())).toMatchObject({ attempts: 1 });
			await server!.close();
		}
	});

	test('sends several decisions over one connection only if Reuse Connections is on', async () => {
		const used = new Set<Socket>();
		await serve((socket) => socket.write(http(DECISION), () => used.add(socket)));
		const items = Array.from({ length: 5 }, (__, n) => ({ n }));
		await run('decision', asking({ concurrency: 1 }), { items });
		// The second request may go out before fetch has the first connection back.
		expect(reuseConnections ? [1, 2] : [5]).toContain(used.size);
	});

	test.each([408, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529])('retries a %d', async (status) => {
		repeatSoon();
		await serve((socket, request) => socket.end(request === 0 ? http('', `${status} Sorry`) : http(MESSAGE)));
		expect(await run('message', writing())).toMatchObject([{ text: 'Hi' }]);
		expect(server!.requests).toHaveLength(2);
	});

	test.each([
		['an unknown host', 'http://service.invalid/v1', /ENOTFOUND|EAI_AGAIN/],
		[
			'TLS with a server that has none',
			undefined,
			/^A secure connection .* seems to speak only http at this port\. Begin the base URL with http:.* \(.{0,60}\)$/,
		],
		['a port that fetch does not go to', 'http://127.0.0.1:1/v1', /bad port|ECONNREFUSED/],
	])('fails an item with the reason for %s', async (name, url, message) => {
		const plain = createServer((__, response) => response.end()).listen(0, '127.0.0.1');
		await new Promise((resolve) => plain.once('listening', resolve));
		const baseUrl = url ?? `https://127.0.0.1:${(plain.address() as AddressInfo).port}/v1`;
		const error = await errorOf('decision', asking({ maxRetries: 1 }), {
			service: { url: baseUrl, apiKey: 'a long enough key'.replaceAll(' ', '-') },
			credential: { reuseConnections, allowHttp: true },
		});
		plain.close();
		expect(error.message).toMatch(message);
		const passing = /EAI_AGAIN|ECONNREFUSED/.test(error.message);
		expect([name, error.attempts]).toEqual([name, passing ? 2 : 1]);
	});

	test.each([
		['ENOTFOUND', 1],
		['EAI_AGAIN', 2],
	])(
		'asks a second time for a host only if its look-up fails for the moment (%s)',
		async (code, attempts) => {
			repeatSoon();
			const error = Object.assign(new Error(`getaddrinfo ${code} service.invalid`), { code });
			jest
				.spyOn(dns, 'lookup')
				.mockImplementation((...given: unknown[]) => void (given.at(-1) as (error: Error) => void)(error));
			expect(
				await errorOf('decision', asking({ maxRetries: 1 }), {
					service: { url: 'https://service.invalid/v1', apiKey: KEY },
				}),
			).toMatchObject({ message: expect.stringContaining(code), attempts });
		},
	);

	test('masks the key in an error, and not in results', async () => {
		const echo = `You sent ${KEY} to us`;
		const answers = [http(echo, '400 Bad Request'), http(MESSAGE.replace('Hi', echo))];
		await serve((socket, request) => socket.end(answers[request]!));
		const service = { url: server!.url, apiKey: KEY };
		expect((await errorOf('decision', asking(), { service })).message).toBe('You sent ***** to us');
		expect(await run('message', writing(), { service })).toMatchObject([{ text: echo }]);
	});
});

/** Makes the response that a server sends with this first line and these headers, followed by an empty object. */
const responseOf = (...lines: string[]) => `${lines.join('\r\n')}\r\n\r\n{}`;

test.each<[name: string, response: string, reason: RegExp]>([
	['a status that is no number', responseOf('HTTP/1.1 2OO OK'), /Response does not match the HTTP/],
	['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n', /Response does not match the HTTP/],
	[
		'a header of 100 KB',
		responseOf('HTTP/1.1 200 OK', `X: ${'x'.repeat(100_000)}`),
		/UND_ERR_HEADERS_OVERFLOW/,
	],
	[
		'two lengths',
		responseOf('HTTP/1.1 200 OK', 'Content-Length: 2', 'Content-Length: 3'),
		/UND_ERR_RES_CONTENT_LENGTH_MISMATCH/,
	],
	[
		'the status 100, which was not asked for',
		responseOf('HTTP/1.1 100 Continue'),
		/bad response UND_ERR_SOCKET/,
	],
	[
		'the status 101, which was not asked for',
		responseOf('HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: x'),
		/bad upgrade UND_ERR_SOCKET/,
	],
])(
	'with Reuse Connections, a decision says that a response had begun that cannot be read: %s',
	async (_, response, reason) => {
		await serve((socket) => socket.end(response));
		const { outputs } = await runNode({
			type: 'decision',
			parameters: asking({ maxRetries: 0 }),
			service: server!,
			onError: 'continueRegularOutput',
			items: [{ text: 'hello' }],
			credential: { reuseConnections: true },
		});
		const { message } = readErrorItem(outputs()[0]![0]!.json).error;
		expect(message).toContain('A response had begun, but it cannot be read (');
		expect(message).toMatch(reason);
	},
);

test('malformed HTTP is a response that had begun also in n8n before 2.34, which does not say so', () => {
	const message = 'Parse Error: Invalid header token';
	expect(toTransportFailure({ message, code: 'HPE_INVALID_HEADER_TOKEN' }, undefined)).toMatchObject({
		kind: 'broken',
		message: `A response had begun, but it cannot be read (${message})`,
	});
});

describe('a timeout of more than five minutes', () => {
	const run = async (timeout: number, reuseConnections: boolean) => {
		await serve((socket) => socket.write(http(DECISION)));
		const parameters = asking({ timeout });
		return await runNode({
			type: 'decision',
			parameters,
			service: server!,
			items: [{ n: 1 }],
			credential: { reuseConnections },
		});
	};

	test('is accepted with Reuse Connections off', async () => {
		const { outputs } = await run(3_600_000, false);
		expect(outputs()[0]).toHaveLength(1);
	});

	test('is refused before a request is sent with Reuse Connections on', async () => {
		const { outputs } = await run(300_001, true);
		expect(outputs).toThrow(/\(options\.timeout\) must be at most 300000 .*'Reuse Connections'/);
		expect(server!.requests).toHaveLength(0);
	});
});

test('a credential that is edited while a run continues never sends the new key to the old host', async () => {
	const seen: Array<[string, string | undefined]> = [];
	const listen = async (name: string) => {
		const service = createServer((request, response) => {
			seen.push([name, request.headers.authorization]);
			request.resume().on('end', () => response.setHeader('content-type', 'application/json').end(DECISION));
		}).listen(0, '127.0.0.1');
		await new Promise((resolve) => service.once('listening', resolve));
		return { service, url: `http://127.0.0.1:${(service.address() as { port: number }).port}/v1` };
	};
	const [before, after] = [await listen('old'), await listen('new')];
	const credentials = { inferenceServiceApi: { baseUrl: before.url, apiKey: 'the-old-key' } };
	try {
		for (const reuseConnections of [false, true]) {
			credentials.inferenceServiceApi = { baseUrl: before.url, apiKey: 'the-old-key' };
			const { outputs } = await runNode({
				type: 'decision',
				parameters: asking({ concurrency: 1 }),
				service: { url: before.url, apiKey: 'the-old-key' },
				items: Array.from({ length: 6 }, (_, n) => ({ n })),
				credentials: new Proxy(credentials, {
					get: (target, name: 'inferenceServiceApi') => {
						if (seen.length >= 2) target[name] = { baseUrl: after.url, apiKey: 'the-new-key' };
						return { ...target[name], reuseConnections };
					},
				}),
			});
			expect(outputs()[0]).toHaveLength(6);
			expect(new Set(seen.map((pair) => pair.join(' ')))).toEqual(new Set(['old Bearer the-old-key']));
			seen.length = 0;
		}
	} finally {
		// The built-in fetch may have opened a spare connection, which would keep this process from ending.
		for (const { service } of [before, after]) service.close().closeAllConnections();
	}
});
