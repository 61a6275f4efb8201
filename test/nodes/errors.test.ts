import * as n8n from 'n8n-workflow';
import { NodeApiError, NodeOperationError, type INodeExecutionData } from 'n8n-workflow';

import type { Fault } from '../../emulator/Emulator';
import { mostInFlight } from '../support/mostInFlight';
import { testWhere } from '../support/host';
import { nodeDriver, wrongParameter } from '../support/nodeDriver';
import { readErrorItem } from '../support/runNode';
import { useEmulator } from '../support/useEmulator';

/** The API key begins like this. In the faults below, it stands for the whole key. */
const SECRET = 'sk-very-secret-4711';
/** The first letters of the API key must not appear even where the rest is cut off. */
const SECRET_START = 'sk-very-se';

const emulator = useEmulator({ apiKey: SECRET });

const questions = { question: [{ id: 'urgent', type: 'noul', instructions: 'Is it urgent?' }] };

/** These parameters send one item after another, and none twice. */
const oneByOne = { questions, options: { maxRetries: 0, concurrency: 1 } };

const impatient = { questions, options: { maxRetries: 0, timeout: 100 } };

const items = [
	{ n: 0, message: 'mine' },
	{ n: 1, message: 'mine', error: 'old' },
	{ n: 2, message: 'mine' },
];

/** Makes the request for the second item fail. */
function failSecond(fault: Fault) {
	const withKey = JSON.parse(JSON.stringify(fault).replaceAll(SECRET, emulator.apiKey)) as Fault;
	emulator.fault({ bodyIncludes: '"n":1', times: Infinity, ...withKey });
}

type ErrorFacts = { description?: RegExp } & Record<string, unknown>;

interface Case {
	name: string;
	fault: Fault;
	message: RegExp;
	/** Holds the fields of the error item that differ from the defaults in `expectedError`. */
	error?: ErrorFacts;
	/** Holds the property `failure` of n8n's error, which says when to try again. Most errors have none. */
	failure?: object;
	/** Marks an error after which the items that have not started fail too, without a request. */
	endsAll?: true;
}

const body = (code: unknown, message: string, data: unknown = null) => ({ code, message, data });

const FAILURES: Case[] = [
	{
		name: '400',
		fault: { status: 400, body: body(1234, 'state is too long') },
		message: /^state is too long$/,
		error: { code: 1234 },
	},
	{
		name: '400 for an unknown model',
		fault: { status: 400, body: body('20012', 'Model does not exist') },
		message: /^Model does not exist$/,
		error: {
			description: /does not offer the model "Kev-4B" for decisions.*check the option 'Model'/,
			code: 20012,
		},
	},
	{
		name: '401 whose text is quoted and repeats the key',
		fault: { status: 401, body: `"Invalid token Bearer ${SECRET}"` },
		message: /^Invalid token Bearer \*+$/,
		error: { description: /API key in the credential/ },
	},
	{
		name: '400 that repeats the key where its message is cut off',
		fault: { status: 400, body: body(1, `${'x'.repeat(490)} ${SECRET} and more`) },
		message: /^x+ \*+/,
		error: { code: 1 },
	},
	{
		name: 'a trace ID that repeats the key',
		fault: { status: 400, body: { message: 'no' }, headers: { 'x-service-trace-id': `id-${SECRET}` } },
		message: /^no$/,
		error: { description: /Trace ID: id-\*+$/, trace_id: 'id-*****' },
	},
	{
		name: '403',
		fault: { status: 403, body: 'approvePERMissions: EPERM' },
		message: /^approvePERMissions: EPERM$/,
		error: { description: /real-name verification/ },
	},
	{
		name: '404',
		fault: { status: 404, body: '404 page not found' },
		message: /^404 page not found$/,
		error: {
			description: /^Check the base URL in the credential: .* the model or the ID that the request names\.\n/,
		},
	},
	{
		name: '429 that names a limit per minute',
		failure: { cause: 'rate-limited', retryAfterMs: 100 },
		fault: {
			status: 429,
			body: { message: 'rate limiting: TPM limit reached', data: '' },
			headers: { 'retry-after': '0.1' },
		},
		message: /TPM limit reached/,
		error: {
			description: /tokens per minute \(TPM\).*'Max Retries' above 0/,
			limit: 'TPM',
			retry_after_ms: 100,
		},
	},
	{
		name: '429 that names a limit per day',
		failure: { cause: 'quota-exhausted' },
		fault: { status: 429, body: { message: 'RPD limit reached', data: '' } },
		message: /RPD/,
		error: { description: /requests per day \(RPD\).*tomorrow/, limit: 'RPD' },
		endsAll: true,
	},
	{
		name: '429 that names none',
		failure: { cause: 'rate-limited' },
		fault: { status: 429, body: { message: 'Slow down', data: '' } },
		message: /^Slow down$/,
		error: { description: /rate limit/i },
	},
	{
		name: '500 without a body',
		fault: { status: 500, body: '' },
		message: /500 Internal Server Error/,
		error: { description: /support\. Give them the trace ID/ },
	},
	{
		name: '503',
		failure: { cause: 'temporarily-unavailable' },
		fault: { status: 503, body: body(50505, 'Model service overloaded', '') },
		message: /overloaded/,
		error: { description: /^The model is overloaded\. Try again later\.\n/, code: 50505 },
	},
	{
		name: '504',
		failure: { cause: 'temporarily-unavailable' },
		fault: { status: 504, body: 'gateway timed out' },
		message: /^gateway timed out$/,
		error: { description: /^The model took too long, .* Try again later\.\n/ },
	},
	{
		name: 'a redirect',
		fault: { status: 302, headers: { location: 'https://elsewhere.example/v1/systemone' }, body: '' },
		message: /elsewhere\.example \(302\)\. .*never followed/,
		error: { description: /base URL/ },
	},
	{
		name: 'a connection cut before the response',
		fault: { cut: 'before-headers' },
		// Of a connection that was reset, the built-in fetch does not tell whether a response had begun.
		message: /^The connection was closed before (there was a response|the response was complete) \(.+\)$/,
		error: { description: /base URL/, http_status: null },
	},
	{
		name: 'a connection cut within the response',
		fault: { cut: 'mid-body' },
		message: /connection broke/,
		error: { description: /Try again/, http_status: 200 },
	},
];

const PAGE = '<!DOCTYPE html><html><head><title>Welcome</title></head></html>';

/** Bodies that the service does not document, and the readable message that each must give. */
const BODIES: Array<[name: string, fault: Fault, message: RegExp, description: RegExp]> = [
	['a page', { status: 502, body: PAGE }, /^Welcome \(an HTML page/, /Try again later/],
	[
		'in pieces, each a part of a letter',
		{ status: 400, body: body(7, '“Überlänge” 価格 🙂'), split: 'every-byte' },
		/^“Überlänge” 価格 🙂$/,
		/Check/,
	],
	['broken off', { status: 400, body: { message: 'x'.repeat(2000) }, cut: 'mid-body' }, /.+/, /Check/],
	[
		'an error with status 200',
		{ status: 200, body: body(50505, 'Too much') },
		/^Too much$/,
		/overloaded\. Try/,
	],
	[
		'a page with status 200',
		{ status: 200, body: PAGE },
		/not valid JSON: Welcome \(an HTML page/,
		/base URL/,
	],
	['nothing, with status 200', { status: 200, body: '' }, /is empty/, /Try again/],
	['a number', { status: 400, body: '42' }, /^42$/, /Check/],
	['a boolean', { status: 400, body: 'true' }, /^true$/, /Check/],
	['truncated JSON', { truncate: true }, /not valid JSON/, /Try again/],
	[
		'without credit',
		{ status: 402, body: { detail: 'No credit' } },
		/^No credit$/,
		/^The account cannot pay/,
	],
	['too large', { status: 413, body: { detail: 'Too much' } }, /^Too much$/, /^The request is too large/],
];

function expectedError({ fault, message, error = {} }: Case) {
	const { description = /Check the model and the parameters/, ...facts } = error;
	return {
		http_status: fault.status,
		code: null,
		limit: null,
		retry_after_ms: null,
		attempts: 1,
		item_index: 1,
		trace_id: expect.any(String),
		...facts,
		message: expect.stringMatching(message),
		description: expect.stringMatching(new RegExp(description.source, 's' + description.flags)),
	};
}

function expectWhole(item: INodeExecutionData, index: number) {
	expect(item).toMatchObject({ json: { n: index, urgent: expect.any(Number) }, pairedItem: { item: index } });
}

function catchFrom(run: () => unknown): unknown {
	try {
		run();
	} catch (error) {
		return error;
	}
	throw new Error('Nothing was thrown');
}

const decision = nodeDriver('decision', emulator, { items });

describe.each([
	["n8n's request helper", false],
	['the built-in fetch', true],
])('with %s, the node', (_, reuseConnections) => {
	const credential = { reuseConnections };

	test.each(BODIES)(
		'gives a readable error if the body of a response is %s',
		async (__, fault, message, description) => {
			failSecond(fault);
			const error = await decision.error(oneByOne, { credential, items: [items[1]!] });
			expect(error.message).toMatch(message);
			expect(error.description).toMatch(description);
		},
	);

	test.each(FAILURES)(
		'outputs an error item with the input fields, and nowhere the key: $name',
		async (failing) => {
			failSecond(failing.fault);
			const { outputs, run } = await decision.run(oneByOne, { credential, onError: 'continueRegularOutput' });
			const [first, failed, third] = outputs()[0]!;
			const read = readErrorItem(failed!.json);
			expect(read.error).toEqual(expectedError(failing));
			expect(read.others).toEqual({ n: 1, message: 'mine', input_error: 'old' });
			expect(failed!.pairedItem).toEqual({ item: 1 });
			expectWhole(first!, 0);
			if (failing.endsAll) {
				expect(third!.json.error).toMatchObject({ attempts: 0, item_index: 2, limit: failing.error!.limit });
			} else expectWhole(third!, 2);
			expect(JSON.stringify(run)).not.toContain(SECRET_START);
		},
	);

	test.each(['before-headers', 'after-headers', 'mid-body'] as const)(
		'reports a timeout if the response stalls %s',
		async (stall) => {
			failSecond({ stall });
			const error = await decision.error(impatient, { credential, items: [items[1]!] });
			expect(error).toMatchObject({
				message: expect.stringMatching(/100 ?ms/),
				description: expect.stringMatching(/Timeout/),
				attempts: 1,
			});
		},
	);

	test('reports a 401 whose body stalls as a 401, not as a timeout', async () => {
		failSecond({ status: 401, body: 'Invalid token, says the service', stall: 'mid-body' });
		const patient = { questions, options: { maxRetries: 0, timeout: 1000 } };
		const error = await decision.error(patient, { credential, items: [items[1]!] });
		expect(error).toMatchObject({
			http_status: 401,
			attempts: 1,
			message: expect.stringMatching(/^Invalid/),
			description: expect.stringMatching(/API key/),
		});
	});

	test('lets a decision in flight end under On Error "Stop", because it is paid for, and starts nothing more', async () => {
		emulator.fault({ bodyIncludes: '"n":0', delayMs: 200 });
		emulator.fault({ bodyIncludes: '"n":1', status: 403, body: 'no', delayMs: 20 });
		const { outputs } = await decision.run(
			{ questions, options: { concurrency: 2, maxRetries: 0 } },
			{ credential, items: Array.from({ length: 10 }, (__, n) => ({ n })) },
		);
		expect(outputs).toThrow('no');
		expect(emulator.requests.map(({ status }) => status).sort()).toEqual([200, 403]);
	});

	test('aborts a request in flight that costs nothing under On Error "Stop"', async () => {
		emulator.fault({ bodyIncludes: 'first', stall: 'before-headers' });
		emulator.fault({ bodyIncludes: 'second', status: 403, body: 'no', delayMs: 20 });
		const { outputs } = await nodeDriver('voice', emulator).run(
			{ operation: 'delete', uri: '={{ "speech:" + $json.uri }}', options: { concurrency: 2 } },
			{ credential, items: [{ uri: 'first' }, { uri: 'second' }] },
		);
		expect(outputs).toThrow('no');
		await emulator.waitFor(() => emulator.requests.some(({ closedByClient }) => closedByClient));
	});

	test('aborts the request in flight and sends no more when the execution is stopped', async () => {
		emulator.fault({ stall: 'before-headers', times: Infinity });
		const stop = new AbortController();
		const running = decision.run(oneByOne, { credential, signal: stop.signal });
		await emulator.waitForRequests(1);
		stop.abort();
		const { run } = await running;
		expect(run.status).toBe('canceled');
		await emulator.waitFor(() => emulator.requests[0]!.closedByClient);
		expect(emulator.requests).toHaveLength(1);
	});

	testWhere('causeOfFailure')('answers each of 100 items exactly once under random failures', async () => {
		emulator.fault({ times: Infinity, probability: 0.05, cut: 'before-headers' });
		emulator.fault({ times: Infinity, probability: 0.05, status: 500 });
		const many = Array.from({ length: 100 }, (__, n) => ({ n }));
		const options = { concurrency: 32, maxRetries: 10 };
		const results = await decision.items({ questions, options }, { credential, items: many });
		expect(results.map(({ json }) => json.n)).toEqual(many.map(({ n }) => n));
		expect(results.every(({ json }) => typeof json.urgent === 'number')).toBe(true);
		expect(emulator.requests.length).toBeGreaterThan(100);
		expect(emulator.requests.filter(({ status }) => status === 200)).toHaveLength(100);
	});
});

test.each([
	[{}, 'The batch was cancelled already'],
	[{ questions: { question: [{ id: 'canceled' }, { id: 'canceled' }] } }, 'shares its ID'],
])(
	'an error with n8n’s word for a stopped execution fails the execution: %j',
	async (parameters, message) => {
		emulator.fault({ status: 400, body: { message: 'The batch was canceled already' } });
		const { run } = await decision.run({ ...oneByOne, ...parameters });
		expect(run.status).toBe('error');
		expect(run.data.resultData.error?.message).toContain(message);
	},
);

describe('a field with n8n’s word for a stopped execution in its name', () => {
	const parameters = { ...oneByOne, stateFields: 'mesage' };
	const items = [{ canceled_at: 5 }];

	test('is spelled differently in an error that stops the node, whose description says so', async () => {
		const { run } = await decision.run(parameters, { items });
		const { message, description } = run.data.resultData.error as NodeOperationError;
		expect(message).toContain('It has: cancelled_at');
		expect(description).toMatch(
			/^Nothing was sent for this item\..*\nThis message writes "cancelled" instead of "canceled"/,
		);
	});

	test('keeps its spelling in the error of an item', async () => {
		expect(await decision.refusal(parameters, { items })).toContain('It has: canceled_at');
	});
});

describe.each(FAILURES)('$name', (failing) => {
	const { fault, failure, endsAll } = failing;
	const expected = expectedError(failing);

	test("stops the node with the service's message, says what to do, and nowhere shows the key", async () => {
		failSecond(fault);
		const { outputs, run } = await decision.run(oneByOne);
		const thrown = catchFrom(outputs);
		const { message, description, http_status: status, trace_id } = expected;
		expect(thrown).toMatchObject({
			name: NodeApiError.name,
			message,
			description,
			httpCode: status === null ? null : String(status),
			context: { itemIndex: 1, trace_id },
		});
		// The property `failure` exists only in n8n 2.37 and later.
		expect((thrown as NodeApiError).failure).toEqual('TIMED_CAUSES' in n8n ? failure : undefined);
		expect(emulator.requests).toHaveLength(2);
		expect(JSON.stringify(run)).not.toContain(SECRET_START);
	});

	test("sends the failed item to n8n's error output, with the input fields", async () => {
		failSecond(fault);
		const [success, failed] = await decision.outputs(oneByOne, { onError: 'continueErrorOutput' });
		expect([success!.length, failed!.length]).toEqual(endsAll ? [1, 2] : [2, 1]);
		const read = readErrorItem(failed![0]!.json);
		expect(read.error).toEqual(expected);
		expect(read.others).toEqual({ n: 1, message: 'mine' });
	});
});

describe('On Error "Stop"', () => {
	test('gives an error that says how often the request was sent, and how to keep the other items if there are any', async () => {
		failSecond({ status: 503, headers: { 'retry-after': '0' } });
		const parameters = { questions, options: { maxRetries: 1, concurrency: 1 } };
		const description = 'The model is overloaded. Try again later.\nThe request was sent 2 times.';
		await expect(decision.outputs(parameters)).rejects.toMatchObject({
			description: expect.stringContaining(`${description}\nTo keep the results of the other items`),
		});
		const alone = decision.outputs(parameters, { items: [items[1]!] });
		await expect(alone).rejects.toMatchObject({
			description: expect.stringMatching(/^The model is overloaded(?!.*To keep)/s),
		});
	});

	test.each([
		['', wrongParameter('questions: question 1', 'must have an ID')],
		// The ID "approvePermissions" contains "EPERM", which must not be taken for a network error.
		['approvePermissions', 'question "approvePermissions": "Question" (instructions) must not be empty'],
	])('stops the node with a NodeOperationError for a wrong parameter (ID "%s")', async (id, message) => {
		const { outputs } = await decision.run({ questions: { question: [{ id, instructions: '' }] } });
		expect(catchFrom(outputs)).toMatchObject({
			name: NodeOperationError.name,
			message: expect.stringContaining(message),
			description: expect.stringMatching(
				/parameter\.\nTo keep the results of the other items, set 'On Error'.*\n3 of 3 items are not done\.$/,
			),
			context: { itemIndex: 0 },
		});
	});

	test('gives an error that writes large numbers of items like the hints', async () => {
		const many = Array.from({ length: 1001 }, () => ({}));
		const { outputs } = await decision.run({ questions: { question: [{ id: '' }] } }, { items: many });
		expect(catchFrom(outputs)).toMatchObject({
			description: expect.stringContaining('\n1,001 of 1,001 items are not done.'),
		});
	});

	test.each([{ cut: 'before-headers' }, { status: 400, headers: { 'x-service-trace-id': '' } }] as const)(
		'gives an error with the trace ID of the request if the response has none: %j',
		async (fault) => {
			failSecond(fault);
			const { outputs } = await decision.run(oneByOne, { executionId: '99' });
			expect(catchFrom(outputs)).toMatchObject({ context: { trace_id: expect.stringMatching(/^n8n-99-/) } });
		},
	);

	test('sends a trace ID also if the execution has no ID, as under the MCP Server Trigger', async () => {
		await decision.run(oneByOne, { executionId: '' });
		expect(emulator.requests[0]!.headers['x-trace-id']).toMatch(/^n8n-[\da-f]{8}-[\da-f-]{27}$/);
	});
});

test('an item with a wrong option keeps its fields only with Include Other Input Fields', async () => {
	const othersOf = async (includeOtherFields: boolean) => {
		const [, failed] = await decision.items(
			{ questions, options: { concurrency: '={{ $json.many }}', includeOtherFields } },
			{ items: [{ many: 1 }, { many: 'x' }], onError: 'continueRegularOutput' },
		);
		return readErrorItem(failed!.json).others;
	};
	expect([await othersOf(true), await othersOf(false)]).toEqual([{ many: 'x' }, {}]);
});

test.each(['decision', 'voice', 'account'])(
	'%s names an unknown operation in the error, and sends no request',
	async (type) => {
		const { run } = await nodeDriver(type, emulator).run({ operation: 'explode' });
		expect(run.data.resultData.error?.message).toMatch(
			/^"Operation" \(operation\) must be one of .+, not "explode"$/,
		);
		expect(emulator.requests).toEqual([]);
	},
);

test('a failed item under Continue has no files, and no input fields with Simplify off', async () => {
	failSecond({ status: 400, body: 'no' });
	const files = { data: { data: '', mimeType: 'text/plain' } };
	const input = {
		items: items.map((json) => ({ json, binary: files })),
		onError: 'continueRegularOutput',
	} as const;
	const [succeeded, failed] = await decision.items(oneByOne, input);
	expect(succeeded).toHaveProperty('binary');
	expect(failed).not.toHaveProperty('binary');
	const [, raw] = await decision.items({ ...oneByOne, simplify: false }, input);
	expect(readErrorItem(raw!.json).others).toEqual({});
	expect(raw).not.toHaveProperty('binary');
});

test('Concurrency of the first item holds for the run', async () => {
	const options = { concurrency: '={{ $itemIndex === 0 ? 2 : 1 }}' };
	expect(await mostInFlight(emulator, decision, { questions, options }, 2)).toBe(2);
});

test('an item that is nested too deeply for JSON fails before a request is sent', async () => {
	let deep: object = {};
	for (let level = 0; level < 20_000; level++) deep = { deep };
	const [item] = await decision.items(
		{ questions, stateSource: 'json', stateJson: '={{ $json.make() }}' },
		{ items: [{ make: () => deep }], onError: 'continueRegularOutput' },
	);
	expect(readErrorItem(item!.json).error).toMatchObject({
		message: expect.stringMatching(/nested too deeply/),
		attempts: 0,
	});
	expect(emulator.requests).toHaveLength(0);
});

test('items that fail without a request do not delay the stop of the execution', async () => {
	const stop = new AbortController();
	let resolved = 0;
	const count = 20_000;
	// Reading the first item triggers the stop, which takes effect only when the node yields to the event loop.
	const failing = Array.from({ length: count }, () => ({
		fail: () => {
			if (resolved++ === 0) setTimeout(() => stop.abort(), 0);
			return 'é';
		},
	}));
	const { run } = await decision.run(
		{ questions, options: { traceId: '={{ $json.fail() }}' } },
		{ items: failing, signal: stop.signal, onError: 'continueRegularOutput' },
	);
	expect(run.status).toBe('canceled');
	expect(resolved).toBeLessThan(count / 2);
	expect(emulator.requests).toHaveLength(0);
});

test('every item fails if a workflow stores an operation that the node does not have', async () => {
	const parameters = { ...oneByOne, operation: 'classify' };
	const outputs = await decision.outputs(parameters, { onError: 'continueErrorOutput' });
	expect(outputs.map((list) => list.length)).toEqual([0, 3]);
	const [first, second] = await decision.items(parameters, { onError: 'continueRegularOutput' });
	const message =
		'"Operation" (operation) must be one of Answer Questions, Evaluate Answers, Route, not "classify"';
	expect(readErrorItem(first!.json).error).toMatchObject({ message: `${message} [item 0]`, attempts: 0 });
	expect(readErrorItem(second!.json).error).toMatchObject({ message: `${message} [item 1]` });
	expect(emulator.requests).toEqual([]);
});

test('the error for an expression that n8n cannot resolve names the parameter', async () => {
	const options = { timeout: "={{ $('Nope').item.json.x }}" };
	const { message, description } = await decision.error({ questions, options }, { items: [{ a: 1 }] });
	expect(message).toMatch(/^"Timeout .*" \(options\.timeout\) cannot be read: ./);
	expect(description).toContain('Correct the expression.');
});

describe('of expressions within text,', () => {
	const item = { order: { id: 7 }, tags: ['a', 'b'], said: 'It shows [object Object]' };
	const about = (stateText: string) => ({ ...oneByOne, stateSource: 'text', stateText });

	test.each([
		['="Order" {{ $json.order }}', '{{ $json.order }}'],
		['={{ $json.order }} ', '{{ $json.order }}'],
		['={{ $json.said }}, {{ [$json.order] }}', '{{ [$json.order] }}'],
		['=[object Object] {{ $json.order }}', '{{ $json.order }}'],
	])('%s fails the item, because it gives an object', async (text, expression) => {
		const [first] = await decision.items(about(text), { items: [item], onError: 'continueRegularOutput' });
		const { error } = readErrorItem(first!.json);
		expect(error).toMatchObject({
			message: wrongParameter('stateText', `must not join an object to text, as ${expression} does`),
			description: expect.stringContaining('JSON.stringify('),
		});
		expect(emulator.requests).toEqual([]);
	});

	test.each([
		'=See {{ (async () => 7)() }}',
		'={{ $json.said }} {{ new Map() }}',
		'={{ "Orders: " + new Set([2]) }}',
		'={{ "Order: " + $json.order }}',
		'=See {{ `the order ${$json.order}` }}',
		'={{ $json.said }} {{ "Orders: " + [$json.order, 2] }}',
		"={{ 'Order: ' + $('Start').item.json.order }}",
	])('%s fails the item, because it joins an object to text', async (text) => {
		const first = { order: item.order, said: 'Hi' };
		expect(await decision.refusal(about(text), { items: [first] })).toMatch(
			wrongParameter('stateText', 'must not join an object to text, as {{ '),
		);
	});

	test.each([
		'=See {{ $json.said.trim }}',
		'=See {{ () => 7 }}, {{ $json.said }}',
		'={{ $json.order.id }}: {{ Math.max }}',
	])('%s fails the item, because it gives a function', async (text) => {
		const error = await decision.error(about(text), { items: [item] });
		expect(error.message).toContain(wrongParameter('stateText', 'must not join a function to text, as {{ '));
		expect(error.description).toContain('write () after its name');
		expect(emulator.requests).toEqual([]);
	});

	test.each([
		['stateJson', { ...oneByOne, stateSource: 'json', stateJson: "={{ { x: 'Order ' + $json.order } }}" }],
		['stateJson', { ...oneByOne, stateSource: 'json', stateJson: "={{ ['Order ' + $json.order] }}" }],
	])(
		'an expression that joins an object to text within an object is an error: %s',
		async (name, parameters) => {
			const first = { order: item.order };
			expect(await decision.refusal(parameters, { items: [first] })).toMatch(
				wrongParameter(name, 'must not join an object to text'),
			);
		},
	);

	test('an expression that gives an object within a JSON parameter names that parameter', async () => {
		const stored = '={ "order": {{ $json.order }} }';
		const parameters = { ...oneByOne, stateSource: 'json', stateJson: stored };
		expect(await decision.refusal(parameters, { items: [item] })).toMatch(
			wrongParameter('stateJson', 'must not join an object to text'),
		);
	});

	test.each([
		['={{ $json.said }}!', 'It shows [object Object]!'],
		['={{ $json.said + "!" }}', 'It shows [object Object]!'],
		['={{ `${$("Start").item.json.said}!` }}', 'It shows [object Object]!'],
		['={{ "[object Object]" + $json.order.id }}', '[object Object]7'],
		['=[object Object] {{ $json.tags }}', '[object Object] a,b'],
		['=Order {{ JSON.stringify($json.order) }}', 'Order {"id":7}'],
		['=The function () => 1 of class {{ $json.order.id }}', 'The function () => 1 of class 7'],
		['=[object Map] {{ $json.order.id.toString() }}', '[object Map] 7'],
		[
			String.raw`={{ $json.said }} \{{ $json.order }}`,
			String.raw`It shows [object Object] \{{ $json.order }}`,
		],
	])('%s is sent as text', async (text, state) => {
		await decision.items(about(text), { items: [item] });
		expect(emulator.requests).toMatchObject([{ body: { state } }]);
	});
});

test('the error of a 407 over the built-in fetch names the status, although fetch hides it', async () => {
	emulator.fault({ status: 407, times: Infinity });
	const credential = { reuseConnections: true };
	const onlyOnce = { questions, options: { maxRetries: 0 } };
	const error = await decision.error(onlyOnce, { items: [{ n: 0 }], credential });
	expect(error.message).toMatch(/proxy asks for a password \(status 407\)/);
});
