import type { INodeParameters } from 'n8n-workflow';

import type { Fault } from '../../emulator/Emulator';
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
		'POST /systemone: 503 after N ms (attempt 1, trace ID trace-7)',
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

test('the log gets one line for an attempt that was aborted by stopping the execution', async () => {
	const stop = new AbortController();
	emulator.fault({ stall: 'before-headers' });
	const running = decision.run(asking, { signal: stop.signal });
	await emulator.waitFor(() => emulator.requests.length === 1);
	stop.abort();
	await running;
	// The run does not wait for the attempt to end.
	await emulator.waitFor(() => lines().length > 0);
	expect(lines()).toEqual(['POST /systemone: aborted after N ms (attempt 1, trace ID trace-7)']);
});

const WRONG_OPTION = { model: 'x', answers: { urgent: { type: 'choice', choice: 'Jane' } }, usage: {} };

test.each<[name: string, fault: Fault, outcome: string]>([
	['an error', { status: 400, body: 'Bearer KEY is wrong, Jane' }, '400'],
	['a rate limit', { status: 429, body: 'Slow down, Jane' }, '429'],
	['broken JSON', { status: 200, body: '{"answers": "Jane' }, '200 broken off'],
	['no JSON', { status: 200, body: 'Jane' }, '200 unusable'],
	['an impossible answer', { status: 200, body: WRONG_OPTION }, '200 unusable'],
	['an error with status 200', { status: 200, body: { code: 7, message: 'Jane' } }, '200 reports an error'],
	['a redirect', { status: 302, headers: { location: 'https://jane.example' }, body: '' }, '302'],
	['a body that stalls', { stall: 'mid-body' }, '200 timed out'],
])('the log contains neither the key nor a body if the response is %s', async (_, fault, outcome) => {
	const body = typeof fault.body === 'string' ? fault.body.replace('KEY', emulator.apiKey) : fault.body;
	emulator.fault({ times: Infinity, ...fault, ...(body === undefined ? {} : { body }) });
	await decision.error({ ...asking, options: { maxRetries: 0, timeout: 500, traceId: 'trace-7' } });
	expect(lines()).toEqual([`POST /systemone: ${outcome} after N ms (attempt 1, trace ID trace-7)`]);
	expect(log.join('\n')).not.toContain(emulator.apiKey);
	expect(log.join('\n')).not.toMatch(/secret text|Jane/i);
});

test('the log of a request without a trace ID names none', async () => {
	await nodeDriver('account', emulator).json({});
	expect(log.find((line) => line.startsWith('GET'))).toMatch(/^GET \S+: 200 after \d+ ms \(attempt 1\)$/);
});
