import { Agent, request as send } from 'undici';

import type { DecisionResponse, Message, NoulAnswer } from '../contract/types';
import { contract } from '../emulator/ContractValidation';
import {
	ACCEPTED_MODELS,
	Emulator,
	type EmulatorOptions,
	type Fault,
	type RateLimit,
	type ScriptStep,
} from '../emulator/Emulator';
import { RateLimiter } from '../emulator/RateLimiter';
import { missingFields, requestSchemas, requestVariants } from './requestVariants';
import {
	chatRequest,
	decisionRequest,
	messageRequest,
	toolRequest,
	validRequests,
	voiceDeletion,
} from './validRequests';

const MODEL = ACCEPTED_MODELS[0] ?? '';
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
		...requestVariants(contract(), 'MessageRequest', toolRequest(MODEL))
			// Repeated turns would separate a tool's result from its call, which is another rule.
			.filter(({ name, valid }) => !(valid && name.startsWith('messages:')))
			.map((variant) => ({ ...variant, path: '/v1/messages' })),
		...requestVariants(contract(), 'ChatRequest', chatRequest(MODEL)).map((variant) => ({
			...variant,
			path: '/v1/chat/completions',
		})),
		...requestVariants(contract(), 'VoiceDeletion', voiceDeletion()).map((variant) => ({
			...variant,
			path: '/v1/audio/voice/deletions',
		})),
	];

	test('has a valid body for every request, with every field', () => {
		const bodies = validRequests(MODEL);
		expect(Object.keys(bodies).sort()).toEqual(requestSchemas(contract()).sort());
		for (const [schemaName, body] of Object.entries(bodies)) {
			expect(contract().violationOfSchema(schemaName, body)).toBeUndefined();
			expect([schemaName, missingFields(contract(), schemaName, body)]).toEqual([schemaName, []]);
		}
	});

	test('accepts the values at each limit', async () => {
		const accepted = cases.filter(({ valid }) => valid);
		expect(accepted.length).toBeGreaterThan(8);
		for (const { path, body, name } of accepted) {
			expect([name, (await call(path, body)).status]).toEqual([name, 200]);
		}
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
			const body = { ...messageRequest(MODEL), messages: Array(count).fill({ role: 'user', content: 'x' }) };
			expect(contract().operation('createMessage').violationOfBody('application/json', body)).toBeUndefined();
		}
	});
});

describe('behaviour', () => {
	async function urgency(body: string): Promise<number> {
		const { text } = await call('/v1/systemone', { ...decisionRequest(), state: { body } });
		return ((JSON.parse(text) as DecisionResponse).answers.urgent as NoulAnswer).noul;
	}

	test('decides by the words, the same each time', async () => {
		const stolen = await urgency('My card was stolen, this is urgent!');
		expect(stolen).toBeGreaterThan(0.7);
		expect(await urgency('My card was stolen, this is urgent!')).toBe(stolen);
		expect(await urgency('Do you ship to France?')).toBeLessThan(0.4);
	});

	async function message(body: Record<string, unknown>): Promise<Message> {
		return JSON.parse((await call('/v1/messages', { ...messageRequest(MODEL), ...body })).text) as Message;
	}

	async function json(system: string, content: string): Promise<unknown> {
		const reply = (await message({ system, messages: [{ role: 'user', content }] })).content[0];
		return JSON.parse(reply?.type === 'text' ? reply.text : '');
	}

	test('answers with the fields that the prompt lists', async () => {
		const system =
			'Answer with a JSON object and nothing else:\n{\n  "summary": the question in at most 3 words,\n' +
			'  "reply": the reply, friendly and brief,\n  "needs_person": true when you cannot know, otherwise false,\n' +
			'  "words": number of words, "topics": list of topics\n}';
		expect(await json(system, 'Where is my parcel?')).toEqual({
			summary: 'Where is my…',
			reply: expect.stringContaining('Where is my parcel?') as string,
			needs_person: true,
			words: 4,
			topics: ['Where is my parcel?'],
		});
	});

	test('answers with what the last JSON Schema of the prompt allows', async () => {
		const schema = (name: string) =>
			JSON.stringify({ type: 'object', properties: { [name]: { type: 'integer', maximum: 7 } } });
		const system = `For example, the JSON Schema ${schema('foo')} has a number foo. Follow this schema: ${schema('count')}`;
		expect(await json(system, 'There are 12 of them')).toEqual({ count: 7 });
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
			input: { amount: 20, to: 'EUR', tags: ['Ple'], deep: { on: false } },
		});
		const given = await message({
			tools,
			messages: [{ role: 'user', content: 'convert {"amount":{"x":1}} now' }],
		});
		expect(given.content[1]).toMatchObject({ input: { amount: { x: 1 } } });
		const silent = await message({ tools, messages: [{ role: 'user', content: 'Good morning' }] });
		expect(silent.stop_reason).toBe('end_turn');
	});

	test('says in plain words that a model does not exist', async () => {
		const { status, text } = await call('/v1/messages', messageRequest('Kev-4B'));
		expect([status, JSON.parse(text)]).toEqual([
			400,
			{
				code: 20012,
				message: 'model does not exist: Kev-4B. A name has the form vendor/model_name',
				data: null,
			},
		]);
	});

	test('refuses a tool result without its call, and a forced tool that does not exist', async () => {
		const content = [{ type: 'tool_result', tool_use_id: 'a', content: 'x' }];
		const body = { ...messageRequest(MODEL), messages: [{ role: 'user', content }] };
		expect((await call('/v1/messages', body)).status).toBe(400);
		const forced = { ...messageRequest(MODEL), tool_choice: { type: 'tool', name: 'a' } };
		expect((await call('/v1/messages', forced)).status).toBe(400);
	});
});

describe('the key', () => {
	test.each(['Basic KEY', 'KEY', 'Bearer KEYs', 'Bearer'])('is not accepted as %j', async (pattern) => {
		const authorization = pattern.replace('KEY', emulator.apiKey);
		const response = await fetch(`${emulator.url}/user/info`, { headers: { authorization } });
		expect(response.status).toBe(401);
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

	test('stops waiting for what does not come', async () => {
		await expect(emulator.waitForRequests(1, 20)).rejects.toThrow('0 requests');
	});
});

describe('faults', () => {
	test('acts as often as told, after as many as told, on what matches', async () => {
		emulator.fault({ method: 'get', path: '/user/info', times: 2, skip: 1, status: 503 });
		emulator.fault({ path: /voice/, status: 500 });
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

describe('harmful bodies', () => {
	const ENDLESS: Fault = {
		stream: [{ bytes: 'data: {"choices":[]}\n\n' }, { bytes: ': still here\n\n', times: Infinity }],
	};

	/** Reads until at least this many bytes have arrived, then leaves. */
	async function readSome(atLeast: number): Promise<number> {
		const abort = new AbortController();
		const { body } = await send(`${emulator.url}/user/info`, { signal: abort.signal, dispatcher: agent });
		let size = 0;
		for await (const chunk of body) {
			size += (chunk as Buffer).length;
			if (size >= atLeast) break;
		}
		abort.abort();
		return size;
	}

	test('continue until the client leaves', async () => {
		emulator.fault(ENDLESS);
		expect(await readSome(100_000)).toBeGreaterThanOrEqual(100_000);
		await emulator.waitFor(() => emulator.inFlight === 0);
		expect(emulator.requests[0]?.closedByClient).toBe(true);
	});

	test('that never end cannot be halved or split', () => {
		for (const change of [{ truncate: true }, { split: [1] }, { cut: 'mid-body' }] satisfies Fault[]) {
			expect(() => emulator.fault({ ...ENDLESS, ...change })).toThrow(TypeError);
		}
	});
});

describe('streams', () => {
	test('of a chat name the role first, after a chunk without choices', async () => {
		const { text } = await call('/v1/chat/completions', { ...chatRequest(MODEL), stream: true });
		const [first, second] = text
			.split('\n\n')
			.slice(0, 2)
			.map((line) => JSON.parse(line.slice('data: '.length)) as object);
		expect(first).toMatchObject({ choices: [] });
		expect(second).toMatchObject({ choices: [{ delta: { role: 'assistant', content: '' } }] });
	});
});

describe('a script', () => {
	const SEARCH = { name: 'search', input: { query: 'parcel 7' } };
	const LOOKUP = { name: 'lookup', input: { id: 7 }, id: 'own-id' };

	async function replies(steps: ScriptStep[], path: string, body: object): Promise<Received[]> {
		emulator.setScript(steps);
		const received: Received[] = [];
		for (let asked = 0; asked <= steps.length; asked++) received.push(await call(path, body));
		return received;
	}

	test('gives its replies to messages in order, then refuses', async () => {
		const received = await replies(
			[
				{ text: 'Let me look.', toolCalls: [SEARCH, LOOKUP] },
				{ text: 'I cannot', stopReason: 'refusal' },
				{ text: 'Once upon', stopReason: 'max_tokens', usage: { input_tokens: 3, output_tokens: 2 } },
				({ messages }) => ({ text: `${messages.length} turn` }),
			],
			'/v1/messages',
			messageRequest(MODEL),
		);
		expect(received.map(({ status }) => status)).toEqual([200, 200, 200, 200, 400]);
		const [calling, refusing, cut, last] = received.map(({ text }) => JSON.parse(text) as Message);
		expect(calling).toMatchObject({
			stop_reason: 'tool_use',
			content: [
				{ type: 'text', text: 'Let me look.' },
				{ type: 'tool_use', id: 'toolu_000001', ...SEARCH },
				{ type: 'tool_use', ...LOOKUP },
			],
		});
		expect(refusing).toMatchObject({ stop_reason: 'refusal', content: [{ text: 'I cannot' }] });
		expect(cut).toMatchObject({ stop_reason: 'max_tokens', usage: { input_tokens: 3, output_tokens: 2 } });
		expect(last).toMatchObject({ stop_reason: 'end_turn', content: [{ text: '1 turn' }] });
		expect(received.at(-1)?.text).toContain('no reply left');
		for (const body of [calling, refusing, cut, last]) {
			expect(contract().violationOfSchema('Message', body)).toBeUndefined();
		}
	});

	test('streams messages with thinking, citations and parallel calls', async () => {
		const thinking = { thinking: 'He wants it.', signature: 'c2ln' };
		const citations = [{ type: 'page', page: 3 }];
		const [received] = await replies(
			[{ ...thinking, text: 'See page 3.', citations, toolCalls: [SEARCH, LOOKUP] }],
			'/v1/messages',
			{ ...messageRequest(MODEL), stream: true },
		);
		const events = [...(received?.text ?? '').matchAll(/^data: (\{.*)$/gm)].map(
			([, data]) => JSON.parse(data ?? '') as { index: number; delta?: Record<string, unknown> },
		);
		const joined = (field: string) =>
			events.map(({ delta }) => (typeof delta?.[field] === 'string' ? delta[field] : '')).join('');
		expect([joined('thinking'), joined('signature'), joined('text')]).toEqual([
			'He wants it.',
			'c2ln',
			'See page 3.',
		]);
		expect(events.find(({ delta }) => delta?.type === 'citations_delta')?.delta?.citation).toEqual(
			citations[0],
		);
		expect(joined('partial_json')).toBe(JSON.stringify(SEARCH.input) + JSON.stringify(LOOKUP.input));
		expect(Math.max(...events.map(({ index = 0 }) => index))).toBe(3);
	});

	test('gives chats calls of tools, reasoning and text', async () => {
		const step: ScriptStep = {
			thinking: 'Hm.',
			text: 'Two words',
			toolCalls: [SEARCH, LOOKUP],
			stopReason: 'tool_use',
		};
		const [whole] = await replies([step], '/v1/chat/completions', chatRequest(MODEL));
		expect(JSON.parse(whole?.text ?? '')).toMatchObject({
			choices: [
				{
					finish_reason: 'tool_calls',
					message: {
						content: 'Two words',
						reasoning_content: 'Hm.',
						tool_calls: [
							{ id: 'call_000001', function: { name: 'search', arguments: '{"query":"parcel 7"}' } },
							{ id: 'own-id', function: { name: 'lookup' } },
						],
					},
				},
			],
		});
		const [streamed] = await replies([step], '/v1/chat/completions', { ...chatRequest(MODEL), stream: true });
		type Calls = { index: number; function: { arguments: string } }[];
		const calls = [...(streamed?.text ?? '').matchAll(/"delta":(\{.*\}),"finish_reason":null/g)].flatMap(
			([, delta]) => (JSON.parse(delta ?? '') as { tool_calls?: Calls }).tool_calls ?? [],
		);
		const argumentsOf = (wanted: number) =>
			calls
				.filter(({ index }) => index === wanted)
				.map((part) => part.function.arguments)
				.join('');
		expect([argumentsOf(0), argumentsOf(1)]).toEqual(['{"query":"parcel 7"}', '{"id":7}']);
	});

	test('is not used up by requests that are refused, and ends when it is taken away', async () => {
		emulator.setScript([{ text: 'the only one' }]);
		expect((await call('/v1/messages', messageRequest('unheard/of'))).status).toBe(400);
		expect((await call('/v1/messages', messageRequest(MODEL))).text).toContain('the only one');
		emulator.setScript();
		expect((await call('/v1/messages', messageRequest(MODEL))).text).toContain('Say hello.');
	});
});

describe('the account', () => {
	async function balances(): Promise<unknown> {
		const { id, balance, chargeBalance, totalBalance } = (
			JSON.parse((await info()).text) as { data: Record<string, string> }
		).data;
		return { id, balance, chargeBalance, totalBalance };
	}

	test('has the balances that are set', async () => {
		emulator.setAccount({ balance: '9.99', chargeBalance: '0' });
		const first = { balance: '9.990000', chargeBalance: '0.000000', totalBalance: '9.990000' };
		expect(await balances()).toEqual({ id: 'user_000001', ...first });
		emulator.setAccount({ id: 'another', chargeBalance: '-10.5' });
		expect(await balances()).toMatchObject({ id: 'another', balance: '9.990000', totalBalance: '-0.510000' });
		for (const balance of ['', '1e3', '1.2345678', 'x']) {
			expect(() => emulator.setAccount({ balance })).toThrow(TypeError);
		}
	});
});

describe('limits in virtual time', () => {
	/** With one request every `everyMs`, how many pass in this many seconds, and what the last refusal said. */
	function passing(rateLimit: RateLimit, everyMs: number, seconds: number, tokens = 0) {
		const limiter = new RateLimiter(rateLimit);
		const startMs = Date.UTC(2026, 0, 1, 0, 0, 30);
		const passedAtMs: number[] = [];
		let longestWaitMs = 0;
		for (let nowMs = 0; nowMs < seconds * 1000; nowMs += everyMs) {
			const waitMs = limiter.take(startMs + nowMs);
			if (waitMs === 0) {
				passedAtMs.push(nowMs);
				limiter.spend(tokens, startMs + nowMs);
			}
			longestWaitMs = Math.max(longestWaitMs, waitMs);
		}
		return { passed: passedAtMs.length, passedAtMs, longestWaitMs };
	}

	test('a bucket lets its burst pass, then its pace', () => {
		const { passed, longestWaitMs } = passing({ perSecond: 1, burst: 60, limit: 'RPM' }, 100, 60);
		expect(passed).toBe(60 + 59);
		expect(longestWaitMs).toBeLessThanOrEqual(1000);
	});

	const WINDOW = { max: 10, windowMs: 60_000, limit: 'RPM' } as const;

	test('a sliding window frees each place a window after it was taken', () => {
		const { passedAtMs, longestWaitMs } = passing({ ...WINDOW, kind: 'sliding-window' }, 3000, 120);
		expect(passedAtMs.slice(0, 10)).toEqual(Array.from({ length: 10 }, (_, index) => index * 3000));
		expect(passedAtMs.slice(10, 13)).toEqual([60_000, 63_000, 66_000]);
		expect(longestWaitMs).toBe(30_000);
	});

	test('refused requests may keep a sliding window shut', () => {
		const rules = { ...WINDOW, kind: 'sliding-window', countsRefused: true } as const;
		expect(passing(rules, 1000, 600).passed).toBe(10);
		expect(passing(rules, 6001, 600).passed).toBe(100);
	});

	test('tokens are counted when they are known', () => {
		for (const rules of [
			{ kind: 'sliding-window', max: 1000, windowMs: 60_000 },
			{ perSecond: 1000 / 60, burst: 1 },
		] as const) {
			const { passed } = passing({ ...rules, limit: 'TPM', counts: 'tokens' }, 1000, 600, 300);
			expect(passed).toBeGreaterThanOrEqual(32);
			expect(passed).toBeLessThanOrEqual(44);
		}
	});
});

describe('rate limit', () => {
	test('counts the tokens of decisions, messages and chats', async () => {
		for (const [path, body] of [
			['/v1/systemone', decisionRequest()],
			['/v1/messages', messageRequest(MODEL)],
			['/v1/messages', { ...messageRequest(MODEL), stream: true }],
			['/v1/chat/completions', chatRequest(MODEL)],
		] as const) {
			emulator.setRateLimit({
				kind: 'sliding-window',
				max: 5,
				windowMs: 60_000,
				limit: 'TPM',
				counts: 'tokens',
			});
			expect((await info()).status).toBe(200);
			expect((await call(path, body)).status).toBe(200);
			expect((await info()).status).toBe(429);
		}
	});

	test('names the limit, and says when to come back', async () => {
		const refusal = async (retryAfter?: RateLimit['retryAfter']): Promise<Received> => {
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
		expect((await refusal(0)).headers['retry-after']).toBe('0');
	});

	test('counts neither wrong keys nor unknown paths', async () => {
		emulator.setRateLimit({ perSecond: 0, burst: 1, limit: 'RPM' });
		expect((await call('/v1/unheard-of')).status).toBe(404);
		expect((await info()).status).toBe(200);
		expect((await info()).status).toBe(429);
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
		await admin('/latency', { latencyMs: 5, tokenDelayMs: 7 });
		expect([emulator.latencyMs, emulator.tokenDelayMs]).toEqual([5, 7]);
		await admin('/account', { balance: '3' });
		expect((await info()).text).toContain('"balance":"3.000000"');
		await admin('/script', [{ text: 'as told', toolCalls: [{ name: 'a', input: {} }] }]);
		expect((await call('/v1/messages', messageRequest(MODEL))).text).toContain('as told');
		await admin('/script', null);
		expect((await call('/v1/messages', messageRequest(MODEL))).text).toContain('Say hello.');
		expect((await info()).status).toBe(200);
		await admin('/reset', {});
		expect([emulator.requests.length, emulator.latencyMs]).toEqual([0, 0]);
	});

	test('refuses what it cannot use', async () => {
		expect((await call('/emulator/faults', { path: '/user/info' })).status).toBe(400);
		expect((await call('/emulator/account', { balance: 'x' })).status).toBe(400);
	});
});
