import type { Fault } from '../../emulator/Emulator';
import { failingRequests, type FailingRequest } from '../support/failingRequests';
import { useEmulator } from '../support/useEmulator';

const emulator = useEmulator();

const { billed, changing, reading, withTools } = failingRequests(emulator);

/** In `mayHaveBegun`, each failure says whether the service may have begun to carry the request out. */
type Failure = [what: string, mayHaveBegun: boolean, fault: Fault];

const ofEachRequest: Failure[] = [
	['504', true, { status: 504 }],
	['503', false, { status: 503 }],
	['a connection that is reset', true, { cut: 'before-headers' }],
	['a timeout', true, { stall: 'before-headers' }],
];

const ofOneRequest: Failure[] = [
	...[408, 500, 502, 520, 521, 522, 523, 524, 599].map((status): Failure => [`${status}`, true, { status }]),
	...[302, 304, 400, 401, 403, 404, 422, 529].map((status): Failure => [`${status}`, false, { status }]),
	['a limit per day', false, { status: 429, body: { message: 'RPD limit reached', data: '' } }],
	['a response that breaks off', true, { cut: 'mid-body' }],
	['a page', true, { status: 200, body: '<html><title>Login</title></html>' }],
	['a reported error', true, { status: 200, body: { error: { message: 'No' } } }],
];

const MAY_BE_BILLED = /^The request may be billed\.$/m;

const MAY_BE_DONE = /^The request may have been carried out\.$/m;

async function expectBillingNote(
	run: FailingRequest,
	[what, mayHaveBegun, fault]: Failure,
	expected?: RegExp,
): Promise<void> {
	emulator.reset();
	emulator.fault({ ...fault, times: Infinity });
	const description = await run({ maxRetries: 0, timeout: what === 'a timeout' ? 30 : 10_000 });
	const notes = [MAY_BE_BILLED, MAY_BE_DONE].filter((words) => words.test(description));
	expect([what, notes]).toEqual([what, expected && mayHaveBegun ? [expected] : []]);
	await emulator.waitFor(() => emulator.inFlight === 0);
}

test.each([
	...Object.entries(billed).map(([request, run]) => [request, run, MAY_BE_BILLED] as const),
	...Object.entries(changing).map(([request, run]) => [request, run, MAY_BE_DONE] as const),
	...Object.entries(reading).map(([request, run]) => [request, run, undefined] as const),
])('the error of %s says whether it may be billed or carried out', async (_request, run, expected) => {
	for (const failure of ofEachRequest) await expectBillingNote(run, failure, expected);
	const description = await run({ maxRetries: 0 }, { url: 'http://127.0.0.1:9/v1', apiKey: 'any' });
	expect(description).toMatch(
		/^(Nothing accepts connections .*\n)?Check the base URL (?!.*may (?:be|have))[^\n]*(?:\nTrace ID: n8n-\S+)?$/,
	);
});

test.each(ofOneRequest)(
	'the error of a message that fails with %s says that it may be billed: %s',
	async (...failure) => {
		await expectBillingNote(billed['a message']!, failure, MAY_BE_BILLED);
	},
);

test('the error counts only the attempts that may be billed', async () => {
	emulator.fault({ status: 504, times: 2 });
	emulator.fault({ status: 400, times: Infinity });
	expect(await billed['a message']!({})).toMatch(
		/^The request was sent 3 times\. 2 of them may be billed\.$/m,
	);
	emulator.reset();
	emulator.fault({ status: 504, times: Infinity });
	expect(await billed['a decision']!({ maxRetries: 1 })).toMatch(
		/^The request was sent 2 times\. Each of them may be billed\.$/m,
	);
});

test('the error of a failed round of tools says how many requests were answered, and how many may be billed', async () => {
	emulator.fault({ bodyIncludes: 'tool_result', status: 504 });
	expect(await withTools({ maxRetries: 0 })).toMatch(
		/^Tools that had run before: look_up .*\n2 requests were sent, of which the service answered 1\. Of the others, 1 may be billed\.$/m,
	);
});

test('the error for an answer that cannot be used says that it may be billed', async () => {
	const withText = { content: [{ type: 'text', text: 'Sure!' }], stop_reason: 'end_turn' };
	emulator.answer(withText);
	expect(await billed['a message']!({ responseFormat: 'json' })).toMatch(MAY_BE_BILLED);
	emulator.answer({ answers: { urgent: { type: 'noul', noul: 7 } } });
	expect(await billed['a decision']!({})).toMatch(MAY_BE_BILLED);
});
