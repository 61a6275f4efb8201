import { SsrfProtectionConfig } from '@n8n/config';
import { Container } from '@n8n/di';
import type { INodeParameters } from 'n8n-workflow';

import { HttpProxy } from './HttpProxy';
import { nodeDriver } from './nodeDriver';
import { useEmulator } from './useEmulator';

const emulator = useEmulator();

const decision = nodeDriver('decision', emulator, { items: [{ text: 'hello' }] });

const asking = (options: INodeParameters = {}): INodeParameters => ({
	questions: { question: [{ id: 'urgent', type: 'noul', instructions: 'Is it urgent?' }] },
	options,
});

describe('behind a proxy', () => {
	let proxy: HttpProxy | undefined;

	afterEach(async () => {
		delete process.env.HTTP_PROXY;
		await proxy?.close();
	});

	test.each([
		['without a password', undefined],
		['with a password', 'user:word'],
	])("%s, the requests of n8n's helper go through it", async (_, login) => {
		proxy = await HttpProxy.start(login);
		process.env.HTTP_PROXY = proxy.url(login);
		expect(await decision.json(asking())).toMatchObject({ urgent: expect.any(Number) });
		expect(proxy.seen).toMatchObject([{ login }]);
	});

	test('that wants a password and gets none, an item fails and says what to do', async () => {
		proxy = await HttpProxy.start('user:word');
		process.env.HTTP_PROXY = proxy.url();
		const error = await decision.error(asking({ maxRetries: 0 }));
		expect(error).toMatchObject({ http_status: 407, description: expect.stringMatching(/proxy/) });
		expect(emulator.requests).toHaveLength(0);
	});

	test('that is gone, an item fails as it does when the service is gone', async () => {
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
])("n8n's guard against requests to its own network, by %s", (_, reuseConnections) => {
	const guard = Container.get(SsrfProtectionConfig);

	afterEach(() => {
		guard.enabled = false;
	});

	test('fails the item once, and says what refused the request', async () => {
		guard.enabled = true;
		const error = await decision.error(asking({ maxRetries: 2 }), { credential: { reuseConnections } });
		expect(error).toMatchObject({
			message: expect.stringMatching(/restricted IP address/),
			description: expect.stringMatching(/network rules/),
			attempts: 1,
		});
		expect(emulator.requests).toEqual([]);
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
