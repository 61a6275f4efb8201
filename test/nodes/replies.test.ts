import type { INodeParameters } from 'n8n-workflow';

import type { Fault } from '../../emulator/Emulator';
import { nodeDriver } from '../support/nodeDriver';
import { useEmulator } from '../support/useEmulator';

// The replies in this suite are undocumented: gateways and model servers in the field send them.

const emulator = useEmulator();

const message = nodeDriver('message', emulator);

const MODEL = 'acme/quick-1';

const create: INodeParameters = {
	model: MODEL,
	messages: { message: [{ role: 'user', content: 'Hello' }] },
	options: { stream: true, maxRetries: 0 },
};

const chat: INodeParameters = { ...create, operation: 'chat', options: { maxRetries: 0 } };

const rawChat: INodeParameters = { ...chat, simplify: false };

const eventsOf = (...events: Array<object | string>): Fault => ({
	times: Infinity,
	stream: [
		{
			bytes: events
				.map((event) => (typeof event === 'string' ? event : `data: ${JSON.stringify(event)}\n\n`))
				.join(''),
		},
	],
});

const DONE = 'data: [DONE]\n\n';

const chunk = (delta: object, finish_reason?: unknown, further: object = {}) => ({
	id: 'c1',
	model: MODEL,
	choices: [{ index: 0, delta, ...(finish_reason === undefined ? {} : { finish_reason }) }],
	...further,
});

const start = (usage: object = { input_tokens: 5, output_tokens: 0 }) => ({
	type: 'message_start',
	message: {
		id: 'm1',
		type: 'message',
		role: 'assistant',
		model: MODEL,
		content: [],
		stop_reason: null,
		usage,
	},
});

const text = (piece: string) => [
	{ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
	{ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: piece } },
];

const end = (stop_reason: unknown, usage: object = { output_tokens: 9 }) => ({
	type: 'message_delta',
	delta: { stop_reason, stop_sequence: null },
	usage,
});

describe('if the stop reason is blank,', () => {
	const blank = ['', ' ', null];

	test.each(blank)(
		'a chat that breaks off fails although every chunk has the finish_reason %j',
		async (reason) => {
			emulator.fault(
				eventsOf(chunk({ content: 'Half of ' }, reason), chunk({ content: 'the answ' }, reason)),
			);
			const error = await message.error(chat);
			expect(error.message).toContain('ended before it was complete');
			expect(error.description).toContain('Half of the answ');
		},
	);

	test.each(blank)('the finish_reason %j does not replace a real one that came before', async (reason) => {
		emulator.fault(eventsOf(chunk({ content: 'All' }, 'stop'), chunk({}, reason)));
		expect(await message.json(chat)).toMatchObject({ text: 'All', finish_reason: 'stop' });
	});

	test.each(blank)('the finish_reason %j is null in the output', async (reason) => {
		emulator.fault(eventsOf(chunk({ content: 'All' }, reason), DONE));
		expect(await message.json(chat)).toMatchObject({ text: 'All', finish_reason: null });
	});

	test.each(blank)(
		'the stop_reason %j is null in the output, and does not replace a real one',
		async (reason) => {
			emulator.fault(eventsOf(start(), ...text('All'), end(reason), { type: 'message_stop' }));
			expect(await message.json(create)).toMatchObject({ text: 'All', stop_reason: null });
			emulator.reset();
			emulator.fault(
				eventsOf(start(), ...text('All'), end('end_turn'), end(reason), { type: 'message_stop' }),
			);
			expect(await message.json(create)).toMatchObject({ stop_reason: 'end_turn' });
		},
	);

	test('a blank finish_reason of a chat that is not streamed is null in the output', async () => {
		const whole = { id: 'c1', choices: [{ index: 0, message: { content: 'All' }, finish_reason: '' }] };
		emulator.answer(whole, { times: Infinity });
		expect(await message.json(chat)).toMatchObject({ text: 'All', finish_reason: null });
	});
});

describe('the hint after replies that are less than what was asked for', () => {
	const hintAfter = async (replies: object[], parameters: INodeParameters) => {
		replies.forEach((body) => emulator.answer(body));
		const options = { ...(parameters.options as object), stream: false, concurrency: 1 };
		const { hint, outputs } = await message.run(
			{ ...parameters, options },
			{ items: replies.map(() => ({})) },
		);
		expect(outputs()[0]!.filter(({ json }) => json.error)).toEqual([]);
		return hint();
	};

	const reply = (stop_reason: unknown, piece = 'Half') => ({
		...start().message,
		content: [{ type: 'text', text: piece }],
		stop_reason,
	});

	const completion = (finish_reason: unknown, further: object = {}) => ({
		id: 'c1',
		choices: [{ index: 0, message: { role: 'assistant', content: 'Half', ...further }, finish_reason }],
	});

	const KINDS = {
		cut: /(\d+) repl(?:y was|ies were) cut off at the limit of tokens: raise 'Max Tokens'\./,
		full: /(\d+) repl(?:y was|ies were) cut off at the end of the model's context window: send less/,
		refused: /(\d+) repl(?:y was|ies were) refused by the model or a content filter: change/,
		empty: /(\d+) repl(?:y is|ies are) empty: change/,
	};

	/** Returns how many replies of each kind the hint counts, without the kinds that it does not name. */
	const countsIn = (hint: string) =>
		Object.fromEntries(
			Object.entries(KINDS).flatMap(([kind, said]) => {
				const count = said.exec(hint)?.[1];
				return count === undefined ? [] : [[kind, Number(count)]];
			}),
		);

	test.each<[name: string, parameters: INodeParameters, replies: object[], counts: Record<string, number>]>([
		[
			'messages that Max Tokens cut off',
			create,
			[reply('max_tokens'), reply('end_turn', 'All'), reply('length')],
			{ cut: 2 },
		],
		[
			'a message that filled the context window',
			create,
			[reply('model_context_window_exceeded')],
			{ full: 1 },
		],
		[
			'messages that were refused',
			create,
			[reply('refusal'), reply('refusal', ''), reply('content_filter')],
			{ refused: 3 },
		],
		[
			'empty messages, and among them one that Max Tokens cut off',
			create,
			[reply('end_turn', ''), reply(null, ' \n'), reply('max_tokens', '')],
			{ cut: 1, empty: 2 },
		],
		[
			'chats that Max Tokens cut off',
			chat,
			[completion('length'), completion('stop'), completion('max_tokens')],
			{ cut: 2 },
		],
		[
			'a chat that filled the context window',
			chat,
			[completion('model_context_window_exceeded')],
			{ full: 1 },
		],
		[
			'chats that were refused',
			chat,
			[completion('content_filter'), completion('refusal', { content: null })],
			{ refused: 2 },
		],
		[
			'a chat that was refused in a field of its own',
			chat,
			[completion('stop', { content: null, refusal: 'No.' })],
			{ refused: 1 },
		],
		[
			'empty chats',
			chat,
			[completion('stop', { content: '' }), completion('stop', { content: null })],
			{ empty: 2 },
		],
		['a chat that Max Tokens cut off, with Simplify off', rawChat, [completion('length')], { cut: 1 }],
	])('counts %s', async (_, parameters, replies, counts) => {
		expect(countsIn(await hintAfter(replies, parameters))).toEqual(counts);
	});

	test.each([
		['messages that ended by themselves', create, [reply('end_turn', 'All'), reply('stop_sequence', 'All')]],
		[
			'a chat that calls a tool',
			chat,
			[completion('tool_calls', { content: null, tool_calls: [{ id: 't' }] })],
		],
	])('does not count %s', async (_, parameters, replies) => {
		expect(countsIn(await hintAfter(replies, parameters))).toEqual({});
	});

	test.each<[name: string, parameters: INodeParameters, replies: object[]]>([
		['a message', create, [reply('tool_use', 'I will look it up.'), reply('end_turn', 'All')]],
		['an empty message', create, [reply('tool_use', '')]],
		['a call that is a text', create, [reply('end_turn', '<tool_call>{"name":"find"}</tool_call>')]],
		[
			'another call that is a text',
			chat,
			[completion('stop', { content: ' [TOOL_CALLS][{"name":"find"}]' })],
		],
		['a chat', chat, [completion('tool_calls')]],
	])('counts replies that call a tool without a call that can be run: %s', async (_, parameters, replies) => {
		expect(await hintAfter(replies, parameters)).toContain(
			'1 reply calls a tool, but not in a form that can be run: use another model, or turn on tool calls at its server.',
		);
	});

	test('says of a chat that its tool calls are not in the output, unless Simplify is off', async () => {
		const calling = completion('tool_calls', { content: null, tool_calls: [{ id: 't' }] });
		const answered = completion('stop');
		expect(await hintAfter([calling, answered], chat)).toContain(
			"1 reply calls tools, which 'Chat' does not output: use 'Generate Message', or turn 'Simplify' off.",
		);
		expect(await hintAfter([calling, calling], chat)).toContain('2 replies call tools');
		const older = completion('function_call', {
			content: null,
			function_call: { name: 'f', arguments: '{}' },
		});
		expect(await hintAfter([older], chat)).toContain('1 reply calls tools');
		expect(await hintAfter([calling], rawChat)).not.toContain('tools');
	});

	test.each([
		[
			'a message that Max Tokens cut off',
			create,
			[start(), ...text('Half'), end('max_tokens'), { type: 'message_stop' }],
			{ cut: 1 },
		],
		[
			'a chat that Max Tokens cut off',
			chat,
			[chunk({ content: 'Half' }), chunk({}, 'length'), DONE],
			{ cut: 1 },
		],
		[
			'a chat that was refused in a field of its own',
			chat,
			[chunk({ refusal: 'I will ' }), chunk({ refusal: 'not.' }, 'stop'), DONE],
			{ refused: 1 },
		],
	])('counts, if it was streamed, %s', async (_, parameters, events, counts) => {
		emulator.fault(eventsOf(...events));
		expect(countsIn(await message.hint(parameters))).toEqual(counts);
	});
});

describe('when tool calls of a chat come in pieces,', () => {
	const piece = (call: object) => chunk({ tool_calls: [call] });

	const callsOf = async (...pieces: object[]) => {
		emulator.fault(eventsOf(...pieces.map(piece), chunk({}, 'tool_calls'), DONE));
		const { choices } = await message.json(rawChat);
		return (choices as Array<{ message: { tool_calls: unknown } }>)[0]!.message.tool_calls;
	};

	const call = (id: string, name: string, given: string, further: object = { index: 0 }) => ({
		...further,
		id,
		function: { name, arguments: given },
	});

	test('the name of a tool that is sent again with each piece is returned once', async () => {
		expect(
			await callsOf(
				call('call_1', 'read_file', ''),
				call('call_1', 'read_file', '{"a"'),
				call('call_1', 'read_file', ':1}'),
			),
		).toEqual(
			[{ index: 0, ...call('call_1', 'read_file', '{"a":1}', {}) }].map(({ index: _, ...rest }) => rest),
		);
	});

	test('the name of a tool that comes in pieces is joined', async () => {
		expect(await callsOf(call('call_1', 'edit_ex', ''), call('', 'isting_file', '{}'))).toEqual([
			call('call_1', 'edit_existing_file', '{}', {}),
		]);
	});

	test('a piece of a tool call with a new ID but no name belongs to the call with its index', async () => {
		expect(
			await callsOf(call('call_1', 'find', '{"n"'), {
				index: 0,
				id: 'call_2',
				function: { arguments: ':1}' },
			}),
		).toEqual([call('call_1', 'find', '{"n":1}', {})]);
	});

	test('pieces of a tool call without an index belong to the latest call with their ID', async () => {
		expect(
			await callsOf(
				call('a', 'find', '{"n"', {}),
				call('b', 'count', '{"m"', {}),
				call('b', 'count', ':2}', {}),
				call('a', 'find', ':1}', {}),
			),
		).toEqual([call('a', 'find', '{"n":1}', {}), call('b', 'count', '{"m":2}', {})]);
	});

	test('pieces of a tool call with neither index nor ID belong to the call before them', async () => {
		expect(await callsOf(call('a', 'find', '{"n"', {}), { function: { arguments: ':1}' } })).toEqual([
			call('a', 'find', '{"n":1}', {}),
		]);
	});
});

describe('when token counts come again,', () => {
	test('a token count of 0 in a later event does not replace an earlier count', async () => {
		emulator.fault(
			eventsOf(
				start({ input_tokens: 5, output_tokens: 0 }),
				...text('All'),
				end('end_turn', { input_tokens: 0, output_tokens: 9 }),
				end('end_turn', { output_tokens: 0 }),
				{ type: 'message_stop' },
			),
		);
		expect(await message.json(create)).toMatchObject({ input_tokens: 5, output_tokens: 9 });
	});

	test('a token count of 0 in a later chunk of a chat does not replace an earlier count', async () => {
		const usage = (prompt_tokens: number, completion_tokens: number) => ({
			usage: { prompt_tokens, completion_tokens },
		});
		emulator.fault(
			eventsOf(
				chunk({ content: 'All' }, 'stop', usage(5, 9)),
				{ choices: [], ...usage(0, 0) },
				{ ...usage(5, 0) },
				DONE,
			),
		);
		expect(await message.json(chat)).toMatchObject({ input_tokens: 5, output_tokens: 9 });
	});

	test('a nested token count of 0 in a later chunk does not replace an earlier count', async () => {
		const usage = (reasoning_tokens: number, audio_tokens: number) => ({
			usage: { completion_tokens_details: { reasoning_tokens, audio_tokens } },
		});
		emulator.fault(
			eventsOf(chunk({ content: 'All' }, 'stop', usage(7, 0)), { choices: [], ...usage(0, 2) }, DONE),
		);
		expect(await message.json(rawChat)).toMatchObject(usage(7, 2));
	});

	const none = { input_tokens: 0, output_tokens: 0 };

	test('a whole message with token counts of 0 after its pieces does not replace earlier counts', async () => {
		const whole = {
			...start(none).message,
			content: [{ type: 'text', text: 'All' }],
			stop_reason: 'end_turn',
		};
		emulator.fault(eventsOf(start(), ...text('All'), end('end_turn'), whole, DONE));
		expect(await message.json(create)).toMatchObject({ input_tokens: 5, output_tokens: 9 });
	});

	test('a whole completion with token counts of 0 after its pieces does not replace earlier counts', async () => {
		const usage = (prompt_tokens: number) => ({ usage: { prompt_tokens, completion_tokens: prompt_tokens } });
		const whole = { choices: [{ message: { content: 'All' }, finish_reason: 'stop' }], ...usage(0) };
		emulator.fault(eventsOf(chunk({ content: 'All' }, 'stop', usage(5)), whole, DONE));
		expect(await message.json(chat)).toMatchObject({ input_tokens: 5, output_tokens: 5 });
	});

	test('a message_start that is sent again replaces neither token counts nor the stop reason', async () => {
		emulator.fault(eventsOf(start(), ...text('All'), end('end_turn'), start(none), DONE));
		expect(await message.json(create)).toMatchObject({
			text: 'All',
			stop_reason: 'end_turn',
			input_tokens: 5,
			output_tokens: 9,
		});
	});
});

describe('when a reply reaches Max Tokens,', () => {
	const toolUse = (input: object) => ({ type: 'tool_use', id: 't1', name: 'refund', input });

	const whole = (stop_reason: string, ...content: object[]) => ({
		id: 'm1',
		type: 'message',
		role: 'assistant',
		model: MODEL,
		content,
		stop_reason,
		stop_sequence: null,
		usage: { input_tokens: 5, output_tokens: 9 },
	});

	test.each([
		['max_tokens', {}],
		['max_tokens', { order: 7 }],
		['length', { order: 7 }],
	])(
		'a message that ends in a tool call fails with the advice to raise Max Tokens, for the stop_reason %s and the input %j',
		async (reason, input) => {
			emulator.answer(whole(reason, toolUse(input)), { times: Infinity });
			for (const simplify of [true, false]) {
				const error = await message.error({ ...create, simplify, options: {} });
				expect(error.message).toContain('incomplete call to "refund"');
				expect(error.description).toContain('Max Tokens');
			}
		},
	);

	const argument = (partial_json: string) => ({
		type: 'content_block_delta',
		index: 0,
		delta: { type: 'input_json_delta', partial_json },
	});

	test.each([
		['max_tokens', ''],
		['max_tokens', '{"or'],
		['length', '{"or'],
	])(
		'a stream fails with the advice to raise Max Tokens, for the stop_reason %s after the arguments %j of a tool call',
		async (reason, json) => {
			const block = { type: 'content_block_start', index: 0, content_block: toolUse({}) };
			emulator.fault(eventsOf(start(), block, argument(json), end(reason), { type: 'message_stop' }));
			expect((await message.error(create)).description).toContain('Max Tokens');
		},
	);

	test.each(['length', 'max_tokens'])(
		'a chat that ends in a tool call fails, for the finish_reason %s',
		async (reason) => {
			const calls = ['find', 'refund'].map((name, index) => ({
				index,
				id: name,
				function: { name, arguments: '{}' },
			}));
			emulator.fault(eventsOf(chunk({ tool_calls: calls }), chunk({}, reason), DONE));
			expect((await message.error(rawChat)).message).toContain('incomplete call to "refund"');
		},
	);

	test('one that ends in text after a tool call succeeds', async () => {
		const body = whole('max_tokens', toolUse({ order: 7 }), { type: 'text', text: 'Refunded, and' });
		emulator.answer(body, { times: Infinity });
		expect(await message.json({ ...create, options: {} })).toMatchObject({ text: 'Refunded, and' });
	});
});

test('a chat that is not streamed outputs its first choice although the second has no message', async () => {
	const choices = [{ index: 0, message: { content: 'All' }, finish_reason: 'stop' }, { index: 1 }];
	emulator.answer({ id: 'c1', choices }, { times: Infinity });
	expect(await message.json(chat)).toMatchObject({ text: 'All', finish_reason: 'stop' });
});

describe('an event of a stream that is no error', () => {
	const pieceOf = (data: object) => `data: ${JSON.stringify(data)}\n\n`;

	test.each([
		pieceOf({ id: 'c1', title: 'A greeting' }),
		pieceOf({ id: 'c1', reason: 'warm-up' }),
		pieceOf({ id: 'c1', message: 'queued' }),
		pieceOf({ object: 'chat.completion.chunk', detail: 'queued' }),
		pieceOf({ choices: [], message: 'queued' }),
		`event: ping\n${pieceOf({ data: 1, title: 'A greeting' })}`,
		`event: status\n${pieceOf({ data: '', message: 'queued' })}`,
	])('is skipped although it has a text that could be the message of an error: %j', async (event) => {
		emulator.fault(eventsOf(event, chunk({ content: 'All' }, 'stop'), DONE));
		expect(await message.json(chat)).toMatchObject({ text: 'All' });
	});

	test.each(['null', '42', '"queued"', '[{}]'])('is skipped if it is no object: %s', async (data) => {
		emulator.fault(eventsOf(`data: ${data}\n\n`, chunk({ content: 'All' }, 'stop'), DONE));
		expect(await message.json(chat)).toMatchObject({ text: 'All' });
	});
});

describe('the message of an error', () => {
	const shapes: Array<[said: string, body: unknown]> = [
		['Voice limit reached', { detail: { status: 'voice_limit_reached', message: 'Voice limit reached' } }],
		['body.voice_name: Field required', { detail: [{ loc: ['body', 'voice_name'], msg: 'Field required' }] }],
		['First', { errors: ['First', 'second'] }],
		['First', { errors: [{ title: 'First' }, { title: 'second' }] }],
		['Deep', { error: { error: { reason: 'Deep' } } }],
		['Outer', { error: { message: 'inner' }, message: 'Outer' }],
		['Behind a blank one', { message: ' ', msg: '', error_msg: 'Behind a blank one', detail: 'later' }],
		['In a list', [{ detail: 'In a list' }]],
		['{"code":7,"unknown":"field"}', { code: 7, unknown: 'field' }],
	];

	test.each(shapes)('is %j for the body %j', async (said, body) => {
		emulator.fault({ times: Infinity, status: 400, body: body as object });
		expect((await message.error(chat)).message).toBe(said);
	});

	test.each([
		[{ content: null, type: null }, create],
		[{ content: null, type: 'message' }, create],
		[{ choices: null }, chat],
		[{ choices: [] }, chat],
	])(
		'with status 200 is found although the error has the fields of an answer: %j',
		async (fields, parameters) => {
			const body = { code: 50501, message: 'Not today', ...fields };
			emulator.answer(body, { times: Infinity });
			expect(await message.error(parameters)).toMatchObject({ message: 'Not today', code: 50501 });
		},
	);

	test('is found in an event of a stream, and in a response with status 200', async () => {
		emulator.fault(eventsOf({ error: { detail: [{ loc: ['body', 'n'], msg: 'Too large' }] } }));
		expect((await message.error(chat)).message).toBe('body.n: Too large');
		emulator.reset();
		emulator.answer({ error: { error_msg: 'Too large' } }, { times: Infinity });
		expect((await message.error({ ...create, options: {} })).message).toBe('Too large');
	});
});

test('a stream of nothing but comments fails after four timeouts', async () => {
	emulator.fault({ times: Infinity, stream: [{ bytes: ': ping\n\n', delayMs: 20, times: Infinity }] });
	const options = { maxRetries: 0, timeout: 250 };
	const error = await message.error({ ...chat, options });
	expect(error.message).toBe(
		'Timed out: the service kept the connection open, but sent nothing else for 1000 ms',
	);
});
