import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

import type { INodeParameters } from 'n8n-workflow';

import type { Accumulator } from '../client/Accumulator';
import { CompletionAccumulator } from '../client/CompletionAccumulator';
import { decodeCompletion } from '../client/decodeCompletion';
import { MessageAccumulator } from '../client/MessageAccumulator';
import { chunk, chunked, http, LAST_CHUNK, RawServer, writeForever } from './RawServer';
import { repeatSoon } from './repeatSoon';
import { readErrorItem, runNode, type NodeRun } from './runNode';

const MIB = 1024 ** 2;

/** Twice as much as is read of a response. */
const BOMB = gzipSync(Buffer.alloc(32 * MIB, 'x'));

let server: RawServer | undefined;

afterEach(async () => {
	jest.restoreAllMocks();
	await server?.close();
	server = undefined;
});

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
])('by %s', (_, reuseConnections) => {
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
		for (let left = 200; left > 0 && server!.openSockets > 0; left--) {
			await new Promise((resolve) => setTimeout(resolve, 10));
		}
		expect(server!.openSockets).toBe(0);
	};

	describe('a body that is too large ends at its bound, and closes the connection', () => {
		test('gzip', async () => {
			await serve((socket) => socket.end(http(BOMB, '200 OK', { 'Content-Encoding': 'gzip' })));
			const error = await errorOf('decision', asking());
			expect(error).toMatchObject({ message: expect.stringMatching(/larger than 16 MiB/), attempts: 1 });
		});

		test('gzip within gzip', async () => {
			await serve((socket) =>
				socket.end(http(gzipSync(BOMB), '200 OK', { 'Content-Encoding': 'gzip, gzip' })),
			);
			const error = await errorOf('decision', asking());
			expect(error.message).toMatch(/larger than 16 MiB|not valid JSON/);
		});

		test('an endless body', async () => {
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
		])('an endless stream %s', async (__, event) => {
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

		test.each<[string, INodeParameters, (n: number, filler: string) => object]>([
			[
				'fields of a message',
				{},
				(n, filler) => ({ type: 'message_delta', delta: { [`field${n}`]: { filler } } }),
			],
			[
				'blocks of a message',
				{},
				(index, filler) => ({
					type: 'content_block_start',
					index,
					content_block: { type: 'new', data: [filler] },
				}),
			],
			[
				'blocks with long indexes',
				{},
				(n, filler) => ({
					type: 'content_block_delta',
					index: filler + n,
					delta: { type: 'text_delta', text: '' },
				}),
			],
			[
				'tool calls with long indexes',
				{ operation: 'chat' },
				(n, filler) => ({ choices: [{ index: 0, delta: { tool_calls: [{ index: filler + n }] } }] }),
			],
			[
				'fields of a block',
				{},
				(n, filler) => ({
					type: 'content_block_delta',
					index: 0,
					delta: { type: 'new', [`field${n}`]: [filler], entry: { filler } },
				}),
			],
			[
				'fields of a chat',
				{ operation: 'chat' },
				(n, filler) => ({ choices: [{ index: 0, delta: {} }], [`field${n}`]: { filler } }),
			],
			[
				'fields of a choice',
				{ operation: 'chat' },
				(_n, filler) => ({ choices: [{ index: 0, delta: {}, logprobs: { content: [{ filler }] } }] }),
			],
			[
				'fields of a reply',
				{ operation: 'chat' },
				(n, filler) => ({ choices: [{ index: 0, delta: { [`field${n}`]: { filler } } }] }),
			],
			[
				'fields of a tool call',
				{ operation: 'chat' },
				(n, filler) => ({
					choices: [{ index: 0, delta: { tool_calls: [{ index: 0, [`field${n}`]: { filler } }] } }],
				}),
			],
		])('an endless stream of %s, between pieces of text', async (__, parameters, make) => {
			const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`;
			const isChat = 'operation' in parameters;
			const piece = event(
				isChat
					? { choices: [{ index: 0, delta: { content: 'x' } }] }
					: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'x' } },
			);
			const filler = 'x'.repeat(50_000);
			let sent = 0;
			await serve((socket) => {
				socket.write(chunked({ 'Content-Type': 'text/event-stream' }));
				writeForever(socket, () => {
					sent++;
					// Without a bound, this would continue until all memory is used.
					if (sent * 50_000 > 64 * MIB) socket.destroy();
					return chunk(piece + event(make(sent, filler)));
				});
			});
			const error = await errorOf('message', { ...writing({ stream: true }), ...parameters });
			expect(error).toMatchObject({
				message: expect.stringMatching(/larger than 16 MiB/),
				attempts: 1,
			});
		});

		test.each<[string, INodeParameters, (n: number) => object]>([
			['a message', {}, (n) => ({ type: 'message_delta', delta: { [`f${n}`]: n } })],
			['a chat', { operation: 'chat' }, (n) => ({ choices: [], [`f${n}`]: n })],
			[
				'a text',
				{},
				() => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'x' } }),
			],
		])('an endless stream that adds next to nothing to %s with each event', async (__, parameters, make) => {
			let sent = 0;
			const noise = `data: {"type":"ping","noise":"${'x'.repeat(500_000)}"}\n\n`;
			await serve((socket) => {
				socket.write(chunked({ 'Content-Type': 'text/event-stream' }));
				writeForever(socket, () => {
					sent++;
					if (sent * 500_000 > 64 * MIB) socket.destroy();
					return chunk(`data: ${JSON.stringify(make(sent))}\n\n${noise}`);
				});
			});
			const error = await errorOf('message', { ...writing({ stream: true }), ...parameters });
			expect(error).toMatchObject({ message: expect.stringMatching(/larger than 16 MiB/), attempts: 1 });
		});

		test.each<[string, string, (n: number) => object]>([
			['choices', 'chat', (n) => ({ choices: [{ index: n }] })],
			['tool calls', 'chat', (n) => ({ choices: [{ index: n % 9, delta: { tool_calls: [{ index: n }] } }] })],
			['blocks', 'create', (n) => ({ type: 'content_block_start', index: n, content_block: {} })],
			[
				'texts',
				'create',
				(n) => ({ type: 'content_block_delta', index: n, delta: { type: 'text_delta', text: '' } }),
			],
		])('a stream of more and more tiny %s', async (_what, operation, make) => {
			let sent = 0;
			await serve((socket) => {
				socket.write(chunked({ 'Content-Type': 'text/event-stream' }));
				const event = () => `data: ${JSON.stringify(make(sent++))}\n\n`;
				writeForever(socket, () => {
					if (sent > 100_000) socket.destroy();
					return chunk(Array.from({ length: 100 }, event).join(''));
				});
			});
			const error = await errorOf('message', { ...writing({ stream: true }), operation });
			expect(error).toMatchObject({
				message: "The service's response has more than 1024 parts",
				attempts: 1,
			});
			await closed();
		});

		test('a stream whose usage has more and more fields, in a time that grows with its length only', async () => {
			await serve((socket) => {
				socket.write(chunked({ 'Content-Type': 'text/event-stream' }));
				let n = 0;
				const event = () => `data: {"type":"message_delta","usage":{"${n}_${n++}":1}}\n\n`;
				for (let chunks = 0; chunks < 30; chunks++) {
					socket.write(chunk(Array.from({ length: 1000 }, event).join('')));
				}
				socket.write(chunk('data: {"type":"message_stop"}\n\n'));
				socket.end(LAST_CHUNK);
			});
			const startedAt = performance.now();
			expect(await run('message', writing({ stream: true }))).toMatchObject([{ text: '' }]);
			expect(performance.now() - startedAt).toBeLessThan(3000);
		}, 60_000);

		test('a stream without a single event, immediately', async () => {
			await serve((socket) => {
				socket.write(chunked({ 'Content-Type': 'text/event-stream' }));
				writeForever(socket, chunk('junk\n'.repeat(10_000)));
			});
			const startedAt = performance.now();
			const error = await errorOf('message', writing({ stream: true }));
			expect(error.message).toMatch(/contains no events/);
			expect(performance.now() - startedAt).toBeLessThan(2000);
			await closed();
		});

		test('an endless error', async () => {
			await serve((socket) => {
				socket.write(chunked({}, '400 Bad Request'));
				writeForever(socket, chunk(Buffer.alloc(64 * 1024, 'x')));
			});
			const error = await errorOf('decision', asking());
			expect(error).toMatchObject({ http_status: 400, message: expect.stringMatching(/^x{500}…$/) });
			await closed();
		});

		test('what follows the end of a stream', async () => {
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
			// The operating system holds some MiB of what nobody reads.
			expect(sent).toBeLessThan(32 * MIB);
		});

		test('JSON that is nested too deeply, or that holds too many lists', async () => {
			const bodies = [
				'['.repeat(2 * MIB),
				`[${'[],'.repeat(2 * MIB)}1]`,
				'{"a":'.repeat(5000),
				DECISION.replace('{', `{"more":${'['.repeat(1000)}${']'.repeat(1000)},`),
				DECISION.replace('{', `{"more":${'['.repeat(999)}${']'.repeat(999)},`),
			];
			await serve((socket, request) => socket.end(http(bodies[request]!)));
			expect((await errorOf('decision', asking())).message).toMatch(/nested more than 1000 levels deep/);
			expect((await errorOf('decision', asking())).message).toMatch(/more than 1000000 lists/);
			expect((await errorOf('decision', asking())).message).toMatch(/nested more than 1000 levels deep/);
			expect((await errorOf('decision', asking())).message).toMatch(/nested more than 1000 levels deep/);
			expect(await run('decision', asking())).toMatchObject([{ urgent: 1 }]);
		});

		test('16 MiB are read', async () => {
			const body = DECISION.replace('{', `{"more":"${'x'.repeat(16 * MIB - DECISION.length - 10)}",`);
			expect(body).toHaveLength(16 * MIB);
			await serve((socket) => socket.end(http(body)));
			expect(await run('decision', asking())).toMatchObject([{ urgent: 1 }]);
		});
	});

	describe('a body that drips ends in time', () => {
		test('white space, comments and pings of a stream, but not text that continues for longer than ten timeouts', async () => {
			const events = chunked({ 'Content-Type': 'text/event-stream', Connection: 'close' });
			const text = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'x' } };
			const drips = [
				[chunked(), ' '],
				[events, ': x\n\n'],
				[events, 'event: ping\ndata: {}\n\n'],
				[events, `data: ${JSON.stringify(text)}\n\n`],
			] as const;
			await serve((socket, request) => {
				const [head, piece] = drips[request]!;
				socket.write(head);
				let left = 150;
				const timer = setInterval(() => {
					if (piece !== drips[3][1] || left-- > 0) return socket.write(chunk(piece));
					clearInterval(timer);
					return socket.end(`${chunk('data: {"type":"message_stop"}\n\n').toString()}${LAST_CHUNK}`);
				}, 30);
				socket.once('close', () => clearInterval(timer));
			});
			// All run at the same time, because each takes ten timeouts.
			const given = writing({ stream: true, timeout: 400, concurrency: drips.length });
			const results = await run('message', given, { items: drips.map((_drip, n) => ({ n })) });
			const [dripping, whole] = [true, false].map((failed) =>
				results.filter((json) => 'error' in json === failed),
			);
			expect(whole).toMatchObject([{ text: 'x'.repeat(150) }]);
			expect(dripping).toHaveLength(3);
			for (const json of dripping!) {
				expect(readErrorItem(json).error).toMatchObject({
					message: expect.stringMatching(/^Timed out: the response kept trickling in/),
					attempts: 1,
					http_status: 200,
				});
			}
			await closed();
		});

		test('an error, after one timeout, and it is still reported as that error', async () => {
			await serve((socket) => {
				socket.write(chunked({}, '403 Forbidden'));
				socket.write(chunk('Forbidden'));
				const timer = setInterval(() => socket.write(chunk(' ')), 30);
				socket.once('close', () => clearInterval(timer));
			});
			const startedAt = performance.now();
			const error = await errorOf('decision', asking({ timeout: 200, maxRetries: 0 }));
			expect(error).toMatchObject({ message: 'Forbidden', http_status: 403 });
			expect(performance.now() - startedAt).toBeLessThan(1000);
			await closed();
		});
	});

	describe('a response that began and cannot be read', () => {
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

		test.each(broken)('%s: a message is not sent again', async (__, answer) => {
			await serve(answer);
			const error = await errorOf('message', writing());
			expect(error.attempts).toBe(1);
			expect(server!.requests).toHaveLength(1);
		});

		test.each(broken)('%s: a decision is, once', async (__, answer) => {
			await serve(answer);
			const error = await errorOf('decision', asking());
			expect(error.attempts).toBe(2);
			expect(server!.requests).toHaveLength(2);
		});

		test.each([
			['within its first line', 'HTTP/1.'],
			['within its headers', 'HTTP/1.1 200 OK\r\nContent-Type: app'],
		])('one that breaks off %s: a message is not sent again, if n8n can tell', async (__, head) => {
			await serve((socket) => socket.end(head));
			const error = await errorOf('message', writing({ maxRetries: 1 }));
			// The built-in fetch tells how much has ever come by a connection, which may have carried other responses.
			expect(error.attempts).toBe(reuseConnections ? 2 : 1);
		});

		test('a connection that closes without a byte is not a response', async () => {
			await serve((socket, request) => (request === 0 ? socket.destroy() : socket.end(http(MESSAGE))));
			expect(await run('message', writing())).toMatchObject([{ text: 'Hi' }]);
		});

		test('a page that is not JSON at all is not asked for again', async () => {
			for (const page of ['<html>Welcome</html>', 'Welcome{']) {
				await serve((socket) => socket.end(http(page)));
				expect(await errorOf('decision', asking())).toMatchObject({ attempts: 1 });
				await server!.close();
			}
		});

		test('a decision that then comes is the result', async () => {
			await serve((socket, request) => (request === 0 ? broken[0]![1](socket) : socket.end(http(DECISION))));
			expect(await run('decision', asking())).toMatchObject([{ urgent: 1 }]);
		});

		test('an interim response is not such a response', async () => {
			await serve((socket) =>
				socket.end(Buffer.concat([Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'), http(MESSAGE)])),
			);
			await run('message', writing());
			expect(server!.requests).toHaveLength(1);
		});
	});

	test.each([408, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529])('a %d is temporary', async (status) => {
		repeatSoon();
		await serve((socket, request) => socket.end(request === 0 ? http('', `${status} Sorry`) : http(MESSAGE)));
		expect(await run('message', writing())).toMatchObject([{ text: 'Hi' }]);
		expect(server!.requests).toHaveLength(2);
	});

	test.each([
		['an unknown host', 'http://service.invalid/v1', /ENOTFOUND|EAI_AGAIN/],
		['TLS with a server that has none', undefined, /./],
		['a port that fetch does not go to', 'http://127.0.0.1:1/v1', /bad port|ECONNREFUSED/],
	])('%s', async (name, url, message) => {
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

	test('a proxy that wants a password is named', async () => {
		await serve((socket) => socket.end(http('', '407 Proxy Authentication Required')));
		const error = await errorOf('decision', asking({ maxRetries: 0 }));
		expect(`${error.message} ${error.description}`).toMatch(/407|password/i);
	});

	test('503 with "Retry-After: 0" is not sent again immediately', async () => {
		await serve((socket) => socket.write(http('', '503 Service Unavailable', { 'Retry-After': '0' })));
		const startedAt = performance.now();
		await run('decision', asking({ maxRetries: 10, concurrency: 8 }), {
			items: Array.from({ length: 8 }, (__, n) => ({ n })),
			signal: AbortSignal.timeout(1000),
		}).catch(() => {});
		expect(performance.now() - startedAt).toBeLessThan(2000);
		expect(server!.requests.length).toBeLessThan(60);
	}, 10_000);

	describe('the key is masked', () => {
		const key = 'sk-Hostile+key/4711=&"<x>';
		const entities = (format: (code: number) => string) =>
			[...key].map((character) => format(character.charCodeAt(0))).join('');
		const spellings: Array<[string, string]> = [
			['as it is', key],
			['in capitals', key.toUpperCase()],
			['escaped for JSON', JSON.stringify(key).slice(1, -1)],
			['as \\u escapes', entities((code) => `\\u${code.toString(16).padStart(4, '0')}`)],
			['twice escaped for JSON', JSON.stringify(JSON.stringify(key)).slice(1, -1)],
			['percent-encoded', encodeURIComponent(key)],
			['percent-encoded as a whole', entities((code) => `%${code.toString(16)}`)],
			['as decimal entities', entities((code) => `&#${code};`)],
			['as hexadecimal entities', entities((code) => `&#x${code.toString(16)};`)],
			[
				'as named entities',
				key.replace('&', '&amp;').replace('"', '&quot;').replace('<', '&lt;').replace('>', '&gt;'),
			],
			['in base64', btoa(key)],
			['in base64 behind one character', btoa(`x${key}`)],
			['in base64 as a header', btoa(`Bearer ${key}, yours`)],
			['in the base64 of URLs', btoa(`ab${key}`).replaceAll('+', '-').replaceAll('/', '_')],
		];

		test.each(spellings)('in an error, %s', async (__, spelling) => {
			await serve((socket) => socket.end(http(`You sent ${spelling} to us`, '400 Bad Request')));
			const error = await errorOf('decision', asking());
			expect(error.message).toMatch(/^You sent \S*\*{5}\S* to us$/);
			expect(error.message).not.toMatch(/sk-host|ostile|4711/i);
			expect(error.message.length).toBeLessThan(45);
		});

		test('in an error in base64, whole digits and parts of digits', async () => {
			// With two of each, only the digits that hold nothing of the key are alike.
			for (const [before, after] of [
				['', ''],
				['x', 'y'],
				['xy', 'yz'],
				['xyz', 'yzx'],
			] as const) {
				const shown: string[] = [];
				for (const other of [key, key.replace(/^./, 'q').replace(/.$/, 'w')]) {
					const text = `${before}${other}${after}`;
					await serve((socket) => socket.end(http(`<${btoa(text)}>`, '400 Bad Request')));
					const error = await errorOf('decision', asking(), {
						service: { url: server!.url, apiKey: other },
					});
					await server!.close();
					shown.push(error.message);
				}
				expect(shown[0]).toMatch(/^<.{0,4}\*{5}.{0,6}>$/);
				expect(shown[1]).toBe(shown[0]);
			}
			await serve((socket) => socket.end(http('unused')));
		});

		test('in an error, wherever the message is cut off', async () => {
			for (let before = 440; before < 520; before += 7) {
				await serve((socket) =>
					socket.end(http(`${'x'.repeat(before)} ${key} ${'y'.repeat(200_000)}`, '400 Bad Request')),
				);
				expect(JSON.stringify(await errorOf('decision', asking()))).not.toContain('sk-H');
				await server!.close();
			}
			await serve((socket) => socket.end(http('unused')));
		});

		test('in an output, values and names', async () => {
			const escaped = [...key]
				.map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
				.join('');
			const body = MESSAGE.replace(
				'{',
				`{"echo":["${escaped}"],"x ${escaped}":{"deep":"Bearer ${escaped}"},`,
			).replace('Hi', `Hi ${escaped}`);
			await serve((socket) => socket.end(http(body)));
			const [json] = await run('message', { ...writing(), simplify: false });
			expect(json).toMatchObject({
				echo: ['*****'],
				'x *****': { deep: 'Bearer *****' },
				content: [{ text: 'Hi *****' }],
			});
			expect(JSON.stringify(json)).not.toContain('Hostile');
		});

		test('unless it is shorter than eight characters', async () => {
			await serve((socket) => socket.end(http('a bad request', '400 Bad Request')));
			const error = await errorOf('decision', asking(), { service: { url: server!.url, apiKey: 'a' } });
			expect(error.message).toBe('a bad request');
		});
	});

	test('a response that belongs to another request is not taken', async () => {
		const ids: string[] = [];
		await serve((socket, request) => {
			ids.push(/^x-trace-id: *(.*)$/im.exec(server!.requests[request]!)![1]!.trim());
			socket.write(http(DECISION, '200 OK', { 'X-Service-Trace-Id': ids[request === 1 ? 0 : request]! }));
		});
		expect(await run('decision', asking({ includeMetadata: true }))).toMatchObject([
			{ trace_id: expect.any(String) },
		]);
		const [json] = await run('decision', asking({ includeMetadata: true }));
		expect(json).toMatchObject({ urgent: 1, trace_id: ids[2] });
		expect(server!.requests).toHaveLength(3);
	});
});

test.each<[string, Accumulator<unknown>, Record<string, unknown>]>([
	['a chat', new CompletionAccumulator(), { choices: [{ logprobs: { content: Array(100_000).fill({}) } }] }],
	[
		'a message',
		new MessageAccumulator(),
		{ type: 'content_block_start', index: 0, content_block: { citations: Array(100_000).fill([]) } },
	],
])('events that give %s more and more lists and objects', (_what, accumulator, event) => {
	const pushAll = () => {
		for (let left = 11; left > 0; left--) accumulator.push(structuredClone(event));
	};
	expect(pushAll).toThrow("The service's response has more than 1000000 lists and objects");
});

test.each<[string, Accumulator<unknown>, object]>([
	[
		'a message',
		new MessageAccumulator(),
		{ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'x'.repeat(1024) } },
	],
	['a chat', new CompletionAccumulator(), { choices: [{ delta: { content: 'x'.repeat(1024) } }] }],
])('a long text of %s is measured without a copy of it', async (_what, accumulator, data) => {
	const event = Buffer.from(`data: ${JSON.stringify(data)}\n\n`);
	const body = async function* () {
		for (let sent = 0; sent < 8 * MIB; sent += 1024) yield event;
		yield Buffer.from('data: [DONE]\n\n');
	};
	let measure = () => 0;
	const response = {
		header: () => undefined,
		body: body(),
		measureBy: (size: () => number) => (measure = size),
	};
	await decodeCompletion(response, { accumulator, streamed: true });
	const heapBefore = process.memoryUsage().heapUsed;
	expect(measure()).toBeGreaterThan(8 * MIB);
	expect(process.memoryUsage().heapUsed - heapBefore).toBeLessThan(2 * MIB);
});

describe('hostile items', () => {
	const ask = async (parameters: INodeParameters, input: Partial<NodeRun> = {}) => {
		const { outputs, run } = await runNode({
			type: 'decision',
			parameters,
			service: server!,
			onError: 'continueRegularOutput',
			...input,
		});
		return { items: run.status === 'canceled' ? [] : outputs()[0]!, run };
	};

	beforeEach(async () => {
		await serve((socket) => socket.write(http(DECISION)));
	});

	test('that have no JSON fail, or are answered, each by itself', async () => {
		const binary = { file: { mimeType: 'text/plain', data: '' } };
		const withoutJson = { binary, json: undefined } as never;
		const { items } = await ask(asking(), { items: [withoutJson, { n: 1 }] });
		expect(items).toHaveLength(2);
		expect(items[1]!.json).toMatchObject({ n: 1, urgent: 1 });
		expect(items[0]!.json).toBeDefined();

		const ofText = { ...asking(), stateSource: 'json', stateJson: '"hello"' };
		const answered = await ask(ofText, { items: [withoutJson] });
		expect(answered.items).toMatchObject([{ json: { urgent: 1 }, binary }]);
	});

	test('that are nested too deeply, or contain themselves, say so', async () => {
		let deep: object = {};
		for (let level = 0; level < 20_000; level++) deep = { deep };
		const { items } = await ask(
			{ ...asking(), stateSource: 'json', stateJson: '={{ $json.make() }}' },
			{
				items: [{ make: () => deep }],
			},
		);
		expect(readErrorItem(items[0]!.json).error).toMatchObject({
			message: expect.stringMatching(/nested too deeply/),
			attempts: 0,
		});
		expect(server!.requests).toHaveLength(0);
	});

	test('with their own error lose nothing', async () => {
		const { items } = await ask(asking(), { items: [{ error: 'a', input_error: 'b' }] });
		expect(items[0]!.json).toMatchObject({ input_error: 'b', input_error_2: 'a', urgent: 1 });
	});

	test('that fail without a request do not keep a stop waiting', async () => {
		const stop = new AbortController();
		let resolved = 0;
		const count = 20_000;
		// The first item to be read sets off the stop, which comes only when the node lets something else run.
		const items = Array.from({ length: count }, () => ({
			fail: () => {
				if (resolved++ === 0) {
					setTimeout(() => stop.abort(), 0);
				}
				return 'é';
			},
		}));
		const { run } = await ask(asking({ traceId: '={{ $json.fail() }}' }), {
			items: items,
			signal: stop.signal,
		});
		expect(run.status).toBe('canceled');
		expect(resolved).toBeLessThan(count / 2);
		expect(server!.requests).toHaveLength(0);
	}, 30_000);
});

describe('a timeout of more than five minutes', () => {
	test('is kept by the request helper', async () => {
		await serve((socket) => socket.write(http(DECISION)));
		const { outputs } = await runNode({
			type: 'decision',
			parameters: asking({ timeout: 3_600_000 }),
			service: server!,
			items: [{ n: 1 }],
		});
		expect(outputs()[0]).toHaveLength(1);
	});

	test('is an error before anything is sent, if connections are reused', async () => {
		await serve((socket) => socket.write(http(DECISION)));
		const { outputs } = await runNode({
			type: 'decision',
			parameters: asking({ timeout: 300_001 }),
			service: server!,
			items: [{ n: 1 }],
			credential: { reuseConnections: true },
		});
		expect(outputs).toThrow(/\(options\.timeout\) must be at most 300000 .*"Reuse Connections"/);
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
		before.service.close();
		after.service.close();
	}
});
