import { Agent, Client, request as send } from 'undici';

import type { DecisionResponse, Message, NoulAnswer } from '../contract/types';
import { contract } from '../emulator/ContractValidation';
import { ACCEPTED_MODELS, Emulator, type EmulatorOptions, type Fault } from '../emulator/Emulator';
import { missingFields, requestSchemas, requestVariants } from './requestVariants';
import {
	chatRequest,
	decisionRequest,
	messageRequest,
	toolRequest,
	validRequests,
	voiceDeletion,
} from './validRequests';

const model = ACCEPTED_MODELS[0] ?? '';
const agent = new Agent();
let emulator: Emulator;

beforeAll(async () => {
	emulator = await Emulator.start();
});

afterEach(() => emulator.reset());

afterAll(async () => {
	await agent.destroy();
	await emulator.close();
});

interface Received {
	status: number;
	headers: Record<string, string | string[] | undefined>;
	text: string;
	chunks: Buffer[];
}

async function call(path: string, body?: unknown, signal?: AbortSignal, to = emulator): Promise<Received> {
	const { origin } = new URL(to.url);
	const response = await send(origin + path, {
		dispatcher: agent,
		method: body === undefined ? 'GET' : 'POST',
		headers: {
			authorization: `Bearer ${to.apiKey}`,
			...(body !== undefined && { 'content-type': 'application/json' }),
		},
		body: body === undefined ? null : JSON.stringify(body),
		...(signal && { signal }),
	});
	const chunks: Buffer[] = [];
	for await (const chunk of response.body) chunks.push(chunk as Buffer);
	return {
		status: response.statusCode,
		headers: response.headers,
		text: Buffer.concat(chunks).toString(),
		chunks,
	};
}

const info = (): Promise<Received> => call('/v1/user/info');

async function withEmulator(options: EmulatorOptions, act: (own: Emulator) => Promise<void>): Promise<void> {
	const own = await Emulator.start(options);
	try {
		await act(own);
	} finally {
		await own.close();
	}
}

describe('the contract', () => {
	const cases = [
		...requestVariants(contract(), 'DecisionRequest', decisionRequest()).map((variant) => ({
			...variant,
			path: '/v1/systemone',
		})),
		...requestVariants(contract(), 'MessageRequest', toolRequest(model))
			// Repeated turns would separate a tool's result from its call, which is another rule.
			.filter(({ name, valid }) => !(valid && name.startsWith('messages:')))
			.map((variant) => ({ ...variant, path: '/v1/messages' })),
		...requestVariants(contract(), 'ChatRequest', chatRequest(model)).map((variant) => ({
			...variant,
			path: '/v1/chat/completions',
		})),
		...requestVariants(contract(), 'VoiceDeletion', voiceDeletion()).map((variant) => ({
			...variant,
			path: '/v1/audio/voice/deletions',
		})),
	];

	test('has a valid body for every request, with every field', () => {
		const bodies = validRequests(model);
		expect(Object.keys(bodies).sort()).toEqual(requestSchemas(contract()).sort());
		for (const [schemaName, body] of Object.entries(bodies)) {
			expect(contract().violationOfSchema(schemaName, body)).toBeUndefined();
			expect(missingFields(contract(), schemaName, body)).toEqual([]);
		}
	});

	test('accepts the values at each limit', async () => {
		const accepted = cases.filter(({ valid }) => valid);
		expect(accepted.length).toBeGreaterThan(8);
		for (const { path, body, name } of accepted)
			expect([name, (await call(path, body)).status]).toEqual([name, 200]);
	});

	test('refuses each other variant, and names the field', async () => {
		const refused = cases.filter(({ valid }) => !valid);
		expect(refused.length).toBeGreaterThan(80);
		for (const { path, body, name, field } of refused) {
			const { status, text } = await call(path, body);
			expect([name, status]).toEqual([name, 400]);
			const parent = field.split('.').slice(0, -1).join('.');
			expect(field === 'body' ? field : text).toContain(name.includes('variant') ? parent : field);
		}
	});

	test('has a limit for every limit of the service document', () => {
		const limits = cases.filter(({ valid }) => valid).map(({ name }) => name);
		expect([...new Set(limits)].sort()).toEqual([
			'max_tokens: minimum 1',
			'questions.team.criteria: 1 fields',
			'questions.upset.criteria: 10 items',
			'questions.upset.criteria: 2 items',
			'questions: 1 fields',
			'temperature: maximum 2',
			'temperature: minimum 0',
			'top_k: maximum 50',
			'top_k: minimum 0',
			'top_p: maximum 1',
			'top_p: minimum 0.1',
		]);
		for (const count of [1, 10]) {
			const body = { ...messageRequest(model), messages: Array(count).fill({ role: 'user', content: 'x' }) };
			expect(contract().operation('createMessage').violationOfBody('application/json', body)).toBeUndefined();
		}
	});

	test('lets pass the extra fields it was told of', async () => {
		await withEmulator({ extraFields: ['seed'] }, async (own) => {
			const body = { ...messageRequest(model), seed: 7 };
			expect((await call('/v1/messages', body, undefined, own)).status).toBe(200);
			expect((await call('/v1/messages', { ...body, sead: 7 }, undefined, own)).status).toBe(400);
		});
	});
});

describe('behaviour', () => {
	async function urgency(body: string): Promise<number> {
		const { text } = await call('/v1/systemone', { ...decisionRequest(), state: { body } });
		return ((JSON.parse(text) as DecisionResponse).answers.urgent as NoulAnswer).noul;
	}

	test('decides by the words, the same each time', async () => {
		const stolen = await urgency('My card was stolen, please help me now!');
		expect(stolen).toBeGreaterThan(0.7);
		expect(await urgency('My card was stolen, please help me now!')).toBe(stolen);
		expect(await urgency('Do you ship to France?')).toBeLessThan(0.4);
	});

	async function message(body: Record<string, unknown>): Promise<Message> {
		return JSON.parse((await call('/v1/messages', { ...messageRequest(model), ...body })).text) as Message;
	}

	test('answers with JSON when JSON is asked for', async () => {
		const { content } = await message({
			messages: [{ role: 'user', content: 'A summary as JSON, please.' }],
		});
		expect(JSON.parse(content[0]?.type === 'text' ? content[0].text : '')).toHaveProperty('summary');
	});

	test('calls a tool that is named, with an input that its schema allows', async () => {
		const tools = [
			{
				name: 'convert',
				input_schema: {
					type: 'object',
					required: ['amount', 'to', 'tags', 'deep'],
					properties: {
						amount: { type: 'integer', minimum: 1, maximum: 20 },
						to: { enum: ['EUR', 'USD'] },
						tags: { type: 'array', minItems: 1, items: { type: 'string', maxLength: 3 } },
						deep: { $ref: '#/$defs/deep' },
						optional: { type: 'string' },
					},
					$defs: { deep: { type: 'object', properties: { on: { type: ['null', 'boolean'] } } } },
				},
			},
		];
		const called = await message({
			tools,
			messages: [{ role: 'user', content: 'Please convert 42 dollars' }],
		});
		expect(called.stop_reason).toBe('tool_use');
		expect(called.content[1]).toMatchObject({
			name: 'convert',
			input: { amount: 20, to: 'EUR', tags: ['Ple'], deep: { on: true } },
		});
		const given = await message({
			tools,
			messages: [{ role: 'user', content: 'convert {"amount":{"x":1}} now' }],
		});
		expect(given.content[1]).toMatchObject({ input: { amount: { x: 1 } } });
		const silent = await message({ tools, messages: [{ role: 'user', content: 'Good morning' }] });
		expect(silent.stop_reason).toBe('end_turn');
	});

	test('refuses a tool result without its call, and a forced tool that does not exist', async () => {
		const content = [{ type: 'tool_result', tool_use_id: 'a', content: 'x' }];
		const body = { ...messageRequest(model), messages: [{ role: 'user', content }] };
		expect((await call('/v1/messages', body)).status).toBe(400);
		const forced = { ...messageRequest(model), tool_choice: { type: 'tool', name: 'a' } };
		expect((await call('/v1/messages', forced)).status).toBe(400);
	});
});

describe('records', () => {
	test('keeps requests as they came, in order', async () => {
		await call('/v1/batches/a%2F..%2Fb/cancel', { not: 'empty' });
		await info();
		expect(emulator.requests).toMatchObject([
			{
				method: 'POST',
				path: '/batches/a%2F..%2Fb/cancel',
				body: { not: 'empty' },
				status: 400,
				complete: true,
			},
			{ method: 'GET', path: '/user/info', status: 200, closedByClient: false },
		]);
		expect(emulator.requests[0]?.rawBody.toString()).toBe('{"not":"empty"}');
	});

	test('keeps the parts of a form, but no bytes above 1 MiB', async () => {
		for (const size of [4, 1024 * 1024 + 1]) {
			const form = new FormData();
			for (const field of ['model', 'customName', 'text']) form.set(field, field);
			form.set('audio', new Blob([new Uint8Array(size)], { type: 'audio/wav' }), 'a b.wav');
			const response = await fetch(`${emulator.url}/uploads/audio/voice`, {
				method: 'POST',
				headers: { authorization: `Bearer ${emulator.apiKey}` },
				body: form,
			});
			expect(response.status).toBe(200);
			const { multipart, rawBody } = emulator.requests.at(-1) ?? {};
			expect(multipart?.fields).toEqual({ model: 'model', customName: 'customName', text: 'text' });
			expect(multipart?.files).toMatchObject([
				{ field: 'audio', fileName: 'a b.wav', mimeType: 'audio/wav', size },
			]);
			expect(multipart?.files[0]?.bytes?.length).toBe(size === 4 ? 4 : undefined);
			expect(rawBody?.length).toBe(size === 4 ? rawBody?.length : 0);
		}
	});

	test('counts what is in flight, and sees a client leave', async () => {
		emulator.fault({ stall: 'before-headers', times: 2 });
		const abort = new AbortController();
		const calls = [1, 2].map(() => call('/v1/user/info', undefined, abort.signal).catch(() => 'aborted'));
		await emulator.waitForRequests(2);
		expect([emulator.inFlight, emulator.maxInFlight]).toEqual([2, 2]);
		abort.abort();
		expect(await Promise.all(calls)).toEqual(['aborted', 'aborted']);
		await emulator.waitFor(() => emulator.inFlight === 0);
		expect(
			emulator.requests.every(({ closedByClient, status }) => closedByClient && status === undefined),
		).toBe(true);
	});

	test('waits in vain for what does not come', async () => {
		await expect(emulator.waitForRequests(1, 20)).rejects.toThrow('0 requests');
	});
});

describe('faults', () => {
	test('acts as often as told, after as many as told, on what matches', async () => {
		emulator.fault({ method: 'get', path: '/user/info', times: 2, skip: 1, status: 503 });
		emulator.fault({ path: /voice/, when: ({ method }) => method === 'GET', status: 500 });
		emulator.fault({ bodyIncludes: 'stolen', status: 504, body: 'too late' });
		const statuses = [];
		for (let i = 0; i < 4; i++) statuses.push((await info()).status);
		expect(statuses).toEqual([200, 503, 503, 200]);
		expect((await call('/v1/audio/voice/list')).status).toBe(500);
		expect(await call('/v1/systemone', decisionRequest())).toMatchObject({ status: 504, text: 'too late' });
	});

	test('can be removed, and must do something', async () => {
		const remove = emulator.fault({ status: 500, times: Infinity });
		expect((await info()).status).toBe(500);
		remove();
		expect((await info()).status).toBe(200);
		expect(() => emulator.fault({ path: '/user/info' })).toThrow(TypeError);
	});

	test('acts at random, the same way after each reset', async () => {
		const run = async (): Promise<number[]> => {
			emulator.fault({ status: 503, probability: 0.5, times: Infinity });
			const statuses = [];
			for (let i = 0; i < 20; i++) statuses.push((await info()).status);
			emulator.reset();
			return statuses;
		};
		const first = await run();
		expect(new Set(first)).toEqual(new Set([200, 503]));
		expect(await run()).toEqual(first);
	});

	test('replies with whatever is given', async () => {
		emulator.fault({ status: 302, headers: { Location: 'https://elsewhere.example/' }, body: '' });
		expect((await info()).headers.location).toBe('https://elsewhere.example/');
		emulator.fault({ respond: ({ path }) => ({ status: 418, body: { path } }) });
		expect(await info()).toMatchObject({ status: 418, text: '{"path":"/user/info"}' });
		emulator.fault({ status: 429, headers: { 'Retry-After': '7' } });
		expect(await info()).toMatchObject({ status: 429, headers: { 'retry-after': '7' } });
		emulator.fault({ headers: { 'x-extra': 'yes' } });
		expect(await info()).toMatchObject({ status: 200, headers: { 'x-extra': 'yes' } });
		emulator.fault({ status: 200, body: Buffer.from([0xff, 0xfe]) });
		expect((await info()).chunks[0]).toEqual(Buffer.from([0xff, 0xfe]));
	});

	test('delays', async () => {
		emulator.fault({ delayMs: 60 });
		const start = performance.now();
		expect((await info()).status).toBe(200);
		expect(performance.now() - start).toBeGreaterThan(55);
	});

	test.each(['before-headers', 'after-headers', 'mid-body'] as const)(
		'cuts the connection %s',
		async (cut) => {
			emulator.fault({ cut });
			await expect(info()).rejects.toThrow();
			await emulator.waitFor(() => emulator.inFlight === 0);
			const [request] = emulator.requests;
			expect(request?.closedByClient).toBe(false);
			expect(request?.status).toBe(cut === 'before-headers' ? undefined : 200);
			expect((request?.sentBytes ?? 0) > 0).toBe(cut === 'mid-body');
		},
	);

	test.each(['before-headers', 'after-headers', 'mid-body'] as const)('stalls %s', async (stall) => {
		emulator.fault({ stall });
		await expect(call('/v1/user/info', undefined, AbortSignal.timeout(60))).rejects.toThrow();
		await emulator.waitFor(() => emulator.inFlight === 0);
		expect(emulator.requests[0]?.closedByClient).toBe(true);
	});

	test('ends a stalled answer when it closes', async () => {
		await withEmulator({}, async (own) => {
			own.fault({ stall: 'mid-body' });
			const stalled = call('/v1/user/info', undefined, undefined, own).catch(() => 'ended');
			await own.waitForRequests(1);
			await own.close();
			expect(await stalled).toBe('ended');
			expect(own.requests[0]?.closedByClient).toBe(false);
		});
	});

	test('truncates a body cleanly', async () => {
		const whole = await info();
		emulator.fault({ truncate: true });
		const { text } = await info();
		expect(text.length).toBe(Math.ceil(whole.text.length / 2));
		expect(whole.text.startsWith(text)).toBe(true);
	});

	test('splits a body anywhere without changing it', async () => {
		const body = { ...chatRequest(model), stream: true, messages: [{ role: 'user', content: 'naïve 🙂' }] };
		const whole = await call('/v1/chat/completions', body);
		for (const split of [[1, 5, 40], 'every-byte'] satisfies Fault['split'][]) {
			emulator.reset();
			emulator.fault({ split });
			const { text, chunks } = await call('/v1/chat/completions', body);
			expect(text.replaceAll('chat_000001', '')).toBe(whole.text.replaceAll('chat_000001', ''));
			expect(chunks.length).toBeGreaterThanOrEqual(3);
		}
	});

	test('plays a script', async () => {
		emulator.fault({ stream: [{ bytes: 'data: 1\r' }, { bytes: Buffer.from('\n\r\n'), delayMs: 20 }] });
		expect(await info()).toMatchObject({
			status: 200,
			text: 'data: 1\r\n\r\n',
			headers: { 'content-type': 'text/event-stream; charset=utf-8' },
		});
		emulator.fault({ stream: [{ bytes: 'data: 1\n\n' }], end: 'cut' });
		await expect(info()).rejects.toThrow();
	});
});

describe('streams', () => {
	test('send each word at its time', async () => {
		await withEmulator({ tokenDelayMs: 3 }, async (own) => {
			const body = { ...messageRequest(model), stream: true, max_tokens: 5 };
			const { chunks, text } = await call('/v1/messages', body, undefined, own);
			expect(chunks.length).toBeGreaterThan(5);
			expect(text.endsWith('event: message_stop\ndata: {"type":"message_stop"}\n\ndata: [DONE]\n\n')).toBe(
				true,
			);
		});
	});

	test('stop when the client leaves', async () => {
		await withEmulator({ tokenDelayMs: 100 }, async (own) => {
			const body = { ...messageRequest(model), stream: true };
			await expect(call('/v1/messages', body, AbortSignal.timeout(30), own)).rejects.toThrow();
			await own.waitFor(() => own.inFlight === 0);
			expect(own.requests[0]).toMatchObject({ status: 200, closedByClient: true });
			expect(own.requests[0]?.sentBytes).toBeLessThan(1000);
		});
	});
});

describe('rate limit', () => {
	test('lets a burst pass, then as many as it regains', async () => {
		emulator.setRateLimit({ perSecond: 4, burst: 3, limit: 'RPM' });
		const statuses = (await Promise.all(Array.from({ length: 6 }, info))).map(({ status }) => status);
		expect(statuses.filter((status) => status === 200).length).toBe(3);
		await new Promise((resolve) => setTimeout(resolve, 270));
		expect((await info()).status).toBe(200);
		expect((await info()).status).toBe(429);
		emulator.setRateLimit();
		expect((await info()).status).toBe(200);
	});

	test('names the limit, and says when to come back', async () => {
		const refusal = async (retryAfter?: boolean | number | 'date'): Promise<Received> => {
			emulator.setRateLimit({
				perSecond: 0.5,
				burst: 0,
				limit: 'TPD',
				...(retryAfter !== undefined && { retryAfter }),
			});
			return info();
		};
		const silent = await refusal();
		expect(silent.text).toContain('TPD limit reached');
		expect(silent.headers['retry-after']).toBeUndefined();
		expect((await refusal(true)).headers['retry-after']).toBe('2');
		expect((await refusal(9)).headers['retry-after']).toBe('9');
		const date = Date.parse(String((await refusal('date')).headers['retry-after']));
		expect(Math.abs(date - Date.now())).toBeLessThan(4000);
	});

	test('counts neither wrong keys nor unknown paths', async () => {
		emulator.setRateLimit({ perSecond: 0, burst: 1, limit: 'RPM' });
		expect((await call('/v1/unheard-of')).status).toBe(404);
		expect((await info()).status).toBe(200);
		expect((await info()).status).toBe(429);
	});
});

describe('options', () => {
	test('waits before a successful answer, with as many at once as come', async () => {
		emulator.latencyMs = 50;
		const start = performance.now();
		await Promise.all(Array.from({ length: 5 }, info));
		const elapsed = performance.now() - start;
		expect(elapsed).toBeGreaterThan(45);
		expect(elapsed).toBeLessThan(220);
		expect(emulator.maxInFlight).toBe(5);
	});

	test('counts connections', async () => {
		await withEmulator({ recordRequests: false }, async (own) => {
			const client = new Client(new URL(own.url).origin);
			for (let i = 0; i < 2; i++) {
				const { body } = await client.request({ path: '/v1/user/info', method: 'GET' });
				await body.dump();
			}
			await own.waitForRequests(2);
			await client.close();
			expect([own.connections, own.requests.length]).toEqual([1, 0]);
		});
	});
});

describe('the admin surface', () => {
	test('steers the emulator from another process', async () => {
		const admin = (path: string, body?: unknown): Promise<Received> => call(`/emulator${path}`, body);
		expect(
			(
				await admin('/faults', [
					{ status: 503, times: 2 },
					{ path: '/user/info', delayMs: 1 },
				])
			).status,
		).toBe(200);
		expect((await info()).status).toBe(503);
		const { origin } = new URL(emulator.url);
		await send(`${origin}/emulator/faults`, { method: 'DELETE' }).then(({ body }) => body.dump());
		expect((await info()).status).toBe(200);
		const requests = JSON.parse((await admin('/requests')).text) as unknown[];
		expect(requests).toMatchObject([{ path: '/user/info', status: 503 }, { status: 200 }]);
		expect(JSON.parse((await admin('/counters')).text)).toMatchObject({ inFlight: 0, requests: 2 });

		await admin('/rate-limit', { perSecond: 0, burst: 0, limit: 'IPM', retryAfter: 3 });
		expect(await info()).toMatchObject({ status: 429, headers: { 'retry-after': '3' } });
		await admin('/rate-limit', null);
		await admin('/latency', { latencyMs: 5 });
		expect(emulator.latencyMs).toBe(5);
		expect((await info()).status).toBe(200);
		await admin('/reset', {});
		expect([emulator.requests.length, emulator.latencyMs]).toEqual([0, 0]);
	});

	test('refuses what is no fault', async () => {
		for (const fault of [{ status: 'x' }, { unheard: 1 }, { path: '/user/info' }, 'x', { cut: 'here' }])
			expect((await call('/emulator/faults', fault)).status).toBe(400);
		expect((await call('/emulator/rate-limit', { perSecond: 1 })).status).toBe(400);
		expect((await info()).status).toBe(200);
	});
});
