import { SsrfProtectionConfig } from '@n8n/config';
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

	test('requests of "Reuse Connections" do not go through it', async () => {
		proxy = await HttpProxy.start();
		process.env.HTTP_PROXY = proxy.url();
		const answer = await decision.json(asking(), { credential: { reuseConnections: true } });
		expect(answer).toMatchObject({ urgent: expect.any(Number) });
		expect(proxy.seen).toEqual([]);
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

describe("n8n's log", () => {
	beforeAll(async () => await decision.run(asking()));

	const log = useLog();

	async function run(count: number): Promise<string[]> {
		const items = Array.from({ length: count }, (_, n) => ({ n }));
		await decision.run(asking(), { items, onError: 'continueRegularOutput' });
		return log.map((line) => /\S+ of \S+ items/.exec(line)?.[0] ?? line);
	}

	test('gets a line at every tenth of 100 items or more, failed ones included', async () => {
		emulator.fault({ bodyIncludes: '"n":7', status: 400, times: Infinity });
		const done = [11, 20, 21, 31, 42, 52, 62, 73, 83, 93, 103];
		expect(await run(103)).toEqual(done.map((count) => `${count} of 103 items`));
	});

	test('gets the time left after the first items of a long run', async () => {
		await run(210);
		const [, seconds] = /: 20 of 210 items done, about (\d+) s left$/.exec(log[0]!)!;
		expect(Number(seconds)).toBeLessThan(60);
		expect(log.at(-1)).toMatch(/: 210 of 210 items done$/);
	});

	test('gets nothing from a run of fewer items', async () => {
		expect(await run(99)).toEqual([]);
	});
});
