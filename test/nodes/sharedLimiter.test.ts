import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import type { INodeParameters } from 'n8n-workflow';

import type { Fault } from '../../emulator/Emulator';
import type { ItemError } from '../../nodes/shared/run/nodeErrors';
import { processState } from '../../nodes/shared/service/processState';
import { nodeDriver } from '../support/nodeDriver';
import { runNode } from '../support/runNode';
import { useEmulator } from '../support/useEmulator';
import { useLog } from '../support/useLog';

const emulator = useEmulator();

const elsewhere = useEmulator();

const decision = nodeDriver('decision', emulator, { items: [{ text: 'hello' }] });

const account = nodeDriver('account', emulator);

const message = nodeDriver('message', emulator);

const voice = nodeDriver('voice', emulator);

const asking = (options: INodeParameters = {}): INodeParameters => ({
	questions: { question: [{ id: 'urgent', type: 'noul', instructions: 'Is it urgent?' }] },
	options,
});

// The engine replaces n8n's logger on its first run, so that run comes before the tests collect the log.
beforeAll(async () => {
	await decision.run(asking());
	emulator.reset();
});

const log = useLog();

const itemsOf = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));

const rateLimit = (retryAfter: number | string, more: Fault = {}): Fault => ({
	status: 429,
	body: { message: 'RPM limit reached', data: '' },
	headers: { 'retry-after': String(retryAfter) },
	...more,
});

/**
 * Lets one execution get a 429, so that later executions wait for the rate limit. Returns a function that waits for the end
 * of this execution.
 */
async function meetLimit(retryAfter: number, signal?: AbortSignal) {
	emulator.fault(rateLimit(retryAfter));
	const running = decision.run(asking({ maxWait: 3600 }), { signal });
	await emulator.waitFor(() => log.some((line) => line.startsWith('Waiting for')));
	return async () => await running;
}

/** Runs this many items, and returns the error of each, or undefined for an item that succeeded. */
async function errorsOf(parameters: INodeParameters, count: number): Promise<Array<ItemError | undefined>> {
	const items = await decision.items(parameters, {
		items: itemsOf(count),
		onError: 'continueRegularOutput',
	});
	return items.map(({ json }) => json.error as unknown as ItemError | undefined);
}

test('executions with the same key, base URL and endpoint wait in one queue, and the log says so', async () => {
	const limitedEnds = await meetLimit(1);
	const results = await Promise.all(Array.from({ length: 60 }, async () => await decision.json(asking())));
	await limitedEnds();
	expect(results.filter(({ urgent }) => typeof urgent === 'number')).toHaveLength(60);
	const [refused, probe, ...others] = emulator.requests;
	expect(refused!.status).toBe(429);
	// After the 429, a single request waits for Retry-After. Its success lets all others through.
	expect(probe!.receivedAtMs - refused!.receivedAtMs).toBeGreaterThanOrEqual(1000);
	expect(others.map(({ status }) => status)).toEqual(Array.from({ length: 60 }, () => 200));
	// The log has one line for the beginning of each wait, and one for its end.
	const waits = [
		expect.stringMatching(/^Waiting for the RPM rate limit: N requests? queued \(Kev-NB at N:N\)$/),
		expect.stringMatching(/^No longer waiting for the RPM rate limit, after N s/),
	];
	expect(log.length).toBeGreaterThan(0);
	expect(log.map((line) => line.replace(/[\d.]+/g, 'N'))).toEqual(
		Array.from({ length: Math.ceil(log.length / 2) }, () => waits).flat(),
	);
});

test('while a service is down, the log does not speak of a rate limit alone', async () => {
	emulator.fault({ status: 502, times: 6 });
	const items = itemsOf(12);
	expect(await decision.items(asking(), { items })).toHaveLength(12);
	expect(log[0]).toMatch(
		/^Waiting for a rate limit, or a service that is overloaded or down: \d+ requests? queued/,
	);
});

test('a request without a model waits in a queue of its endpoint, which the log names', async () => {
	emulator.fault(rateLimit(1));
	await voice.run({ operation: 'delete', uri: 'speech:a:b:c' });
	expect(log[0]).toMatch(/queued \(\/audio\/voice\/deletions at /);
	expect(log[1]).toMatch(/after \d s \(/);
});

test('an upload waits in the queue of its model, like every request that names it', async () => {
	emulator.fault(rateLimit(1));
	const audioDataUri = 'data:audio/mpeg;base64,SUQz';
	const style = { customName: 'narrator', text: 'Hello', model: 'acme/voice-1' };
	await voice.run({ operation: 'upload', audioSource: 'dataUri', audioDataUri, ...style });
	expect(log[0]).toContain('queued (acme/voice-1 at ');
});

test('a rate limit that a chat met holds for a message of the same model, but not for one of another', async () => {
	emulator.fault(rateLimit(600));
	const hello = (model: string) => ({ model, messages: { message: [{ role: 'user', content: 'Hello' }] } });
	expect(await message.error({ operation: 'chat', ...hello('acme/quick-1') })).toHaveProperty('attempts', 1);
	expect(await message.error(hello('acme/quick-1'))).toMatchObject({ http_status: 429, attempts: 0 });
	await message.json(hello('acme/quick-2'));
	expect(emulator.requests).toHaveLength(2);
});

test.each([
	['endpoint', async () => (await account.run({})).outputs()],
	['base URL', async () => await runDecisionAt(elsewhere)],
	['key', async () => await runDecisionAt({ url: emulator.url, apiKey: 'another' }).catch(String)],
] as Array<[string, () => Promise<unknown>]>)(
	'an execution with another %s does not wait for the rate limit',
	async (_, run) => {
		const stop = new AbortController();
		const limitedEnds = await meetLimit(600, stop.signal);
		await run();
		expect(emulator.requests.length + elsewhere.requests.length).toBe(2);
		stop.abort();
		await limitedEnds();
	},
);

test('200 executions that wait for a rate limit end at once when they are stopped, without a request', async () => {
	const stop = new AbortController();
	const limitedEnds = await meetLimit(600, stop.signal);
	const waiting = Promise.all(
		Array.from(
			{ length: 200 },
			async () => await decision.run(asking({ maxWait: 3600 }), { signal: stop.signal }),
		),
	);
	await untilIdle();
	stop.abort();
	const runs = await waiting;
	await limitedEnds();
	expect(runs.map(({ run }) => run.status)).toEqual(runs.map(() => 'canceled'));
	expect(emulator.requests).toHaveLength(1);
	expect(log.at(-1)).toMatch(/^No longer waiting/);
});

test('a limit per day fails the items that have not started, but no other execution', async () => {
	emulator.fault({ bodyIncludes: '"n":1', status: 429, body: { message: 'RPD limit reached', data: '' } });
	const met = await errorsOf(asking({ concurrency: 1 }), 4);
	expect(met.map((error) => error?.attempts)).toEqual([undefined, 1, 0, 0]);
	expect(met[3]).toMatchObject({ http_status: 429, limit: 'RPD' });
	expect(emulator.requests).toHaveLength(2);
	expect(await errorsOf(asking({ concurrency: 1 }), 4)).toEqual([undefined, undefined, undefined, undefined]);
});

describe('a Retry-After', () => {
	test('longer than Max Wait fails all items without another request, and the error names the wait', async () => {
		emulator.fault(rateLimit(1001));
		const errors = await errorsOf(asking({ concurrency: 1, maxWait: 1000 }), 3);
		expect(errors.map((error) => error?.attempts)).toEqual([1, 0, 0]);
		for (const error of errors) {
			expect(error).toMatchObject({
				retry_after_ms: 1_001_000,
				description: expect.stringMatching(
					/asks for a wait of 1001 s\. Raise the option 'Max Wait \(Seconds\)'/,
				),
			});
		}
		expect(emulator.requests).toHaveLength(1);
	});

	test('fails another execution only if it is longer than the Max Wait of that execution', async () => {
		const stop = new AbortController();
		const limitedEnds = await meetLimit(600, stop.signal);
		const [error] = await errorsOf(asking({ maxWait: 300 }), 1);
		expect(error).toMatchObject({ http_status: 429, attempts: 0 });
		let ended = false;
		const patient = decision.run(asking({ maxWait: 700 }), { signal: stop.signal });
		void patient.then(() => (ended = true));
		await setTimeout(300);
		expect(ended).toBe(false);
		expect(emulator.requests).toHaveLength(1);
		stop.abort();
		await Promise.all([patient, limitedEnds()]);
	});

	test('is named in the error also if the service names no limit', async () => {
		emulator.fault(rateLimit(600, { body: { message: 'Slow down', data: '' } }));
		const [error] = await errorsOf(asking(), 1);
		expect(error!.description).toMatch(/rate limit was reached\. The service asks for a wait of 600 s/);
	});
});

test('a 429 is not retried with Max Retries 0', async () => {
	emulator.fault(rateLimit(1));
	const errors = await errorsOf(asking({ maxRetries: 0, concurrency: 1 }), 2);
	expect(errors.map((error) => error?.attempts)).toEqual([1, undefined]);
	expect(errors[0]!.description).toMatch(/Raise the option 'Max Retries'/);
	expect(emulator.requests.map(({ status }) => status)).toEqual([429, 200]);
});

test('a hint says how long the run waited for a rate limit', async () => {
	const firstEnds = await meetLimit(1);
	const other = await decision.run(asking());
	const hints = [await firstEnds(), other].map(({ hint }) => hint());
	expect(hints[0]).toMatch(/1 request hit a rate limit\. The node waited [1-9]\d*\.\d seconds until/);
	expect(hints[1]).toMatch(
		/\d out\.<br>The node waited \d+\.\d seconds until the service could take more\.$/,
	);
});

test('300 more executions leave no timers, no memory and no further limiter behind', async () => {
	setFlagsFromString('--expose-gc');
	const collect = runInNewContext('gc') as () => void;
	const executions = async (count: number) => {
		for (let started = 0; started < count; started += 50) {
			if (started % 200 === 0) emulator.fault(rateLimit(0));
			await Promise.all(Array.from({ length: 50 }, async () => await decision.json(asking())));
		}
		// The emulator's record of requests is emptied, because it would count as memory of the nodes.
		emulator.requests.length = 0;
		await emulator.waitFor(() => emulator.inFlight === 0);
		await setTimeout(100);
		collect();
		return {
			heapMegabytes: process.memoryUsage().heapUsed / 2 ** 20,
			timers: process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length,
			limiters: processState.limiters.size,
		};
	};
	const before = await executions(100);
	const after = await executions(300);
	expect(after.limiters).toBe(before.limiters);
	expect(after.timers).toBeLessThanOrEqual(before.timers + 2);
	expect(after.heapMegabytes - before.heapMegabytes).toBeLessThan(5);
}, 600_000);

async function runDecisionAt(service: { url: string; apiKey: string }): Promise<unknown> {
	return (
		await runNode({ type: 'decision', parameters: asking(), items: [{ text: 'hello' }], service })
	).outputs();
}

/** Waits until the event loop is idle most of the time, which means that all executions wait. */
async function untilIdle(): Promise<void> {
	let utilization: number;
	do {
		const before = performance.eventLoopUtilization();
		await setTimeout(200);
		({ utilization } = performance.eventLoopUtilization(before));
	} while (utilization > 0.5);
}
