import { getEventListeners } from 'node:events';

import { VirtualClock } from '../support/VirtualClock';
import { singleCall } from '../../client/limiter/ItemCalls';
import { LimiterRegistry } from '../../client/limiter/LimiterRegistry';
import { responseFailure, type ServiceError } from '../../client/ServiceError';
import { FakeService, type CallOptions, type Reaction } from '../support/FakeService';

const serviceThat = (react: (number: number, now: number) => Reaction, random?: () => number) =>
	new FakeService(new VirtualClock(), react, random);

const failing = (first: number, reaction: Reaction) =>
	serviceThat((number) => (number < first ? reaction : {}));

async function errorOf(service: FakeService, options?: CallOptions): Promise<ServiceError | undefined> {
	return (await service.callAll(1, 1, options))[0];
}

const limited = (limit: string, headers?: Record<string, string>): Reaction => ({
	status: 429,
	body: JSON.stringify({ message: `${limit} limit reached`, data: '' }),
	headers,
});

describe('when calls have timeouts,', () => {
	test('each call ends after its own timeout, even if another call has a longer one', async () => {
		const service = serviceThat(() => ({ hangs: true }));
		const endsMs = async (timeoutMs: number) =>
			await service.call({ timeoutMs, maxRetries: 0 }).then(
				() => undefined,
				(error: ServiceError) => [error.facts.kind, Math.round(service.clock.now())],
			);
		expect(await service.clock.run(Promise.all([60_000, 1000, 5000].map(endsMs)))).toEqual([
			['timeout', 60_000],
			['timeout', 1000],
			['timeout', 5000],
		]);
	});

	test('no timer is left when the last call has ended', async () => {
		const service = serviceThat(() => ({}));
		await service.callAll(3, 3);
		expect(service.clock.pending).toBe(0);
	});
});

describe('when requests fail,', () => {
	test.each([500, 503, 504])('a %d is retried up to Max Retries', async (status) => {
		const passing = failing(3, { status });
		expect(await errorOf(passing)).toBeUndefined();
		expect(passing.startedAtMs).toHaveLength(4);
		const lasting = failing(99, { status });
		expect((await errorOf(lasting))?.facts).toMatchObject({ httpStatus: status, attempts: 4 });
		expect(lasting.startedAtMs).toHaveLength(4);
	});

	test.each([400, 401, 403, 404, 409, 422, 302])('a %d is not retried', async (status) => {
		const service = failing(99, { status });
		expect((await errorOf(service))?.facts).toMatchObject({ httpStatus: status, attempts: 1 });
		expect(service.startedAtMs).toHaveLength(1);
	});

	test('a network failure before a response is retried', async () => {
		const service = failing(2, { fails: true });
		expect(await errorOf(service)).toBeUndefined();
		expect(service.startedAtMs).toHaveLength(3);
	});

	test('a timeout is retried once, and only if the request may be carried out twice', async () => {
		for (const [repeat, requests] of [
			['always', 2],
			['unless-timed-out', 1],
			['only-if-refused', 1],
		] as const) {
			const service = failing(99, { hangs: true });
			expect((await errorOf(service, { repeat }))?.facts).toMatchObject({
				kind: 'timeout',
				attempts: requests,
			});
			expect(service.startedAtMs).toHaveLength(requests);
		}
	});

	test('a request that must not be carried out twice is retried only after a 503 or a 429', async () => {
		for (const [reaction, requests] of [
			[{ status: 503 }, 4],
			[{ status: 500 }, 1],
			[{ status: 504 }, 1],
			[{ fails: true }, 1],
		] as Array<[Reaction, number]>) {
			const service = failing(99, reaction);
			expect((await errorOf(service, { repeat: 'only-if-refused' }))?.facts.attempts).toBe(requests);
		}
		const service = failing(1, limited('RPM'));
		expect(await errorOf(service, { repeat: 'only-if-refused' })).toBeUndefined();
	});

	test('retries of billed requests are counted as possibly billed twice, except after a 503 or 529', async () => {
		const failures: Reaction[] = [{ status: 503 }, { status: 529 }, { status: 504 }, { fails: true }];
		for (const [effect, expected] of [
			['bill', 2],
			['change', 0],
			[undefined, 0],
		] as const) {
			const service = serviceThat((number) => failures[number] ?? {});
			expect(await errorOf(service, { effect, maxRetries: 4 })).toBeUndefined();
			expect(service.client.mayBeBilledTwice).toBe(expected);
		}
	});

	test('with Max Retries 0, nothing is retried, not even a 429', async () => {
		for (const reaction of [
			{ status: 503 },
			{ fails: true as const },
			limited('RPM', { 'retry-after': '1' }),
		]) {
			const service = failing(99, reaction);
			expect((await errorOf(service, { maxRetries: 0 }))?.facts.attempts).toBe(1);
		}
	});
});

describe('the backoff of retries', () => {
	test('is exponential from 500 ms with full jitter, at most 30 s', async () => {
		const service = serviceThat(
			() => ({ status: 500, delayMs: 0 }),
			() => 0.999999,
		);
		await errorOf(service, { maxRetries: 10 });
		const waits = service.startedAtMs
			.slice(1)
			.map((at, index) => Math.round(at - service.startedAtMs[index]!));
		expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000, 30_000]);
		const none = serviceThat(
			() => ({ status: 500, delayMs: 0 }),
			() => 0,
		);
		await errorOf(none);
		expect(none.startedAtMs).toEqual([0, 0, 0, 0]);
	});

	test.each([503, 529])('is at least half a second after a %d', async (status) => {
		const service = serviceThat(
			() => ({ status, delayMs: 0 }),
			() => 0,
		);
		await errorOf(service);
		const gapsMs = service.startedAtMs.slice(1).map((atMs, index) => atMs - service.startedAtMs[index]!);
		expect(gapsMs).toHaveLength(3);
		expect(Math.min(...gapsMs)).toBeGreaterThanOrEqual(500);
	});

	test('is at least half a second after a 503, even with "Retry-After: 0"', async () => {
		const service = failing(1e9, { status: 503, headers: { 'retry-after': '0' }, delayMs: 0 });
		expect((await errorOf(service, { maxRetries: 10 }))?.facts.httpStatus).toBe(503);
		expect(service.clock.now()).toBeGreaterThanOrEqual(10 * 500);
	});

	test('is at least as long as Retry-After', async () => {
		const service = serviceThat((number) =>
			number === 0 ? { status: 503, headers: { 'retry-after': '7' } } : {},
		);
		expect(await errorOf(service)).toBeUndefined();
		expect(service.startedAtMs).toEqual([0, 7050]);
	});

	test('fails the item immediately if Retry-After is longer than Max Wait', async () => {
		const service = failing(99, { status: 503, headers: { 'retry-after': '11' } });
		expect((await errorOf(service, { maxWaitMs: 10_000 }))?.facts).toMatchObject({
			attempts: 1,
			retryAfterMs: 11_000,
		});
	});

	test('follows a Retry-After that is exactly as long as Max Wait', async () => {
		const service = failing(1, { status: 503, headers: { 'retry-after': '11' } });
		expect(await errorOf(service, { maxWaitMs: 11_000 })).toBeUndefined();
	});

	test('follows the Retry-Afters of an item for no longer than Max Wait in total', async () => {
		const service = failing(99, { status: 503, headers: { 'retry-after': '6' } });
		expect((await errorOf(service, { maxWaitMs: 10_000 }))?.facts).toMatchObject({
			attempts: 2,
			retryAfterMs: 6000,
		});
		expect(service.startedAtMs).toEqual([0, 6050]);
	});
});

describe('at a rate limit per minute,', () => {
	test.each(['RPM', 'TPM', 'IPM', 'Some other'])(
		'an item waits for a limit named %s, which does not count for Max Retries',
		async (limit) => {
			const service = failing(8, limited(limit));
			expect(await errorOf(service)).toBeUndefined();
			expect(service.startedAtMs).toHaveLength(9);
			expect(service.calls.rateLimitHits).toBe(8);
		},
	);

	test('Retry-After is followed, as seconds or as a date', async () => {
		for (const value of ['5', '5, 9', new Date(5000).toUTCString(), 'Thu Jan  1 00:00:05 1970']) {
			const service = failing(1, { ...limited('RPM', { 'retry-after': value }), delayMs: 0 });
			expect(await errorOf(service)).toBeUndefined();
			const [first, second, ...others] = service.startedAtMs;
			expect([first, others]).toEqual([0, []]);
			expect(second).toBeGreaterThanOrEqual(5000);
			expect(second).toBeLessThan(5100);
		}
	});

	test.each(['0', '0.1', new Date(0).toUTCString()])(
		'Retry-After: %s in every response does not cause endless requests',
		async (value) => {
			const service = failing(1e9, { ...limited('RPM', { 'retry-after': value }), delayMs: 1 });
			expect((await errorOf(service, { maxWaitMs: 20_000 }))?.facts).toMatchObject({
				httpStatus: 429,
				limit: 'RPM',
			});
			expect(service.startedAtMs.length).toBeLessThan(25);
			expect(service.clock.now()).toBeLessThan(30_000);
		},
	);

	test('an item waits no longer than Max Wait in total, and its error has the limit and the Retry-After of the latest 429', async () => {
		const service = failing(99, { ...limited('RPM', { 'retry-after': '4' }), delayMs: 0 });
		const error = await errorOf(service, { maxWaitMs: 10_000 });
		const attempts = service.startedAtMs.length;
		expect(attempts).toBeGreaterThan(1);
		expect(error?.facts).toMatchObject({ httpStatus: 429, limit: 'RPM', retryAfterMs: 4000, attempts });
		expect(service.clock.now()).toBeLessThanOrEqual(10_000);
	});

	test('an item that fails at the end of Max Wait has the trace ID of its latest 429', async () => {
		const unsaid = failing(99, { ...limited('RPM', { 'x-service-trace-id': 't' }), delayMs: 0 });
		expect((await errorOf(unsaid, { maxWaitMs: 2000 }))?.facts).toHaveProperty('traceId', 't');
	});

	test('a Retry-After longer than the rest of Max Wait fails the item, and all that have not started without a request', async () => {
		const service = serviceThat((number) => (number === 2 ? limited('TPM', { 'retry-after': '60' }) : {}));
		const results = await service.callAll(10, 1, { maxWaitMs: 10_000 });
		expect(service.startedAtMs).toHaveLength(3);
		expect(results.slice(0, 2)).toEqual([undefined, undefined]);
		expect(results[2]?.facts).toMatchObject({ attempts: 1, limit: 'TPM', retryAfterMs: 60_000 });
		for (const error of results.slice(3)) {
			expect(error?.facts).toMatchObject({
				httpStatus: 429,
				attempts: 0,
				limit: 'TPM',
				retryAfterMs: 60_000,
			});
			expect(error?.facts.traceId).toBeUndefined();
		}
	});
});

test.each(['RPD', 'TPD', 'IPD'])(
	'%s, a limit per day, fails the item and all that have not started',
	async (limit) => {
		const service = serviceThat((number) => (number === 3 ? limited(limit) : { delayMs: 100 }));
		const results = await service.callAll(20, 4);
		expect(service.startedAtMs).toHaveLength(4);
		expect(results.slice(0, 3)).toEqual([undefined, undefined, undefined]);
		expect(results[3]?.facts).toMatchObject({ limit, attempts: 1 });
		expect(
			results.slice(4).every((error) => error?.facts.limit === limit && error.facts.attempts === 0),
		).toBe(true);
	},
);

test('all calls of an execution leave only one listener on its signal, however they ended', async () => {
	const { signal } = new AbortController();
	const reactions: Reaction[] = [{}, { status: 503 }, { fails: true }, { hangs: true }, limited('RPM'), {}];
	const service = serviceThat((number) => reactions[number % reactions.length]!);
	await service.callAll(20, 4, { signal, timeoutMs: 1000 });
	expect(getEventListeners(signal, 'abort')).toHaveLength(1);
});

test.each<[name: string, count: number, reaction: Reaction]>([
	['an overload', 5, { status: 503 }],
	['a rate limit', 1, limited('RPM')],
])('answers that cannot be used show that %s is over', async (_, count, reaction) => {
	const service = failing(count, reaction);
	const decode = async () => await Promise.reject(responseFailure('Not what was asked for'));
	const errors = await service.callAll(100, 10, { decode });
	expect(errors.map((error) => error?.facts.kind)).toEqual(Array.from({ length: 100 }, () => 'response'));
	expect(service.clock.now()).toBeLessThan(2000);
});

test('after ten idle minutes, a run still shares the limiter with others', async () => {
	const clock = new VirtualClock();
	const limiters = new LimiterRegistry({ clock, random: () => 0.5 });
	const idle = new FakeService(clock, () => ({}), undefined, limiters);
	const other = new FakeService(clock, () => limited('RPM', { 'retry-after': '60' }), undefined, limiters);
	await idle.callAll(1, 1);
	await clock.run(clock.wait(11 * 60_000));
	await other.callAll(1, 1, { maxRetries: 0 });
	const limitedMs = clock.now();
	await idle.callAll(1, 1);
	expect(idle.startedAtMs[1]! - limitedMs).toBeGreaterThanOrEqual(60_000);
});

test('the limit of one model holds up no request of the same client for another model', async () => {
	const service = failing(1, limited('RPM', { 'retry-after': '60' }));
	expect((await errorOf(service, { model: 'limited', maxRetries: 0 }))?.facts.httpStatus).toBe(429);
	expect(await errorOf(service, { model: 'other' })).toBeUndefined();
	expect(service.clock.now()).toBeLessThan(1000);
	expect(await errorOf(service, { model: 'limited' })).toBeUndefined();
	expect(service.clock.now()).toBeGreaterThanOrEqual(60_000);
});

test('a 504 after more than 10 s holds no other request up, and a quicker one does', async () => {
	const endMs = async (delayMs: number) => {
		const service = failing(99, { status: 504, delayMs });
		await service.callAll(20, 4, { maxRetries: 0 });
		return service.clock.now();
	};
	expect(await endMs(11_000)).toBe(5 * 11_000);
	expect(await endMs(9000)).toBeGreaterThan(60_000);
});

/** Makes a service that is well, except for a time in which every request fails. */
const failingFor = (untilMs: number, reaction: Reaction) =>
	serviceThat((_, now) => (now < untilMs ? { delayMs: 1, ...reaction } : {}));

describe('an outage', () => {
	test.each<[name: string, items: number, untilMs: number, reaction: Reaction]>([
		['502 for six seconds', 120, 6000, { status: 502 }],
		['broken connections for six seconds', 120, 6000, { fails: true }],
		['refused connections for five seconds', 300, 5000, { fails: true, isUnsent: true }],
		['502 for half a minute', 300, 30_000, { status: 502 }],
		['523 for half a minute', 300, 30_000, { status: 523 }],
		['503 for a minute', 300, 60_000, { status: 503 }],
	])(
		'of %s loses none of %d items, 8 at once, and costs few requests',
		async (_, items, untilMs, reaction) => {
			const inFlight = 8;
			const service = failingFor(untilMs, reaction);
			const results = await service.callAll(items, inFlight);
			expect(results.filter((error) => error !== undefined)).toEqual([]);
			// Probes fail 0.5, 1.5, 3.5 and 7.5 s after the requests in flight, and then one every five seconds.
			const probes = 4 + untilMs / 5000;
			expect(service.startedAtMs.length).toBeLessThanOrEqual(items + inFlight + probes);
		},
	);

	test('of 503 with a Retry-After of 30 s costs one request per half minute', async () => {
		const service = failingFor(70_000, { status: 503, headers: { 'retry-after': '30' } });
		const results = await service.callAll(40, 8);
		expect(results.filter((error) => error !== undefined)).toEqual([]);
		const during = service.startedAtMs.filter((ms) => ms < 89_000);
		expect(during.slice(0, 8).every((ms) => ms === 0)).toBe(true);
		expect(during.slice(8).map((ms) => Math.round(ms / 1000))).toEqual([30, 60]);
	});

	test('holds a form back only by its own backoff, however many come and whatever a run beside them waits for', async () => {
		const service = failingFor(60_000, { status: 503, delayMs: 100 });
		const { clock } = service;
		const tookMs: number[] = [];
		const sendForm = async (afterMs: number) => {
			await clock.wait(afterMs);
			const sinceMs = clock.now();
			const item = singleCall(300_000);
			await service.call({ item }).catch(() => {});
			tookMs.push(clock.now() - sinceMs);
		};
		const run = service.callAll(100, 8);
		// The hash that a client makes once takes real time, during which a form's timer would let virtual time pass.
		while (service.startedAtMs.length === 0) await new Promise(setImmediate);
		const forms = Promise.all(
			Array.from({ length: 25 }, async (_, index) => await sendForm(2000 * index + 500)),
		);
		const results = await run;
		await clock.run(forms);
		expect(results.filter((error) => error !== undefined)).toEqual([]);
		expect(tookMs).toHaveLength(25);
		// A form sends four requests of 100 ms, with backoffs of at most 0.5, 1 and 2 s between them.
		expect(Math.max(...tookMs)).toBeLessThan(4 * 100 + 500 + 1000 + 2000);
	});

	test('that is longer than Max Wait fails items with what they waited for, also those that sent nothing', async () => {
		const service = failingFor(1e9, { fails: true, isUnsent: true });
		const results = await service.callAll(60, 8, { maxWaitMs: 10_000 });
		const sentNothing = results.filter((error) => error?.facts.attempts === 0);
		expect(sentNothing.length).toBeGreaterThan(30);
		for (const error of sentNothing) {
			expect(error?.facts).toMatchObject({ kind: 'network', isWaitOver: true });
			expect(Math.round(error!.facts.waitedMs / 100)).toBe(100);
		}
	});

	test('is not what errors of single items are: timeouts, a 500 and a late 504 hold nobody up', async () => {
		for (const reaction of [{ hangs: true }, { status: 500 }, { status: 524 }] as Reaction[]) {
			const service = failing(99, reaction);
			await service.callAll(20, 10, { maxRetries: 0, timeoutMs: 100 });
			expect(service.clock.now()).toBeLessThanOrEqual(200);
		}
	});

	test('is over with the first request that gets through, although the service refuses it', async () => {
		const service = serviceThat((number) => (number < 8 ? { fails: true } : { status: 400 }));
		await service.callAll(40, 8);
		expect(service.clock.now()).toBeLessThan(2000);
	});
});

test('requests that are sent again after a 5xx or a broken connection are counted, others are not', async () => {
	const reactions: Reaction[] = [{ status: 502 }, { fails: true }, { status: 500 }];
	const service = serviceThat((number) => reactions[number] ?? {});
	await service.callAll(1, 1);
	expect(service.client.sentAgain).toBe(3);
	const others: Reaction[] = [limited('RPM'), { status: 408 }, { hangs: true }];
	const other = serviceThat((number) => others[number] ?? {});
	await other.callAll(1, 1);
	expect([other.startedAtMs.length, other.client.sentAgain]).toEqual([4, 0]);
	const lost = failing(99, { status: 500 });
	await lost.callAll(1, 1, { maxRetries: 0 });
	expect(lost.client.sentAgain).toBe(0);
});

test('an abort ends every wait', async () => {
	for (const reaction of [
		limited('RPM', { 'retry-after': '100' }),
		{ status: 503, headers: { 'retry-after': '100' } },
	]) {
		const stop = new AbortController();
		const service = serviceThat((number) => {
			if (number === 0) {
				void service.clock.wait(1000, new AbortController().signal).then(() => stop.abort(new Error('stop')));
			}
			return reaction;
		});
		await expect(service.clock.run(service.call({ signal: stop.signal }))).rejects.toThrow('stop');
		expect(service.clock.now()).toBe(1000);
		expect(service.startedAtMs).toHaveLength(1);
	}
});

test('a call that is aborted in flight fails with the reason of the abort, not with the broken connection', async () => {
	const stop = new AbortController();
	const service = serviceThat(() => {
		void service.clock.wait(100, new AbortController().signal).then(() => stop.abort('enough'));
		return { hangs: true };
	});
	const calling = service.call({ signal: stop.signal, maxRetries: 0 });
	await expect(service.clock.run(calling)).rejects.toBe('enough');
	expect(service.startedAtMs).toHaveLength(1);
});
