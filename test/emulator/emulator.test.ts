import type { Message } from '../../contract/types';
import { contract } from '../../emulator/ContractValidation';
import { ACCEPTED_MODELS, type RateLimit } from '../../emulator/Emulator';
import { RateLimiter } from '../../emulator/RateLimiter';
import { requestVariants } from '../support/requestVariants';
import { useEmulator } from '../support/useEmulator';
import {
	chatRequest,
	decisionRequest,
	messageRequest,
	toolRequest,
	voiceDeletion,
} from '../support/validRequests';

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

	test('accepts the values at each limit', async () => {
		const accepted = cases.filter(({ valid }) => valid);
		expect(accepted.length).toBeGreaterThan(8);
		for (const { path, body, name } of accepted) {
			expect([name, (await call(path, body)).status]).toEqual([name, 200]);
		}
	});

	test('refuses each invalid variant of a body, and names the field', async () => {
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

test('the emulator refuses a tool result without its call, and a forced tool that does not exist', async () => {
	const content = [{ type: 'tool_result', tool_use_id: 'a', content: 'x' }];
	const body = { ...messageRequest(MODEL), messages: [{ role: 'user', content }] };
	expect((await call('/v1/messages', body)).status).toBe(400);
	const forced = { ...messageRequest(MODEL), tool_choice: { type: 'tool', name: 'a' } };
	expect((await call('/v1/messages', forced)).status).toBe(400);
});

test('a stream of a chat names the role first, after a chunk without choices', async () => {
	const { text } = await call('/v1/chat/completions', { ...chatRequest(MODEL), stream: true });
	const chunks = text.split('\n\n').slice(0, 2);
	const [first, second] = chunks.map((line) => JSON.parse(line.slice('data: '.length)) as object);
	expect(first).toMatchObject({ choices: [] });
	expect(second).toMatchObject({ choices: [{ delta: { role: 'assistant', content: '' } }] });
});

test('a script gives the next replies, and is not used up by requests that are refused', async () => {
	const search = { name: 'search', input: { query: 'parcel 7' } };
	emulator.setScript([
		{ text: 'Let me look.', toolCalls: [search] },
		{ text: 'Found.' },
		{ text: 'In a chat.' },
	]);
	expect((await call('/v1/messages', messageRequest('unheard/of'))).status).toBe(400);
	const replied = async () => JSON.parse((await call('/v1/messages', messageRequest(MODEL))).text) as Message;
	expect(await replied()).toMatchObject({
		stop_reason: 'tool_use',
		content: [
			{ type: 'text', text: 'Let me look.' },
			{ type: 'tool_use', ...search },
		],
	});
	expect(await replied()).toMatchObject({ stop_reason: 'end_turn', content: [{ text: 'Found.' }] });
	expect((await call('/v1/chat/completions', chatRequest(MODEL))).text).toContain('In a chat.');
	expect((await replied()).content).toMatchObject([
		{ text: expect.stringContaining('Say hello.') as string },
	]);
});

describe('in virtual time,', () => {
	/** Sends a request every `everyMs` for this many seconds. Returns how many were admitted, and the last 429. */
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

	test('a token bucket admits its burst, and then its rate', () => {
		const { passed, longestWaitMs } = passing({ perSecond: 1, burst: 60, limit: 'RPM' }, 100, 60);
		expect(passed).toBe(60 + 59);
		expect(longestWaitMs).toBeLessThanOrEqual(1000);
	});

	const WINDOW = { max: 10, windowMs: 60_000, limit: 'RPM' } as const;

	test('a sliding window admits a request again one window after an earlier one', () => {
		const { passedAtMs, longestWaitMs } = passing({ ...WINDOW, kind: 'sliding-window' }, 3000, 120);
		expect(passedAtMs.slice(0, 10)).toEqual(Array.from({ length: 10 }, (_, index) => index * 3000));
		expect(passedAtMs.slice(10, 13)).toEqual([60_000, 63_000, 66_000]);
		expect(longestWaitMs).toBe(30_000);
	});

	test('tokens are counted after the response, when their number is known', () => {
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

describe('a rate limit', () => {
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

	test('names the limit, and says when to come back if it was told to', async () => {
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
});

describe('from another process, the admin routes', () => {
	test('set and end faults, and show the requests', async () => {
		const faults = [
			{ status: 503, times: 2 },
			{ path: '/user/info', delayMs: 1 },
		];
		expect((await call('/emulator/faults', faults)).status).toBe(200);
		expect((await info()).status).toBe(503);
		await call('/emulator/faults', undefined, 'DELETE');
		expect((await info()).status).toBe(200);
		const requests = JSON.parse((await call('/emulator/requests')).text) as unknown[];
		expect(requests).toMatchObject([{ path: '/user/info', status: 503 }, { status: 200 }]);
	});

	test('set and end a rate limit', async () => {
		await call('/emulator/rate-limit', { perSecond: 0, burst: 0, limit: 'IPM', retryAfter: 3 });
		expect(await info()).toMatchObject({ status: 429, headers: { 'retry-after': '3' } });
		await call('/emulator/rate-limit', null);
		expect((await info()).status).toBe(200);
	});

	test('set the balances of the account, which must be numbers', async () => {
		await call('/emulator/account', { balance: '9.99', chargeBalance: '-20' });
		expect(JSON.parse((await info()).text)).toMatchObject({
			data: { balance: '9.990000', chargeBalance: '-20.000000', totalBalance: '-10.010000' },
		});
		expect((await call('/emulator/account', { balance: 'x' })).status).toBe(400);
	});
});
