import type { INodeParameters } from 'n8n-workflow';

import { nodeDriver } from '../support/nodeDriver';
import { repeatSoon } from '../support/repeatSoon';
import { useEmulator } from '../support/useEmulator';
import { useLog } from '../support/useLog';

const emulator = useEmulator();

const decision = nodeDriver('decision', emulator, { items: [{ text: 'a secret text' }] });

const log = useLog('debug');

const asking: INodeParameters = {
	questions: { question: [{ id: 'urgent', type: 'noul', instructions: 'Is it urgent?' }] },
	options: { traceId: 'trace-7' },
};

const lines = () =>
	log.filter((line) => line.includes('/systemone')).map((line) => line.replace(/\d+ ms/, 'N ms'));

// The engine replaces n8n's logger on its first run, so that run comes before the tests collect the log.
beforeAll(async () => void (await decision.json(asking)));

afterEach(() => jest.restoreAllMocks());

test('the log gets a line for each attempt, with its status, number and trace ID', async () => {
	repeatSoon();
	emulator.fault({ times: 1, status: 503, body: { code: 50505, message: 'Busy', data: '' } });
	await decision.json(asking);
	expect(lines()).toEqual([
		'POST /systemone: 503 Busy after N ms (attempt 1, trace ID trace-7)',
		'POST /systemone: 200 after N ms (attempt 2, trace ID trace-7)',
	]);
});

test('the log says why an attempt got no response', async () => {
	emulator.fault({ times: Infinity, cut: 'before-headers' });
	await decision.error({ ...asking, options: { maxRetries: 0, traceId: 'trace-7' } });
	expect(lines()).toEqual([
		expect.stringMatching(/^POST \/systemone: The connection .* after N ms \(attempt 1, trace ID trace-7\)$/),
	]);
});

test('the log contains neither the API key nor the body of the request', async () => {
	emulator.fault({ times: Infinity, status: 400, body: `Bearer ${emulator.apiKey} is wrong` });
	await decision.error(asking);
	expect(lines()).toEqual([
		'POST /systemone: 400 Bearer ***** is wrong after N ms (attempt 1, trace ID trace-7)',
	]);
	expect(log.join('\n')).not.toContain(emulator.apiKey);
	expect(log.join('\n')).not.toContain('secret text');
});
