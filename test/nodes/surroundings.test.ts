import { SsrfProtectionConfig } from '@n8n/config';
import { SsrfProtectionService } from '@n8n/backend-network';
import { Container } from '@n8n/di';
import type { INodeParameters } from 'n8n-workflow';

import { HttpProxy } from '../support/HttpProxy';
import { nodeDriver } from '../support/nodeDriver';
import { useEmulator } from '../support/useEmulator';
import { useLog } from '../support/useLog';

const emulator = useEmulator();

const decision = nodeDriver('decision', emulator, { items: [{ text: 'hello' }] });

const asking = (options: INodeParameters = {}): INodeParameters => ({
	questions: { question: [{ id: 'urgent', type: 'noul', instructions: 'Is it urgent?' }] },
	options,
});

describe('with HTTP_PROXY,', () => {
	let proxy: HttpProxy | undefined;

	afterEach(async () => {
		delete process.env.HTTP_PROXY;
		await proxy?.close();
	});

	test.each([
		['without a password', undefined],
		['with a password', 'user:word'],
	])("a proxy %s gets the requests of n8n's helper", async (_, login) => {
		proxy = await HttpProxy.start(login);
		process.env.HTTP_PROXY = proxy.url(login);
		expect(await decision.json(asking())).toMatchObject({ urgent: expect.any(Number) });
		expect(proxy.seen).toMatchObject([{ login }]);
	});

	test('a proxy gets none of the requests that are sent with Reuse Connections', async () => {
		proxy = await HttpProxy.start();
		process.env.HTTP_PROXY = proxy.url();
		const answer = await decision.json(asking(), { credential: { reuseConnections: true } });
		expect(answer).toMatchObject({ urgent: expect.any(Number) });
		expect(proxy.seen).toEqual([]);
	});

	test('an item fails with advice about the proxy if that needs a password that HTTP_PROXY lacks', async () => {
		proxy = await HttpProxy.start('user:word');
		process.env.HTTP_PROXY = proxy.url();
		const error = await decision.error(asking({ maxRetries: 0 }));
		expect(error).toMatchObject({ http_status: 407, description: expect.stringMatching(/proxy/) });
		expect(emulator.requests).toHaveLength(0);
	});

	test('an item fails with ECONNREFUSED if the proxy is down', async () => {
		proxy = await HttpProxy.start();
		process.env.HTTP_PROXY = proxy.url();
		await proxy.close();
		proxy = undefined;
		const error = await decision.error(asking({ maxRetries: 0 }));
		expect(error).toMatchObject({ http_status: null, message: expect.stringMatching(/ECONNREFUSED/) });
	});
});

describe.each([
	["n8n's request helper", false],
	['the built-in fetch', true],
])('with %s,', (_, reuseConnections) => {
	const guard = Container.get(SsrfProtectionConfig);

	afterEach(() => {
		guard.enabled = false;
	});

	test('an item fails without retries if n8n blocks the IP address, and says so', async () => {
		guard.enabled = true;
		const error = await decision.error(asking({ maxRetries: 2 }), { credential: { reuseConnections } });
		expect(error).toMatchObject({
			message: expect.stringMatching(/restricted IP address/),
			description: expect.stringMatching(/network rules/),
			attempts: 1,
		});
		expect(emulator.requests).toEqual([]);
	});

	test('an item fails with the advice to check the base URL if n8n does not find the host that it should check', async () => {
		guard.enabled = true;
		const credential = { reuseConnections, baseUrl: 'https://service.invalid/v1' };
		const error = await decision.error(asking({ maxRetries: 0 }), { credential });
		expect(error).toMatchObject({
			message: expect.stringMatching(/^The host name cannot be found \(.*(ENOTFOUND|EAI_AGAIN)/),
			description: expect.stringMatching(/Check the base URL/),
			attempts: 1,
		});
	});
});

test('Timeout ends a check of the host by n8n that does not end', async () => {
	const guard = Container.get(SsrfProtectionConfig);
	guard.enabled = true;
	const checking = jest
		.spyOn(Container.get(SsrfProtectionService), 'validateUrl')
		.mockReturnValue(new Promise(() => {}));
	try {
		const input = { credential: { reuseConnections: true } };
		const error = await decision.error(asking({ maxRetries: 0, timeout: 100 }), input);
		expect(error).toMatchObject({
			message: 'Timed out: the service did not respond for 100 ms',
			attempts: 1,
		});
	} finally {
		guard.enabled = false;
		checking.mockRestore();
	}
});

describe('a run', () => {
	beforeAll(async () => await decision.run(asking()));

	const log = useLog();

	async function run(count: number): Promise<string[]> {
		const items = Array.from({ length: count }, (_, n) => ({ n }));
		await decision.run(asking(), { items, onError: 'continueRegularOutput' });
		return log.map((line) => /\S+ of \S+ items/.exec(line)?.[0] ?? line);
	}

	test('writes its progress to the log after each tenth of 103 items, counting failed ones', async () => {
		emulator.fault({ bodyIncludes: '"n":7', status: 400, times: Infinity });
		const done = [11, 20, 21, 31, 42, 52, 62, 73, 83, 93, 103];
		expect(await run(103)).toEqual(done.map((count) => `${count} of 103 items`));
	});

	test('writes the estimated time left to the log for 210 items', async () => {
		// Eight requests are in flight at once, so the first 20 take at least three times 100 ms, and the other 190 would take 2.85 s.
		emulator.fault({ delayMs: 100, times: 20 });
		await run(210);
		const [, seconds] = /: 20 of 210 items done, about (\d+) s left$/.exec(log[0]!)!;
		expect(Number(seconds)).toBeGreaterThanOrEqual(3);
		expect(Number(seconds)).toBeLessThan(1000);
		expect(log.at(-1)).toMatch(/: 210 of 210 items done$/);
	});

	test('estimates no time left from answers that an earlier run paid for', async () => {
		emulator.fault({ bodyIncludes: '"n":110', status: 400 });
		const input = { items: Array.from({ length: 120 }, (_, n) => ({ n })), workflowId: 'progress' };
		await decision.run(asking(), input);
		log.length = 0;
		await decision.run(asking(), input);
		expect(log[1]).toMatch(/: 20 of 120 items done$/);
		expect(log.at(-1)).toMatch(/: 120 of 120 items done$/);
	});

	test('that is stopped by hand writes to the log what is kept, which n8n shows in queue mode only', async () => {
		emulator.fault({ bodyIncludes: '"n":2', stall: 'before-headers' });
		const stop = new AbortController();
		const items = Array.from({ length: 4 }, (_, n) => ({ n }));
		const run = decision.run(asking({ concurrency: 1 }), { items, signal: stop.signal });
		await emulator.waitForRequests(3);
		stop.abort();
		await run;
		expect(log).toEqual([
			expect.stringMatching(
				/: the execution was canceled\. 1 request was aborted before the end, and may be billed\. 2 answers are kept for the next run: .*\. 2 of 4 items are not done\.$/,
			),
		]);
	});

	test('that is stopped writes nothing to the log if nothing was sent', async () => {
		await decision.run(asking(), { items: [{ n: 0 }], signal: AbortSignal.abort() });
		expect(log).toEqual([]);
	});

	test('of 99 items writes no progress to the log', async () => {
		expect(await run(99)).toEqual([]);
	});

	test('of 100 items writes its progress to the log', async () => {
		expect((await run(100)).at(-1)).toBe('100 of 100 items');
	});
});
