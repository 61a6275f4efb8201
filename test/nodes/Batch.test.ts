import type { Fault } from '../../emulator/Emulator';
import { testWhere } from '../support/host';
import { nodeDriver, wrongParameter } from '../support/nodeDriver';
import { readErrorItem } from '../support/runNode';
import { useEmulator } from '../support/useEmulator';

const emulator = useEmulator();

const batch = nodeDriver('batch', emulator);

const BATCH = {
	id: 'batch_7',
	object: 'batch',
	endpoint: '/v1/chat/completions',
	errors: ['line 3 is not valid'],
	input_file_id: 'file_1',
	completion_window: '24h',
	status: 'in_queue',
	output_file_id: null,
	error_file_id: null,
	created_at: 1767225600,
	in_progress_at: 1767225601,
	expires_at: 1767312000,
	finalizing_at: null,
	completed_at: null,
	failed_at: null,
	expired_at: null,
	cancelling_at: 1767225660,
	cancelled_at: null,
	request_counts: { total: 3, completed: 1 },
	metadata: { created_at: 17, purpose: 'nightly' },
};

test('Cancel sends a request without a body for the batch of each item', async () => {
	const { outputs } = await batch.run(
		{ batchId: '={{ $json.id }}' },
		{ items: [{ id: 'batch_a' }, { id: 'batch_b' }] },
	);
	expect(emulator.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
		'POST /batches/batch_a/cancel',
		'POST /batches/batch_b/cancel',
	]);
	for (const { rawBody, headers } of emulator.requests) {
		expect(rawBody).toHaveLength(0);
		expect(headers).not.toHaveProperty('content-type');
	}
	expect(outputs()[0]!).toMatchObject([
		{ json: { id: 'batch_a', status: 'in_queue' }, pairedItem: { item: 0 } },
		{ json: { id: 'batch_b' }, pairedItem: { item: 1 } },
	]);
});

test('all requests of Cancel share what is learned of a rate limit', async () => {
	emulator.fault({ status: 429, headers: { 'retry-after': '400' }, times: Infinity });
	const items = await batch.items(
		{ batchId: '={{ $json.id }}', options: { concurrency: 1 } },
		{ items: [{ id: 'batch_a' }, { id: 'batch_b' }], onError: 'continueRegularOutput' },
	);
	expect(items.map(({ json }) => json.error)).toMatchObject([{ attempts: 1 }, { attempts: 0 }]);
	expect(emulator.requests).toHaveLength(1);
});

const isSentAgain = async (fault: Fault) => {
	emulator.fault(fault);
	expect(await batch.json({ batchId: 'batch_7' })).toMatchObject({ id: 'batch_7' });
	expect(emulator.requests).toHaveLength(2);
};

test.each([500, 504])('a cancellation that fails with %d is sent again', async (status) => {
	await isSentAgain({ status });
});

testWhere('causeOfFailure')(
	'a cancellation whose connection broke before the response is sent again',
	async () => {
		await isSentAgain({ cut: 'before-headers' });
	},
);

test('Cancel outputs times as ISO 8601 or null, and every other field unchanged', async () => {
	emulator.answer(
		{ ...BATCH, archived_at: 1767225600.5, expired_at: 1e15, note: 'kept' },
		{ times: Infinity },
	);
	expect(await batch.json({ batchId: 'batch_7' })).toEqual({
		...BATCH,
		created_at: '2026-01-01T00:00:00.000Z',
		in_progress_at: '2026-01-01T00:00:01.000Z',
		expires_at: '2026-01-02T00:00:00.000Z',
		cancelling_at: '2026-01-01T00:01:00.000Z',
		archived_at: '2026-01-01T00:00:00.500Z',
		note: 'kept',
	});
});

test('Cancel takes times in milliseconds for what they are, and outputs null for those that are no date in either unit', async () => {
	emulator.answer(
		{
			...BATCH,
			created_at: 1767225600000,
			cancelling_at: '1767225660000',
			failed_at: 1767225600000000,
		},
		{ times: Infinity },
	);
	expect(await batch.json({ batchId: 'batch_7' })).toMatchObject({
		created_at: '2026-01-01T00:00:00.000Z',
		cancelling_at: '2026-01-01T00:01:00.000Z',
		failed_at: null,
	});
});

describe('the hint after Cancel', () => {
	const hintAfter = async (simplify: boolean, ...bodies: object[]) => {
		for (const body of bodies) emulator.answer(body);
		return await batch.hint(
			{ batchId: '=batch_{{ $itemIndex }}', simplify },
			{ items: bodies.map(() => ({})) },
		);
	};
	const notCancelled = { ...BATCH, status: 'completed', cancelling_at: null };

	test.each([true, false])(
		'counts the batches whose response has no time of a cancellation, with Simplify %s',
		async (simplify) => {
			expect(await hintAfter(simplify, notCancelled)).toBe(
				'1 batch has neither cancelling_at nor cancelled_at: it was probably not cancelled.',
			);
			const { cancelling_at: _cancelling, cancelled_at: _cancelled, ...without } = BATCH;
			expect(await hintAfter(simplify, without, BATCH, { ...notCancelled, cancelled_at: 0 })).toBe(
				'2 batches have neither cancelling_at nor cancelled_at: they were probably not cancelled.',
			);
		},
	);

	test('is missing after batches with one of the two times', async () => {
		expect(await hintAfter(true, BATCH, { ...notCancelled, cancelled_at: 1767225660 })).toBe('');
	});

	test.each(['cancelled', 'canceling', 'CANCELLED'])(
		'is missing after a batch of the status %s',
		async (status) => {
			expect(await hintAfter(true, { ...notCancelled, status })).toBe('');
		},
	);

	test.each([-1, '-1', '0001-01-01T00:00:00Z', '1970-01-01T00:00:00Z'])(
		'takes the time %j for none',
		async (cancelled_at) => {
			expect(await hintAfter(true, { ...notCancelled, cancelled_at })).toContain('1 batch has neither');
		},
	);

	test('says if all items have the same fixed Batch ID', async () => {
		const items = [{ id: 'batch_a' }, { id: 'batch_b' }];
		expect(await batch.hint({ batchId: 'batch_7' }, { items })).toBe(
			"All 2 items cancelled the same batch: if each item means another one, use an expression in 'Batch ID'.",
		);
		expect(await batch.hint({ batchId: 'batch_7' }, { items: items.slice(1) })).toBe('');
		expect(await batch.hint({ batchId: '={{ "batch_7" }}' }, { items })).toBe('');
	});
});

test.each([
	['2026-01-01T08:00:00+08:00', '2026-01-01T00:00:00.000Z'],
	['2026-01-01T00:00:00', '2026-01-01T00:00:00.000Z'],
	['2026-01-01 00:00:00.5', '2026-01-01T00:00:00.500Z'],
	['2026-01-01 00:00:00 UTC', '2026-01-01T00:00:00.000Z'],
	['2026-01-01T08:00:00.123456+0800', '2026-01-01T00:00:00.123Z'],
	['2026-01-01t00:00:00z', '2026-01-01T00:00:00.000Z'],
	['Thu, 01 Jan 2026 00:00:00 GMT', '2026-01-01T00:00:00.000Z'],
	['Thu Jan 1 08:00:00 2026 +0800', '2026-01-01T00:00:00.000Z'],
	['1 Jan 2026', null],
	['2026-01-01', '2026-01-01T00:00:00.000Z'],
	['05/06/2026', null],
	['05.06.2026 10:00', null],
	['tomorrow', null],
])(
	'Cancel reads the time %s as UTC if it names no zone, and no text that could be two times',
	async (time, read) => {
		emulator.answer({ ...BATCH, created_at: time });
		expect(await batch.json({ batchId: 'batch_7' })).toMatchObject({ created_at: read });
	},
);

test('Cancel outputs null for each time that the service leaves out, or gives as 0, below 0, empty or blank', async () => {
	emulator.answer(
		{ id: 'batch_7', failed_at: '', expired_at: ' ', completed_at: 0, cancelled_at: '0', finalizing_at: -1 },
		{ times: Infinity },
	);
	const times = Object.keys(BATCH).filter((name) => name.endsWith('_at'));
	expect(await batch.json({ batchId: 'batch_7' })).toEqual({
		id: 'batch_7',
		...Object.fromEntries(times.map((name) => [name, null])),
	});
});

test('Cancel outputs the response body unchanged with Simplify off', async () => {
	emulator.answer(BATCH, { times: Infinity });
	expect(await batch.json({ batchId: 'batch_7', simplify: false })).toEqual(BATCH);
});

describe('the Batch ID', () => {
	test.each([
		'a/../b',
		'..%2f',
		'%2e%2e',
		'...',
		'a?b=c&d#e',
		'%zz',
		'a\\..\\b',
		'ü/語/🎙️',
		"!'()*;:@&=$,[]+",
		'tab\tnew\nline\r\n\u0000',
	])('%j is sent as one segment of the path', async (batchId) => {
		const json = await batch.json({ batchId: '={{ $json.id }}' }, { items: [{ id: batchId }] });
		const segments = emulator.requests[0]!.path.split('/');
		expect(segments).toHaveLength(4);
		expect(segments).toMatchObject(['', 'batches', expect.any(String), 'cancel']);
		expect(segments[2]).toMatch(/^[A-Za-z0-9\-_.!~*'()%]+$/);
		expect(decodeURIComponent(segments[2]!)).toBe(batchId);
		expect(json.id).toBe(batchId);
	});

	test.each([' batch_a', 'batch_a\n', '\u00a0batch_a\t'])(
		'%j is sent without the spaces around it',
		async (batchId) => {
			await batch.json({ batchId: '={{ $json.id }}' }, { items: [{ id: batchId }] });
			expect(emulator.requests[0]!.path).toBe('/batches/batch_a/cancel');
		},
	);

	test('may be a number', async () => {
		expect(await batch.json({ batchId: '={{ 17 }}' })).toMatchObject({ id: '17' });
	});

	test.each(['', '  ', '.', '..', ' ..', '.\n', '\ud800', 'a\udc00b'])(
		'%j is refused before a request is sent',
		async (batchId) => {
			const { outputs } = await batch.run(
				{ batchId: '={{ $json.id }}' },
				{ items: [{ id: 'good' }, { id: batchId }, { id: 'fine' }], onError: 'continueRegularOutput' },
			);
			const items = outputs()[0]!;
			expect(items).toMatchObject([{ json: { id: 'good' } }, {}, { json: { id: 'fine' } }]);
			const { error } = readErrorItem(items[1]!.json);
			expect(error).toMatchObject({
				message: expect.stringContaining(wrongParameter('batchId', 'must')),
				attempts: 0,
				item_index: 1,
			});
			expect(emulator.requests).toHaveLength(2);
		},
	);
});

test.each([
	[{ code: 40401, message: 'The batch has ended', status: false, data: null }, /^The batch has ended$/],
	[{ error: { message: 'No such batch' } }, /^No such batch$/],
	[{ code: 40401, message: 'No such batch', request: 'r1' }, /^No such batch$/],
	[{}, /has no id$/],
	[['batch'], /not a JSON object/],
])(
	'Cancel fails if the response is %j instead of a batch, with Simplify on or off',
	async (body, message) => {
		emulator.answer(body, { times: Infinity });
		for (const simplify of [true, false]) {
			const error = await batch.error({ batchId: 'batch_7', simplify });
			expect(error).toMatchObject({ message: expect.stringMatching(message), http_status: 200, attempts: 1 });
		}
	},
);
