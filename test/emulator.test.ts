import type { Message } from '../contract/types';
import { contract } from '../emulator/ContractValidation';
import { ACCEPTED_MODELS, type RateLimit, type ScriptStep } from '../emulator/Emulator';
import { RateLimiter } from '../emulator/RateLimiter';
import { missingFields, requestSchemas, requestVariants } from './requestVariants';
import { useEmulator } from './useEmulator';
import {
	chatRequest,
	decisionRequest,
	messageRequest,
	toolRequest,
	validRequests,
	voiceDeletion,
} from './validRequests';

const MODEL = ACCEPTED_MODELS[0] ?? '';

const emulator = useEmulator();

interface Received {
	status: number;
	headers: Record<string, string>;
	text: string;
}

async function call(
	path: string,
	body?: unknown,
	method = body === undefined ? 'GET' : 'POST',
): Promise<Received> {
	const { origin } = new URL(emulator.url);
	const response = await fetch(origin + path, {
		method,
		headers: {
			authorization: `Bearer ${emulator.apiKey}`,
			...(body !== undefined && { 'content-type': 'application/json' }),
		},
		body: body === undefined ? null : JSON.stringify(body),
	});
	return {
		status: response.status,
		headers: Object.fromEntries(response.headers),
		text: await response.text(),
	};
}

const info = (): Promise<Received> => call('/v1/user/info');

describe('the contract', () => {
	const cases = [
		{ path: '/v1/systemone', schema: 'DecisionRequest', body: decisionRequest() },
		{ path: '/v1/messages', schema: 'MessageRequest', body: toolRequest(MODEL) },
		{ path: '/v1/chat/completions', schema: 'ChatRequest', body: chatRequest(MODEL) },
		{ path: '/v1/audio/voice/deletions', schema: 'VoiceDeletion', body: voiceDeletion() },
	]
		.flatMap(({ path, schema, body }) =>
			requestVariants(contract(), schema, body).map((variant) => ({ ...variant, path })),
		)
		// Repeated turns would separate a tool's result from its call, which is another rule.
		.filter(({ name, valid }) => !(valid && name.startsWith('messages:')));

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
});

describe('behaviour', () => {
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

	test('refuses a tool result without its call, and a forced tool that does not exist', async () => {
		const content = [{ type: 'tool_result', tool_use_id: 'a', content: 'x' }];
		const body = { ...messageRequest(MODEL), messages: [{ role: 'user', content }] };
		expect((await call('/v1/messages', body)).status).toBe(400);
		const forced = { ...messageRequest(MODEL), tool_choice: { type: 'tool', name: 'a' } };
		expect((await call('/v1/messages', forced)).status).toBe(400);
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
		await call('/emulator/faults', undefined, 'DELETE');
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
