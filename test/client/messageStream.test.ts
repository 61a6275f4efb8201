import fc from 'fast-check';
import type { INodeParameters, StructuredChunk } from 'n8n-workflow';

import type { Accumulator } from '../../client/generation/decodeGenerated';
import { CompletionAccumulator } from '../../client/generation/CompletionAccumulator';
import { MessageAccumulator } from '../../client/generation/MessageAccumulator';
import { readEvents, type ServerSentEvent } from '../../client/response/readEvents';
import type { Fault, FaultPiece } from '../../emulator/Emulator';
import { nodeDriver, type NodeInput } from '../support/nodeDriver';
import { useEmulator } from '../support/useEmulator';

const emulator = useEmulator();

const message = nodeDriver('message', emulator);

const MODEL = 'acme/quick-1';

const create: INodeParameters = {
	model: MODEL,
	messages: { message: [{ role: 'user', content: 'Hello' }] },
	options: { stream: true },
};

const chat: INodeParameters = { ...create, operation: 'chat', options: {} };

async function errorOf(fault: Fault, parameters: INodeParameters = create) {
	emulator.fault(fault);
	return await message.error(parameters);
}

const START = {
	type: 'message_start',
	message: {
		id: 'msg_1',
		type: 'message',
		role: 'assistant',
		model: MODEL,
		content: [],
		stop_reason: null,
		stop_sequence: null,
		usage: { input_tokens: 5, output_tokens: 0 },
	},
};

const textDelta = (text: string, index = 0) => ({
	type: 'content_block_delta',
	index,
	delta: { type: 'text_delta', text },
});

const blockStart = (index: number, content_block: object) => ({
	type: 'content_block_start',
	index,
	content_block,
});

const FIND = { type: 'tool_use', id: 't1', name: 'find', input: {} };

const inputDelta = (partial_json: string, index: number) => ({
	type: 'content_block_delta',
	index,
	delta: { type: 'input_json_delta', partial_json },
});

const END = {
	type: 'message_delta',
	delta: { stop_reason: 'end_turn', stop_sequence: null },
	usage: { output_tokens: 9 },
};

/** Formats an event. If its data has a type, that is also the event's name. */
function event(data: object): string {
	return `${'type' in data ? `event: ${String(data.type)}\n` : ''}data: ${JSON.stringify(data)}\n\n`;
}

const DONE = 'data: [DONE]\n\n';

const streamOf = (...parts: Array<object | string>) =>
	parts.map((part) => (typeof part === 'string' ? part : event(part))).join('');

const faultOf = (...parts: Array<object | string>): Fault => ({
	stream: [{ bytes: streamOf(...parts) }],
	times: Infinity,
});

const chunk = (delta: object, further: object = {}) => ({
	id: 'c1',
	model: MODEL,
	choices: [{ index: 0, delta }],
	...further,
});

const BYTE_ORDER_MARK = '\ufeff';

/** This stream, like the next one, has all kinds of content, and characters of one to four bytes. */
const FULL_MESSAGE = streamOf(
	`${BYTE_ORDER_MARK}: hello\n\n`,
	'retry: 10\nid: 7\n',
	'data: {"ping":1}\n\n',
	START,
	'event: ping\ndata: not JSON\n\n',
	'event: ping\ndata: {"message":"alive"}\n\n',
	blockStart(0, { type: 'text', text: '' }),
	textDelta('Größe 1 €, '),
	': keep-alive\n\n',
	'data:{"type":"content_block_delta","index":0,\ndata:"delta":{"type":"text_delta","text":"𝄞 and 👩‍🚀"}}\n\n',
	{ type: 'content_block_stop', index: 0 },
	{ type: 'new_event', anything: [1] },
	blockStart(1, FIND),
	inputDelta('{"wher', 1),
	inputDelta('e":"Zürich 🏔"}', 1),
	{ type: 'content_block_delta', index: 1, delta: { type: 'new_delta', more: 1 } },
	END,
	{ type: 'message_stop' },
	'unknown field\n\n',
	DONE,
);

const FULL_CHAT = streamOf(
	BYTE_ORDER_MARK,
	{ id: 'c1', model: MODEL, object: 'chat.completion.chunk', choices: [] },
	'event: ping\ndata: {}\n\n',
	chunk({ role: 'assistant', content: null, reasoning_content: 'Hmm, ' }),
	chunk({ reasoning_content: 'ä€𝄞.' }),
	': keep-alive\n\n',
	'event: ping\ndata: {"id":"another","model":"another"}\n\n',
	'event: ping\ndata: {"message":"alive"}\n\n',
	{ model: 'another' },
	chunk({ content: 'Größe ' }),
	chunk({ content: '1 € 👩‍🚀' }),
	{ id: 'c1', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
	{ id: 'c1', choices: [], usage: { prompt_tokens: 3, completion_tokens: 4 } },
	DONE,
);

const FULL_MESSAGE_JSON = {
	text: 'Größe 1 €, 𝄞 and 👩‍🚀',
	tool_calls: [{ id: 't1', name: 'find', input: { where: 'Zürich 🏔' } }],
	stop_reason: 'end_turn',
	stop_sequence: null,
	model: MODEL,
	id: 'msg_1',
	input_tokens: 5,
	output_tokens: 9,
};

const FULL_CHAT_JSON = {
	text: 'Größe 1 € 👩‍🚀',
	reasoning: 'Hmm, ä€𝄞.',
	finish_reason: 'stop',
	model: MODEL,
	id: 'c1',
	input_tokens: 3,
	output_tokens: 4,
};

const cases = [
	{ name: 'a message', parameters: create, body: FULL_MESSAGE, json: FULL_MESSAGE_JSON },
	{ name: 'a chat', parameters: chat, body: FULL_CHAT, json: FULL_CHAT_JSON },
];

describe.each(cases)('the stream of $name', ({ parameters, body, json }) => {
	const bytesWith = (lineEnd: string) => Buffer.from(body.replaceAll('\n', lineEnd));

	test.each([
		['LF', '\n'],
		['CR', '\r'],
		['CRLF', '\r\n'],
	])('gives the same item if each byte comes alone and lines end in %s', async (_, lineEnd) => {
		emulator.fault({ stream: [{ bytes: bytesWith(lineEnd) }], split: 'every-byte' });
		expect(await message.json(parameters)).toEqual(json);
	});

	test('gives the same item wherever it is split and whatever ends its lines', async () => {
		const splits = fc.record({
			lineEnd: fc.constantFrom('\n', '\r', '\r\n'),
			split: fc.array(fc.nat(bytesWith('\r\n').length), { maxLength: 25 }),
		});
		await fc.assert(
			fc.asyncProperty(splits, async ({ lineEnd, split }) => {
				emulator.fault({ stream: [{ bytes: bytesWith(lineEnd) }], split });
				expect(await message.json(parameters)).toEqual(json);
			}),
			{ numRuns: 40 },
		);
	});
});

test('a streamed text is returned unchanged, however it is split into pieces', async () => {
	const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 30 });
	await fc.assert(
		fc.asyncProperty(
			fc.array(text, { minLength: 1 }),
			fc.integer({ min: 1, max: 9 }),
			async (texts, size) => {
				const bytes = Buffer.from(streamOf(...texts.map((content) => chunk({ content })), DONE));
				const events = await collect(piecesOf(bytes, size));
				const contents = events.map(
					({ data }) => (JSON.parse(data) as ReturnType<typeof chunk>).choices[0]!.delta,
				);
				expect(contents).toEqual(texts.map((content) => ({ content })));
			},
		),
		{ numRuns: 40 },
	);
});

describe('the reader of streams', () => {
	test('reads an event as soon as its last byte is there, whatever its line ends are', async () => {
		for (const end of ['\n\n', '\r\r', '\r\n\r\n', '\r\n\r']) {
			let fed = 0;
			const body = (async function* () {
				for (const piece of [`data: 1${end}`, 'data: 2\n\n', DONE]) {
					fed++;
					yield Buffer.from(piece);
				}
			})();
			const { value } = await readEvents(body, NO_END).next();
			expect([value, fed]).toEqual([{ name: undefined, data: '1' }, 1]);
		}
	});

	test('reads one event in several lines, but an object in each line as an event of its own', async () => {
		const dataOf = async (...lines: string[]) => {
			const text = `${lines.map((line) => `data: ${line}\n`).join('')}\n${DONE}`;
			return (await collect(piecesOf(Buffer.from(text), 7))).map(({ data }) => data);
		};
		expect(await dataOf('1', 'two')).toEqual(['1\ntwo']);
		expect(await dataOf('{"a":', '1}')).toEqual(['{"a":\n1}']);
		expect(await dataOf('{}', ' {"a":1}')).toEqual(['{}', ' {"a":1}']);
		expect(await dataOf('{}', 'null', '{"a":1}')).toEqual(['{}', 'null', '{"a":1}']);
		expect(await dataOf('one', 'two', '[DONE]')).toEqual(['one\ntwo']);
	});

	test('reads a final [DONE] with no blank line after it', async () => {
		for (const mark of ['data: [DONE]', 'data:[DONE]\n', 'data: [DONE] \r']) {
			emulator.fault(faultOf(START, textDelta('Hi'), END, mark));
			expect(await message.json(create)).toMatchObject({ text: 'Hi', stop_reason: 'end_turn' });
			emulator.reset();
		}
	});

	test('reads nothing after the end mark, and then closes the connection', async () => {
		emulator.fault({
			stream: [{ bytes: streamOf(START, textDelta('Hi'), DONE, textDelta('!')) }],
			end: 'stall',
		});
		expect(await message.json(create)).toMatchObject({ text: 'Hi' });
		await emulator.waitFor(() => emulator.requests[0]!.closedByClient);
	});

	test('reads chunks of a chat whose events have the name "message"', async () => {
		const named = (data: object) => `event: message\ndata: ${JSON.stringify(data)}\n\n`;
		emulator.fault(faultOf(named(chunk({ content: 'Hi ' })), named(chunk({ content: 'there' })), DONE));
		expect(await message.json(chat)).toMatchObject({ text: 'Hi there' });
	});

	test('reads events that have a name but no field type', async () => {
		const named = ({ type, ...data }: { type: string }) =>
			`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
		emulator.fault(faultOf(...[START, textDelta('Hi'), END].map(named), DONE));
		expect(await message.json(create)).toMatchObject({ id: 'msg_1', text: 'Hi', stop_reason: 'end_turn' });
	});

	test('reads a whole message in one event, with a type or not', async () => {
		const content = [{ type: 'text', text: 'All at once' }];
		const whole = { ...START.message, content, stop_reason: 'end_turn' };
		const { type: _type, ...untyped } = whole;
		for (const data of [whole, untyped]) {
			emulator.fault({ ...faultOf(`data: ${JSON.stringify(data)}\n\n`, DONE), times: 1 });
			expect(await message.json({ ...create, simplify: false })).toEqual(data);
		}
	});

	test('reads only the first of several choices', async () => {
		const choice = (index: number, content: string) => ({ choices: [{ index, delta: { content } }] });
		emulator.fault(faultOf(choice(1, 'B'), choice(0, 'A'), choice(1, 'b'), choice(0, 'a'), DONE));
		const json = await message.json({ ...chat, simplify: false });
		expect(json.choices).toMatchObject([{ message: { content: 'Aa' } }]);
	});

	test('reads a stream, even if none was requested', async () => {
		emulator.fault(faultOf(START, textDelta('Hi'), END, DONE));
		expect(await message.json({ ...create, options: {} })).toMatchObject({ text: 'Hi', output_tokens: 9 });
	});

	test('reads an answer in JSON, even if a stream was requested', async () => {
		const whole = { ...START.message, content: [{ type: 'text', text: 'Whole' }], stop_reason: 'end_turn' };
		emulator.answer(whole, { split: [1, 40] });
		expect(await message.json(create)).toMatchObject({ text: 'Whole' });
		emulator.answer({ choices: [{ message: { content: 'Whole' }, finish_reason: 'stop' }] });
		expect(await message.json(chat)).toMatchObject({ text: 'Whole', finish_reason: 'stop' });
	});
});

describe('in replies with undocumented fields,', () => {
	test('thinking, signature and citations of a message are returned', async () => {
		const blockDelta = (index: number, delta: object) => ({ type: 'content_block_delta', index, delta });
		emulator.fault(
			faultOf(
				START,
				blockStart(0, { type: 'thinking', thinking: '', signature: '' }),
				blockDelta(0, { type: 'thinking_delta', thinking: 'Hm, ' }),
				blockDelta(0, { type: 'thinking_delta', thinking: 'so' }),
				blockDelta(0, { type: 'signature_delta', signature: 'c2ln' }),
				blockStart(1, { type: 'text', text: '', citations: [] }),
				textDelta('Yes', 1),
				blockDelta(1, { type: 'citations_delta', citation: { title: 'A' } }),
				blockDelta(1, { type: 'citations_delta', citation: { title: 'B' } }),
				blockStart(2, { type: 'redacted_thinking', data: 'x' }),
				blockDelta(2, { type: 'new_delta', text: 'y', ['__proto__']: 'own', score: 7 }),
				END,
				DONE,
			),
		);
		const json = await message.json({ ...create, simplify: false });
		expect(json.content).toEqual([
			{ type: 'thinking', thinking: 'Hm, so', signature: 'c2ln' },
			{ type: 'text', text: 'Yes', citations: [{ title: 'A' }, { title: 'B' }] },
			{ type: 'redacted_thinking', data: 'x', text: 'y', ['__proto__']: 'own', score: 7 },
		]);
		expect(JSON.stringify(json.content)).toContain('"__proto__":"own"');
	});

	test('unknown fields of a message that come with its last events are returned', async () => {
		emulator.fault(
			faultOf(
				START,
				textDelta('Hi'),
				{
					...END,
					id: 'event_9',
					index: 0,
					context_management: { applied_edits: [] },
					delta: { stop_reason: 'end_turn', container: { id: 'c' } },
				},
				DONE,
			),
		);
		const json = await message.json({ ...create, simplify: false });
		expect(json).not.toHaveProperty('index');
		expect(json).toMatchObject({
			id: START.message.id,
			content: [{ type: 'text', text: 'Hi' }],
			stop_reason: 'end_turn',
			container: { id: 'c' },
			context_management: { applied_edits: [] },
		});
	});

	test('a null in a later chunk of a chat does not remove an earlier value, and a field that is always null is left out', async () => {
		const piece = { choices: [{ index: 0, delta: { content: 'a' } }] };
		emulator.fault(faultOf({ ...piece, id: 'c1', tier: null }, { ...piece, id: null, tier: null }, DONE));
		const json = await message.json({ ...chat, simplify: false });
		expect(json).toMatchObject({ id: 'c1' });
		expect(json).not.toHaveProperty('tier');
	});

	test("unknown fields of a chat's choice are returned, with their lists joined", async () => {
		const piece = (content: string, more: object) => ({
			choices: [{ index: 0, delta: { content }, ...more }],
		});
		emulator.fault(
			faultOf(
				piece('a', { logprobs: { content: [{ token: 'a' }], refusal: null } }),
				piece('b', { logprobs: { content: [{ token: 'b' }], refusal: null }, matched_stop: null }),
				piece('', { finish_reason: 'stop', logprobs: null, matched_stop: 7 }),
				DONE,
			),
		);
		const json = await message.json({ ...chat, simplify: false });
		expect(json.choices).toEqual([
			{
				index: 0,
				message: { role: 'assistant', content: 'ab' },
				logprobs: { content: [{ token: 'a' }, { token: 'b' }], refusal: null },
				matched_stop: 7,
				finish_reason: 'stop',
			},
		]);
	});

	test('the tool calls of a chat are returned in the order of their index', async () => {
		const calls = (...tool_calls: object[]) => chunk({ tool_calls });
		emulator.fault(
			faultOf(
				chunk({ role: 'assistant', content: null }),
				calls({ index: 1, id: 'b', type: 'function', function: { name: 'second', arguments: '' } }),
				calls({ index: 0, id: 'a', type: 'function', function: { name: 'first', arguments: '{"x"' } }),
				calls({ index: 0, function: { arguments: ':1}' } }, { index: 1, function: { arguments: '{}' } }),
				calls({ index: 2, id: 'c', type: 'function', function: { name: 'third', arguments: { x: 2 } } }),
				chunk({ refusal: 'No, ', notes: [1], more: { text: 'a' } }),
				chunk({ refusal: 'thanks', notes: [2], more: { text: 'b' } }),
				{ choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
				DONE,
			),
		);
		const json = await message.json({ ...chat, simplify: false });
		expect(json.choices).toEqual([
			{
				index: 0,
				finish_reason: 'tool_calls',
				message: {
					role: 'assistant',
					content: null,
					refusal: 'No, thanks',
					notes: [1, 2],
					more: { text: 'ab' },
					tool_calls: [
						{ id: 'a', type: 'function', function: { name: 'first', arguments: '{"x":1}' } },
						{ id: 'b', type: 'function', function: { name: 'second', arguments: '{}' } },
						{ id: 'c', type: 'function', function: { name: 'third', arguments: { x: 2 } } },
					],
				},
			},
		]);
	});

	const part = (text: string) => ({ type: 'text', text });

	test.each<[string, Fault]>([
		['in a stream', faultOf(chunk({ content: [part('Par')] }), chunk({ content: [part('ts')] }), DONE)],
		['as a whole', { status: 200, body: { choices: [{ message: { content: [part('Par'), part('ts')] } }] } }],
	])('the text of a chat whose content comes in parts is returned, %s', async (_, fault) => {
		emulator.fault(fault);
		expect(await message.json(chat)).toMatchObject({ text: 'Parts' });
	});
});

describe('a stream without the end mark', () => {
	const finish = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
	const stop = { type: 'message_stop' };

	test.each<[name: string, parameters: INodeParameters, fault: Fault]>([
		['after message_stop', create, faultOf(START, textDelta('Hi'), END, stop)],
		[
			'after message_stop without a blank line',
			create,
			faultOf(START, textDelta('Hi'), END, event(stop).trim()),
		],
		['after a finish_reason', chat, faultOf(chunk({ content: 'Hi' }), finish)],
		[
			'after a whole message in one event',
			create,
			faultOf({ ...START.message, content: [{ type: 'text', text: 'Hi' }], stop_reason: 'end_turn' }),
		],
		[
			'after a whole completion in one event',
			chat,
			faultOf({ choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }] }),
		],
		[
			'after a finish_reason and the tokens',
			chat,
			faultOf(chunk({ content: 'Hi' }), finish, { choices: [], usage: {} }),
		],
		['in a reset after message_stop', create, { ...faultOf(START, textDelta('Hi'), END, stop), end: 'cut' }],
	])('is complete if it ends %s', async (_, parameters, fault) => {
		emulator.fault(fault);
		expect(await message.json(parameters)).toMatchObject({ text: 'Hi' });
	});
});

test.each([
	['a broken stream', create, faultOf(START)],
	['a message', create, { status: 200, body: { ...START.message, content: 'x' } }],
	['a chat', chat, { status: 200, body: { choices: [], usage: { prompt_tokens: 5 } } }],
])(
	'the tokens of %s that cannot be used count for Token Budget',
	async (_, { options, ...parameters }, fault) => {
		emulator.fault(fault);
		const all = { ...parameters, options: { ...(options as object), tokenBudget: 5, concurrency: 1 } };
		await message.items(all, { items: [{}, {}], onError: 'continueRegularOutput' });
		expect(emulator.requests).toHaveLength(1);
	},
);

test('an answer without token usage is counted as such for Token Budget', async () => {
	emulator.answer({ ...START.message, usage: undefined });
	const hint = await message.hint({ ...create, options: { tokenBudget: 5 } });
	expect(hint).toContain('did not report token usage');
});

test.each([
	['message', create],
	['chat', chat],
])('a %s that is refused with status 200 is no answer without token usage', async (_, parameters) => {
	emulator.answer({ code: 50501, message: 'Not today', data: null });
	const limited = { ...parameters, options: { ...(parameters.options as object), tokenBudget: 5 } };
	expect(await message.hint(limited, { onError: 'continueRegularOutput' })).toBe(
		'1 of 1 item failed: Not today',
	);
});

test('a stream is not cut off after the end mark, which the service would take for a client that gave up', async () => {
	emulator.fault({
		stream: [{ bytes: streamOf(START, textDelta('Hi'), END, DONE) }, { bytes: '\n', delayMs: 30 }],
	});
	await message.items(create);
	await emulator.waitFor(() => emulator.inFlight === 0);
	// The end has been sent, but the client may not have read it yet.
	await new Promise((resolve) => setTimeout(resolve, 300));
	expect(emulator.requests).toMatchObject([{ closedByClient: false }]);
});

test.each([
	[{ type: 'error', error: { type: 'authentication_error', message: 'No' } }],
	[{ code: 99, message: 'Strange', data: null }],
])('an error that the service reports within a stream says what to do: %j', async (body) => {
	const error = await errorOf(faultOf(START, body));
	expect(error.description).toMatch(/Correct what the message names/);
	expect(error.description).not.toMatch(/proxies/);
});

describe('a stream that breaks off', () => {
	const begun = [START, textDelta('Once upon '), textDelta('a time')];
	const soFar = /Text received so far: Once upon a time$/;

	test.each<[name: string, fault: Fault, message: RegExp]>([
		['no end mark', faultOf(...begun, END), /the end mark message_stop is missing/],
		[
			'a cut-off event',
			faultOf(...begun, 'data: {"type":"content_blo'),
			/the end mark message_stop is missing/,
		],
		['an event that is no JSON', faultOf(...begun, 'data: {"type"\n\n', DONE), /not valid JSON: \{"type"/],
		[
			'a named event that is no JSON',
			faultOf(...begun, 'event: content_block_delta\ndata: {"ty\n\n', DONE),
			/not valid JSON/,
		],
		['a reset connection', { ...faultOf(...begun), end: 'cut' }, /connection broke/],
		['an error event', faultOf(...begun, 'event: error\ndata: Overloaded now\n\n', DONE), /^Overloaded now$/],
		['an error event in JSON', faultOf(...begun, { type: 'error', error: { message: 'Busy' } }), /^Busy$/],
		['an error without a name', faultOf(...begun, { error: { message: 'Busy', code: 7 } }), /^Busy$/],
		['an error as documented', faultOf(...begun, { code: 50505, message: 'Busy', data: '' }), /^Busy$/],
		['an error with another field', faultOf(...begun, { code: 5, message: 'Busy', id: 'r' }, DONE), /^Busy$/],
		[
			'one in an unknown event',
			faultOf(...begun, 'event: x\ndata: {"message":"Busy","code":5}\n\n'),
			/^Busy$/,
		],
	])('fails with the text so far: %s', async (_, fault, message) => {
		const error = await errorOf(fault);
		expect(error).toMatchObject({ http_status: 200, attempts: 1, item_index: 0 });
		expect(error.message).toMatch(message);
		expect(error.description).toMatch(soFar);
	});

	const cutCall = [START, blockStart(0, FIND), inputDelta('{"a', 0)];
	const html = { headers: { 'content-type': 'text/html' }, body: '<html>Hi</html>' };
	const limited = { message: 'TPM limit reached', data: '' };
	const outOfTokens = { type: 'message_delta', delta: { stop_reason: 'max_tokens' } };

	test.each<[name: string, fault: Fault, message: RegExp, description: RegExp]>([
		['a rate limit', faultOf(...begun, limited, DONE), /^TPM limit reached$/, /tokens per minute/],
		['a broken tool input', faultOf(...cutCall, DONE), /contains an incomplete call to "find"$/, /Try again/],
		[
			'a tool input that is no object',
			faultOf(START, blockStart(0, FIND), inputDelta('[1]', 0), DONE),
			/contains an incomplete call to "find"$/,
			/Try again/,
		],
		['too few tokens', faultOf(...cutCall, outOfTokens, DONE), /incomplete call/, /raise 'Max Tokens'/],
		['nothing', { stream: [] }, /the end mark message_stop is missing/, /Try again/],
		['an end mark alone', faultOf(DONE), /it is empty/, /Try again/],
		['an HTML page', { status: 200, ...html }, /not valid JSON: .*\(an HTML page/, /Try again/],
	])('fails with the reason, and says what to do: %s', async (_, fault, message, description) => {
		const error = await errorOf(fault);
		expect(error).toMatchObject({ http_status: 200, attempts: 1, item_index: 0 });
		expect(error.message).toMatch(message);
		expect(error.description).toMatch(description);
	});

	test('fails with the text so far after Timeout if it stalls', async () => {
		const error = await errorOf(
			{ ...faultOf(...begun), end: 'stall' },
			{ ...create, options: { stream: true, timeout: 1000 } },
		);
		expect(error.message).toMatch(/stalled for 1000 ms/);
		expect(error.description).toMatch(soFar);
		await emulator.waitFor(() => emulator.requests[0]!.closedByClient);
		expect(emulator.requests).toHaveLength(1);
	});

	test('fails with the text so far for a chat, too', async () => {
		const error = await errorOf(
			faultOf(chunk({ content: 'Once upon ' }), chunk({ content: 'a time' })),
			chat,
		);
		expect(error.description).toMatch(soFar);
	});

	test('has the API key masked in the text so far', async () => {
		const error = await errorOf(
			faultOf(START, textDelta(`Bearer ${emulator.apiKey}`), 'event: error\ndata: x\n\n'),
		);
		expect(error.description).toContain('Bearer *****');
	});
});

test('Timeout begins again with each piece of a stream', async () => {
	const letters = 'abcdefghijklmnop';
	const pieces = [START, ...[...letters].map((letter) => textDelta(letter)), END, DONE];
	emulator.fault({ stream: pieces.map((part) => ({ bytes: streamOf(part), delayMs: 50 })) });
	const parameters = { ...create, options: { stream: true, timeout: 600 } };
	expect(await message.json(parameters)).toMatchObject({ text: letters });
});

describe('the reply under a trigger that streams', () => {
	const byDefault: INodeParameters = { ...create, options: {} };

	const live = async (parameters = byDefault, input: NodeInput = {}) => {
		const chunks: StructuredChunk[] = [];
		const sentBytes: number[] = [];
		const { outputs, run } = await message.run(parameters, {
			onChunk: (next) => {
				chunks.push(next);
				sentBytes.push(emulator.requests[0]?.sentBytes ?? 0);
			},
			...input,
		});
		const spoken = chunks.map(({ type, content, metadata }) => [type, metadata.itemIndex, content]);
		return { outputs, run, spoken, sentBytes };
	};

	const words = ['You ', 'wrote ', '“Hello ', '1”.'];
	const begin = (item: number) => ['begin', item, undefined];
	const end = (item: number) => ['end', item, undefined];
	const say = (item: number, text: string) => ['item', item, text];

	test.each([
		['create', { ...create, options: {} }, [START, ...words.map((word) => textDelta(word)), END, DONE]],
		[
			'create with stream off',
			{ ...create, options: { stream: false } },
			[START, ...words.map((word) => textDelta(word)), END, DONE],
		],
		['chat', chat, [...words.map((content) => chunk({ content })), DONE]],
	])('is sent to the chat as it arrives, and returned as a whole item (%s)', async (_, parameters, parts) => {
		const pieces: FaultPiece[] = parts.map((part) => ({ bytes: streamOf(part), delayMs: 50 }));
		emulator.fault({ stream: pieces });
		const { outputs, spoken, sentBytes } = await live(parameters);
		expect(spoken).toEqual([begin(0), ...words.map((word) => say(0, word)), end(0)]);
		expect(outputs()[0]![0]!.json.text).toBe(words.join(''));
		expect(emulator.requests[0]!.body).toMatchObject({ stream: true });
		// The node passed the first word on before the service sent the second.
		const [, first, second] = sentBytes;
		expect(first).toBeLessThan(second!);
		expect(second).toBeLessThan(sentBytes.at(-1)!);
	});

	const whole = { ...START.message, content: [{ type: 'text', text: 'Hello' }], stop_reason: 'end_turn' };
	const wholeChat = { choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }] };

	test.each<[name: string, parameters: INodeParameters, fault: Fault]>([
		['message', byDefault, faultOf(START, textDelta('Hel'), whole, DONE)],
		['chat', chat, faultOf(chunk({ content: 'Hel' }), wholeChat, DONE)],
	])('a whole %s after its pieces adds only the text that the pieces lack', async (_, parameters, fault) => {
		emulator.fault(fault);
		const { outputs, spoken } = await live(parameters);
		expect(spoken).toEqual([begin(0), say(0, 'Hel'), say(0, 'lo'), end(0)]);
		expect(outputs()[0]![0]!.json.text).toBe('Hello');
	});

	test('is sent to the chat as the service sent it, even if it contains the API key', async () => {
		emulator.fault(faultOf(START, textDelta(`Key ${emulator.apiKey}`), END, DONE));
		const { spoken } = await live();
		expect(spoken).toEqual([begin(0), say(0, `Key ${emulator.apiKey}`), end(0)]);
	});

	test('is sent to the chat in the order of the items, whichever is faster', async () => {
		emulator.fault({ bodyIncludes: 'Hello 1', delayMs: 60 });
		const { outputs, spoken } = await live(
			{ ...create, options: { concurrency: 3 } },
			{ items: [{ n: 1 }, { n: 2 }, { n: 3 }] },
		);
		const order = spoken.map(([type, item]) => `${type as string} ${item as number}`);
		expect(order.filter((entry, index) => entry !== order[index - 1])).toEqual(
			[0, 1, 2].flatMap((item) => [`begin ${item}`, `item ${item}`, `end ${item}`]),
		);
		const items = outputs()[0]!;
		expect(items).toHaveLength(3);
		items.forEach(({ json }, item) => {
			const heard = spoken
				.filter(([type, index]) => type === 'item' && index === item)
				.map(([, , text]) => text);
			expect(heard.join('')).toBe(json.text);
		});
	});

	test('is sent to the chat immediately if the service answers in JSON', async () => {
		emulator.answer({
			...START.message,
			content: [{ type: 'text', text: 'Whole text' }],
			stop_reason: 'end_turn',
		});
		expect((await live()).spoken).toEqual([begin(0), say(0, 'Whole text'), end(0)]);
	});

	test('ends with one error if the stream breaks off, and the run continues', async () => {
		emulator.fault({ ...faultOf(START, textDelta('Once upon')), times: 1 });
		const { outputs, spoken } = await live(byDefault, {
			items: [{ n: 1 }, { n: 2 }],
			onError: 'continueErrorOutput',
		});
		expect(spoken.slice(0, 4)).toEqual([
			begin(0),
			say(0, 'Once upon'),
			['error', 0, expect.stringContaining('the end mark message_stop is missing')],
			begin(1),
		]);
		expect(spoken.at(-1)).toEqual(end(1));
		expect(outputs().map((items) => items.length)).toEqual([1, 1]);
	});

	test('ends with only the error of n8n itself if the broken stream stops the node', async () => {
		emulator.fault(faultOf(START, textDelta('Once upon')));
		const { outputs, spoken } = await live(byDefault, { items: [{ n: 1 }, { n: 2 }] });
		expect(outputs).toThrow(/the end mark message_stop is missing/);
		expect(spoken).toEqual([
			begin(0),
			say(0, 'Once upon'),
			['error', 0, expect.stringMatching(/^The service's stream ended .*\n.*Once upon$/s)],
		]);
		expect(emulator.requests).toHaveLength(1);
	});

	test('is not begun for an item with a wrong parameter', async () => {
		const input = { onError: 'continueRegularOutput' } as const;
		for (const wrong of [{ maxTokens: 0 }, { options: { enableStreaming: 'no' } }]) {
			const { spoken, outputs } = await live({ ...byDefault, ...wrong }, input);
			expect(spoken).toEqual([]);
			expect(outputs()[0]![0]!.json.error).toMatchObject({ attempts: 0 });
		}
	});

	test('is not streamed with Stream to Chat off, and items run in parallel', async () => {
		emulator.latencyMs = 300;
		const { spoken } = await live(
			{ ...create, options: { enableStreaming: false } },
			{ items: [{ n: 1 }, { n: 2 }] },
		);
		expect(spoken).toEqual([]);
		expect(emulator.requests[0]!.body).not.toHaveProperty('stream');
		expect(emulator.maxInFlight).toBe(2);
	});
});

test.each([
	['no beginning', 'begin', [END, DONE]],
	['no text', 'item', [END, DONE]],
	['no end', 'end', [END, DONE]],
	['no error', 'error', []],
])('stopping the execution does not wait for a chat that accepts %s', async (_, stuck, rest) => {
	const stop = new AbortController();
	emulator.fault({ ...faultOf(START, textDelta('Once'), ...rest), times: 1 });
	const { run } = await message.run(create, {
		signal: stop.signal,
		onError: 'continueRegularOutput',
		onChunk: async ({ type }) => {
			// n8n itself sends an error too, when the execution has been stopped.
			if (type !== stuck || stop.signal.aborted) return;
			stop.abort();
			await new Promise(() => {});
		},
	});
	expect(run.status).toBe('canceled');
});

test('stopping the execution closes the connection', async () => {
	const stop = new AbortController();
	emulator.fault({ ...faultOf(START, textDelta('Once')), end: 'stall' });
	const { run } = await message.run(create, {
		signal: stop.signal,
		onChunk: ({ type }) => {
			if (type === 'item') stop.abort();
		},
	});
	expect(run.status).toBe('canceled');
	await emulator.waitFor(() => emulator.requests[0]!.closedByClient);
});

const NO_END = { isEnded: false, endMark: '[DONE]' };

async function* piecesOf(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
	for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function collect(body: AsyncIterable<Uint8Array>): Promise<ServerSentEvent[]> {
	const events: ServerSentEvent[] = [];
	for await (const next of readEvents(body, NO_END)) events.push(next);
	return events;
}

/** Reads these events. The last field of the result is the text that was passed on. */
function read(accumulator: Accumulator<object>, events: unknown[]): object {
	const shown = events.map((event) => accumulator.push(event as Record<string, unknown>));
	return { ...accumulator.finish(), shown: shown.join('') };
}

describe('an undocumented event', () => {
	test.each<[unknown[], RegExp]>([
		[[{ type: 'message', content: ['Hi'] }], /no list of content blocks/],
		[[inputDelta('{}', 0)], /adds to a tool call that has not begun/],
	])('fails the item: %j', (events, message) => {
		expect(() => read(new MessageAccumulator(), events)).toThrow(message);
	});

	test('with a field called __proto__ changes no other object', () => {
		const event = JSON.parse('{"choices":[{"index":0,"__proto__":{"spoilt":true}}]}') as unknown;
		read(new CompletionAccumulator(), [event]);
		expect({}).not.toHaveProperty('spoilt');
	});
});

describe('tool calls of a chat that come in pieces', () => {
	type Piece = Record<string, unknown>;

	const callsOf = (...pieces: Piece[][]) => {
		const events = pieces.map((tool_calls) => ({ choices: [{ index: 0, delta: { tool_calls } }] }));
		const { choices } = read(new CompletionAccumulator(), events) as {
			choices: Array<{ message: { tool_calls: Array<{ id?: string; function?: object }> } }>;
		};
		return choices[0]!.message.tool_calls;
	};

	const names = fc.string({ unit: fc.constantFrom(...'find_x'), minLength: 1, maxLength: 6 });

	/** The JSON text of a tool's input is cut into pieces at random places. */
	const pieces = fc
		.tuple(
			fc.dictionary(names, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 }),
			fc.integer({ min: 1, max: 9 }),
		)
		.map(([input, size]) => JSON.stringify(input).match(new RegExp(`.{1,${size}}`, 'gsu'))!);

	const calls = fc.array(fc.record({ name: names, pieces }), { minLength: 1, maxLength: 3 });

	test.each([
		{ repeats: [], index: 'counted' },
		{ repeats: ['name'], index: 'counted' },
		{ repeats: ['id', 'name'], index: 'counted' },
		{ repeats: ['id'], index: 'none' },
		{ repeats: ['id', 'name'], index: 'none' },
		{ repeats: [], index: 'none' },
		{ repeats: [], index: 'always 0' },
		{ repeats: ['id', 'name'], index: 'always 0' },
	])('are joined if the pieces repeat fields or have an index as in %j', ({ repeats, index }) => {
		fc.assert(
			fc.property(calls, (all) => {
				const sent = all.flatMap(({ name, pieces: texts }, place) =>
					texts.map((text, position) => {
						const has = (what: string) => position === 0 || repeats.includes(what);
						return [
							{
								...(index === 'none' ? {} : { index: index === 'counted' ? place : 0 }),
								id: has('id') ? `call_${place}` : '',
								function: { ...(has('name') ? { name } : {}), arguments: text },
							},
						];
					}),
				);
				expect(callsOf(...sent)).toEqual(
					all.map(({ name, pieces: texts }, place) => ({
						id: `call_${place}`,
						function: { name, arguments: texts.join('') },
					})),
				);
			}),
		);
	});

	test('stay separate if they have the same index and no IDs, but each piece is a whole call', () => {
		const call = (x: number) => ({ index: 0, function: { name: 'find', arguments: `{"x":${x}}` } });
		expect(callsOf([call(1)], [call(2)])).toMatchObject([
			{ function: { name: 'find', arguments: '{"x":1}' } },
			{ function: { name: 'find', arguments: '{"x":2}' } },
		]);
	});

	test('get one name if the name comes in pieces', () => {
		const piece = (name: string) => [{ index: 0, id: 'a', function: { name, arguments: '' } }];
		expect(callsOf(piece('edit_ex'), piece('isting_file'), piece('edit_existing_file'))).toEqual([
			{ id: 'a', function: { name: 'edit_existing_file', arguments: '' } },
		]);
	});

	test('belong to the latest call if they have neither index nor ID', () => {
		expect(callsOf([{ id: 'a' }, { id: 'b' }], [{ function: { name: 'x', arguments: '1' } }])).toEqual([
			{ id: 'a' },
			{ id: 'b', function: { name: 'x', arguments: '1' } },
		]);
	});
});

test.each([undefined, null, '', ' '])(
	'a whole message in one event with stop_reason %j does not end the stream',
	async (reason) => {
		const whole = { ...START.message, content: [{ type: 'text', text: 'Half' }], stop_reason: reason };
		const error = await errorOf(faultOf(whole));
		expect(error.description).toMatch(/Text received so far: Half$/);
	},
);

test.each([0, null, ''])('a later token count of %j does not replace one that was given', async (count) => {
	const usage = { input_tokens: count, output_tokens: 9 };
	emulator.fault(faultOf(START, textDelta('Hi'), { ...END, usage }, DONE));
	expect(await message.json(create)).toMatchObject({ input_tokens: 5, output_tokens: 9 });
});

test.each([
	{ object: 'error', message: 'Busy', type: 'InternalServerError', code: 500 },
	{ error: { message: 'Busy' } },
	{ detail: 'Busy' },
	{ error_msg: 'Busy', code: 336 },
	{ errors: [{ reason: 'Busy' }] },
])('an error within a stream is recognized by its text: %j', async (data) => {
	const error = await errorOf(faultOf(START, textDelta('Once'), `data: ${JSON.stringify(data)}\n\n`, DONE));
	expect(error.message).toBe('Busy');
});
