import { failingRequests } from '../support/failingRequests';
import { nodeDriver } from '../support/nodeDriver';
import { useEmulator } from '../support/useEmulator';
import { useSkippableClock } from '../support/useSkippableClock';

const emulator = useEmulator();

const clock = useSkippableClock();

const decision = nodeDriver('decision', emulator, { items: [{ n: 0 }, { n: 1 }, { n: 2 }] });

const questions = { question: [{ id: 'urgent', type: 'noul', instructions: 'Is it urgent?' }] };

const { billed, changing, reading } = failingRequests(emulator);

test.each([
	...['a decision', 'a list', 'an account'].map((request) => [request, 2] as const),
	...['a message', 'a streamed chat', 'a chat model', 'a streamed chat model'].map(
		(request) => [request, 1] as const,
	),
	...Object.keys(changing).map((request) => [request, 1] as const),
])('%s that times out is sent %d times', async (request, times) => {
	emulator.fault({ stall: 'before-headers', times: Infinity });
	const timeoutMs = 60_000;
	const sending = { ...billed, ...changing, ...reading }[request]!({ timeout: timeoutMs });
	for (let sent = 1; sent <= times; sent++) {
		await emulator.waitForRequests(sent);
		clock.skip(timeoutMs);
	}
	await sending;
	expect(emulator.requests).toHaveLength(times);
});

test('a hint reports retries, rate limits and what may be billed twice', async () => {
	emulator.fault({ status: 503, times: 2, headers: { 'retry-after': '0' } });
	emulator.fault({ cut: 'before-headers' });
	emulator.fault({ status: 429, headers: { 'retry-after': '0' } });
	const { hint, outputs } = await decision.run({ questions, options: { concurrency: 1 } });
	expect(outputs()[0]).toHaveLength(3);
	expect(emulator.requests).toHaveLength(7);
	expect(hint()).toMatch(
		/3 requests were sent again after the service had failed, or the connection had broken\. 1 repeated request may .* be billed twice\. 1 request hit a rate limit/,
	);
});

test('the hint of a run without retries does not mention them', async () => {
	const hint = await decision.hint({ questions });
	expect(hint).toMatch(/^3 items answered\./);
	expect(hint).not.toMatch(/repeated|refused|failed|sent again/);
});

test('a 429 is not retried if Retry-After is longer than Max Wait (Seconds)', async () => {
	emulator.fault({ status: 429, body: 'Slow down', headers: { 'retry-after': '1.001' } });
	const error = await decision.error({ questions, options: { maxWait: 1 } }, { items: [{ n: 0 }] });
	expect(error).toMatchObject({ message: 'Slow down', retry_after_ms: 1001, attempts: 1 });
});

test.each<[name: string, headers: Record<string, string>, advice: RegExp]>([
	[
		'without Retry-After',
		{},
		/\(TPM\) was reached\. The item waited 1 s for the rate limit, until 'Max Wait \(Seconds\)' ended the wait\. Raise the option 'Max Wait \(Seconds\)' above 1, or ask/,
	],
	[
		'with Retry-After: 0.7',
		{ 'retry-after': '0.7' },
		/\(TPM\) was reached\. The item waited 1 s for the rate limit, until .* ended the wait, and the service asks for another 1 s\. Raise the option 'Max Wait \(Seconds\)' to at least 2, or ask/,
	],
	[
		'with Retry-After: 5',
		{ 'retry-after': '5' },
		/\(TPM\) was reached\. The service asks for a wait of 5 s\. Raise the option 'Max Wait \(Seconds\)' to at least 5, or ask/,
	],
])('after a rate limit %s, the error advises a Max Wait above what it was', async (_, headers, advice) => {
	emulator.fault({ status: 429, body: 'TPM limit reached', headers, times: Infinity });
	const error = await decision.error({ questions, options: { maxWait: 1 } }, { items: [{ n: 0 }] });
	expect(error.description).toMatch(advice);
});

test('an outage of 502 loses no item of a run, and the hint counts the requests that were sent again', async () => {
	emulator.fault({ status: 502, times: 10 });
	const inputs = Array.from({ length: 30 }, (_, n) => ({ n }));
	const { hint, outputs } = await decision.run({ questions }, { items: inputs });
	expect(outputs()[0]).toHaveLength(30);
	expect(hint()).toMatch(/10 requests were sent again after the service had failed/);
});

test('an outage longer than Max Wait fails the items with how long they waited and for what, also those that sent nothing', async () => {
	emulator.fault({ status: 502, body: 'Bad gateway', times: Infinity });
	const errors = await decision.items(
		{ questions, options: { maxWait: 2 } },
		{ items: Array.from({ length: 30 }, (_, n) => ({ n })), onError: 'continueRegularOutput' },
	);
	const descriptions = errors
		.map(({ json }) => json.error as { attempts: number; description: string })
		.filter(({ attempts }) => attempts === 0)
		.map(({ description }) => description);
	expect(new Set(descriptions)).toEqual(
		new Set([
			"Nothing was sent for this item. The item waited 2 s for the service to take requests again, until 'Max Wait (Seconds)' ended the wait. Raise the option 'Max Wait (Seconds)' above 2, or run again when the service works again.",
		]),
	);
});
