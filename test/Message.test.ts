import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { testWhere } from './host';
import { nodeDriver, wrongParameter, type NodeInput } from './nodeDriver';
import { readErrorItem } from './runNode';
import { useEmulator } from './useEmulator';

const emulator = useEmulator();

const message = nodeDriver('message', emulator);

const MODEL = 'acme/quick-1';

const saying = (...message: object[]) => ({ message }) as unknown as INodeParameters;

const hello: INodeParameters = { model: MODEL, messages: saying({ role: 'user', content: 'Hello there' }) };

const sentBody = (index = 0) => emulator.requests[index]?.body as IDataObject;

/** Makes the service answer with this message, whatever it is asked. */
function answerWith(message: object) {
	emulator.fault({ path: '/messages', times: Infinity, status: 200, body: { ...MESSAGE, ...message } });
}

const MESSAGE = {
	id: 'msg_1',
	type: 'message',
	role: 'assistant',
	model: MODEL,
	content: [{ type: 'text', text: 'Yes.' }],
	stop_reason: 'end_turn',
	stop_sequence: null,
	usage: { input_tokens: 7, output_tokens: 2 },
};

const chat: INodeParameters = { ...hello, operation: 'chat' };

const list = (count: number) =>
	Array.from({ length: count }, (_, index) => ({
		role: index % 2 === 0 ? 'user' : 'assistant',
		content: `turn ${index + 1}`,
	}));

describe('generate: the request', () => {
	test('holds the model, the messages and the limit, and nothing else', async () => {
		await message.run(hello);
		expect(emulator.requests).toHaveLength(1);
		expect(emulator.requests[0]).toMatchObject({ method: 'POST', path: '/messages', status: 200 });
		expect(sentBody()).toEqual({
			model: MODEL,
			messages: [{ role: 'user', content: 'Hello there' }],
			max_tokens: 1024,
		});
	});

	test.each<[string, INodeParameters, object]>([
		['system', { system: 'Be brief.' }, { system: 'Be brief.' }],
		['stopSequences', { stopSequences: ['END', '', '##'] }, { stop_sequences: ['END', '##'] }],
		['one stop sequence by an expression', { stopSequences: '={{ "END" }}' }, { stop_sequences: ['END'] }],
		['temperature', { temperature: 0 }, { temperature: 0 }],
		['temperature by an expression', { temperature: '={{ "1.5" }}' }, { temperature: 1.5 }],
		['topP', { topP: 0.1 }, { top_p: 0.1 }],
		['topK', { topK: 0 }, { top_k: 0 }],
		['stream', { stream: true }, { stream: true }],
		['toolChoice auto', { toolChoice: 'auto' }, { tool_choice: { type: 'auto' } }],
		['toolChoice none', { toolChoice: 'none' }, { tool_choice: { type: 'none' } }],
		[
			'tools and a forced tool',
			{
				tools: {
					tool: [
						{ name: 'find', description: 'Finds it', inputSchema: '{"type":"object"}' },
						{ name: 'drop', description: ' ', inputSchema: '={{ { type: "object", properties: {} } }}' },
					],
				},
				toolChoice: 'tool',
				toolName: 'find',
			},
			{
				tools: [
					{ name: 'find', description: 'Finds it', input_schema: { type: 'object' } },
					{ name: 'drop', input_schema: { type: 'object', properties: {} } },
				],
				tool_choice: { type: 'tool', name: 'find' },
			},
		],
		['extraBody as text', { extraBody: '{"max_tokens":5}' }, { max_tokens: 5 }],
		[
			'a forced tool among those of extraBody',
			{
				extraBody: '{"tools":[{"name":"find","input_schema":{"type":"object"}}]}',
				toolChoice: 'tool',
				toolName: 'find',
			},
			{
				tools: [{ name: 'find', input_schema: { type: 'object' } }],
				tool_choice: { type: 'tool', name: 'find' },
			},
		],
		['extraBody as an object', { extraBody: '={{ { system: "S" } }}' }, { system: 'S' }],
	])('%s is sent when set', async (_, options, fields) => {
		await message.run({ ...hello, options });
		expect(sentBody()).toEqual({
			model: MODEL,
			messages: [{ role: 'user', content: 'Hello there' }],
			max_tokens: 1024,
			...fields,
		});
	});

	test('leaves out every option that is empty', async () => {
		await message.run({
			...hello,
			options: {
				system: ' ',
				stopSequences: [],
				temperature: '={{ " " }}',
				topP: '={{ null }}',
				topK: '={{ undefined }}',
				tools: {},
				toolName: 'x',
				stream: false,
				extraBody: '',
			},
		});
		expect(Object.keys(sentBody())).toEqual(['model', 'max_tokens', 'messages']);
	});

	test('extra fields are laid over the body, and win even when empty', async () => {
		answerWith({});
		await message.run({
			...hello,
			options: { temperature: 1, extraBody: '{"temperature":0.5,"tools":[],"new_option":7,"messages":[]}' },
		});
		expect(sentBody()).toEqual({
			model: MODEL,
			max_tokens: 1024,
			temperature: 0.5,
			tools: [],
			new_option: 7,
			messages: [],
		});
	});

	test('resolves expressions for each item, and pairs the answers', async () => {
		const { outputs } = await message.run(
			{ ...hello, messages: saying({ content: '=About {{ $json.topic }}' }) },
			{ items: [{ topic: 'tea' }, { topic: 'rain' }, { topic: 'ink' }] },
		);
		expect(outputs()[0]!.map(({ json, pairedItem }) => [json.text, pairedItem])).toEqual([
			[expect.stringContaining('About tea'), { item: 0 }],
			[expect.stringContaining('About rain'), { item: 1 }],
			[expect.stringContaining('About ink'), { item: 2 }],
		]);
	});

	test('takes the conversation as JSON text or a list, with further fields and blocks as they are', async () => {
		const conversation = [
			{ role: 'user', content: [{ type: 'text', text: 'Hi', cache: true }], name: 'Ann' },
			{ role: 'assistant', content: 'Hello, Ann' },
		];
		for (const messagesJson of [JSON.stringify(conversation), '={{ $json.history }}']) {
			emulator.reset();
			answerWith({});
			await message.run(
				{ ...hello, messagesSource: 'json', messagesJson },
				{ items: [{ history: conversation }] },
			);
			expect(sentBody().messages).toEqual(conversation);
		}
	});

	test('sends only the last messages of a long conversation', async () => {
		await message.run({
			...hello,
			messagesSource: 'json',
			messagesJson: JSON.stringify(list(25)),
			options: { keepLastMessages: 3 },
		});
		expect(sentBody().messages).toEqual(list(25).slice(-3));
	});
});

describe('checked before sending', () => {
	const json = (value: unknown): INodeParameters => ({
		messagesSource: 'json',
		messagesJson: typeof value === 'string' ? value : JSON.stringify(value),
	});
	const tool = (...all: object[]): INodeParameters => ({
		options: { tools: { tool: all.map((fields) => ({ name: 'find', inputSchema: '{}', ...fields })) } },
	});
	const SCHEMA = 'options.tools: tool "find": "Input Schema" (inputSchema)';
	const TEXT_OR_LIST = 'must have content that is text or a list';
	const USER_ONLY = 'must have one of the roles user, assistant, not "system"';
	const ANY_ROLE = 'must have one of the roles user, assistant, system';
	const BLOCKS = [{ role: 'user', content: [{ type: 'text', text: 'a' }] }];

	// Limits of numbers are those of the contract, which another suite checks.
	test.each<[field: string, rule: string, INodeParameters]>([
		['model', 'must not be empty', { model: '={{ " " }}' }],
		['maxTokens', 'must not be empty', { maxTokens: '={{ null }}' }],
		['maxTokens', 'must be a whole number of 1 or more', { maxTokens: 0 }],
		['maxTokens', 'must be a whole number', { operation: 'chat', maxTokens: 1.5 }],
		['messages', 'must have at least one message', { messages: saying() }],
		['messages: message 1', 'must have content', { messages: saying({ content: ' ' }) }],
		[
			'messages: message 2',
			USER_ONLY,
			{ messages: saying({ content: 'a' }, { role: 'system', content: 'b' }) },
		],
		['messages', 'must have at most 10 messages, but has 11', { messages: saying(...list(11)) }],
		[
			'messages',
			'must have at most 10',
			{ messages: saying(...list(12)), options: { keepLastMessages: 11 } },
		],
		['options.tools: tool 1: "Name" (name)', 'must not be empty', tool({ name: ' ' })],
		[SCHEMA, 'must be a JSON object', tool({ name: ' find ', inputSchema: '[]' })],
		[SCHEMA, 'must be a JSON object', tool({ inputSchema: '' })],
		[SCHEMA, 'must be valid JSON', tool({ inputSchema: '{' })],
		['options.tools: tool "a"', 'must have a unique name', tool({ name: 'a' }, { name: 'a' })],
		['messagesJson', 'must not be empty', json('')],
		['messagesJson', 'must be valid JSON', json('[{')],
		['messagesJson', 'must be a list', json({ role: 'user' })],
		['messagesJson', 'must have at least one', json([])],
		['messagesJson: message 1', 'must be an object', json(['hi'])],
		['messagesJson: message 1', 'must have content', json([{ role: 'user' }])],
		['messagesJson: message 1', TEXT_OR_LIST, json([{ role: 'user', content: 4 }])],
		['messagesJson: message 1', TEXT_OR_LIST, json([{ role: 'user', content: [] }])],
		['messagesJson: message 1', TEXT_OR_LIST, json([{ role: 'user', content: [{}] }])],
		['messagesJson: message 1', 'must have content that is text', { operation: 'chat', ...json(BLOCKS) }],
		['options.toolName', 'must name the tool', { options: { toolChoice: 'tool' } }],
		[
			'options.toolName',
			'must be the name of a tool, but',
			{ options: { toolChoice: 'tool', toolName: 'x' } },
		],
		['options.toolChoice', 'must be one of Auto, None,', { options: { toolChoice: '={{ "any" }}' } }],
		['options.extraBody', 'must be valid JSON', { options: { extraBody: '{' } }],
		['options.extraBody', 'must be an object', { options: { extraBody: '[]' } }],
		['options.extraBody', 'must not set stream', { options: { extraBody: '{"stream":false}' } }],
		[
			'messages: message 1',
			ANY_ROLE,
			{ operation: 'chat', messages: saying({ role: '={{ "tool" }}', content: 'a' }) },
		],
		[
			'messagesJson: message 1',
			`${ANY_ROLE}, not "{"name`,
			{ operation: 'chat', ...json([{ role: { name: 'user' } }]) },
		],
	])('%s %s (%j)', async (field, rule, parameters) => {
		expect(await message.refusal({ ...hello, ...parameters })).toMatch(wrongParameter(field, rule));
	});

	test('a wrong parameter fails its item alone', async () => {
		const { outputs } = await message.run(
			{ ...hello, maxTokens: '={{ $json.limit }}' },
			{ items: [{ limit: 5 }, { limit: 0 }, { limit: 6 }], onError: 'continueErrorOutput' },
		);
		const [success, failed] = outputs();
		expect(success!.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
		expect(readErrorItem(failed![0]!.json).error.message).toMatch(wrongParameter('maxTokens', 'must be'));
		expect(emulator.requests).toHaveLength(2);
	});
});

describe('generate: the output', () => {
	test('is flat', async () => {
		answerWith({
			content: [
				{ type: 'text', text: 'One. ' },
				{ type: 'thinking', thinking: 'hm' },
				{ type: 'note', text: 'not said' },
				{ type: 'text' },
				{ type: 'text', text: 'Two.' },
			],
		});
		expect(await message.json(hello)).toEqual({
			text: 'One. Two.',
			tool_calls: [],
			stop_reason: 'end_turn',
			stop_sequence: null,
			model: MODEL,
			id: 'msg_1',
			input_tokens: 7,
			output_tokens: 2,
		});
	});

	test('has null for what the service does not give', async () => {
		emulator.fault({ status: 200, body: { content: [] } });
		expect(await message.json(hello)).toEqual({
			text: '',
			tool_calls: [],
			stop_reason: null,
			stop_sequence: null,
			model: null,
			id: null,
			input_tokens: null,
			output_tokens: null,
		});
	});

	test.each([
		['end_turn', {}, { stop_reason: 'end_turn', stop_sequence: null }],
		[
			'end_turn by a stop sequence',
			// A word of the emulator's reply.
			{ stopSequences: ['message'] },
			{ stop_reason: 'end_turn', stop_sequence: 'message' },
		],
		['max_tokens', { extraBody: '{"max_tokens":3}' }, { stop_reason: 'max_tokens', output_tokens: 3 }],
		[
			'tool_use',
			{
				tools: {
					tool: [{ name: 'hello', inputSchema: '{"type":"object","properties":{"who":{"type":"string"}}}' }],
				},
			},
			{
				stop_reason: 'tool_use',
				text: 'Calling hello.',
				tool_calls: [{ id: 'toolu_000001', name: 'hello', input: { who: 'Hello there' } }],
			},
		],
	])('stop reason %s, streamed or not', async (_, options, expected) => {
		const parameters = (stream: boolean) =>
			({ ...hello, options: { ...options, stream } }) as INodeParameters;
		const unstreamed = await message.json(parameters(false));
		expect(unstreamed).toMatchObject(expected);
		emulator.reset();
		expect(await message.json(parameters(true))).toEqual(unstreamed);
	});

	test('stop reason refusal', async () => {
		answerWith({ stop_reason: 'refusal', content: [{ type: 'text', text: 'No.' }] });
		expect(await message.json(hello)).toMatchObject({ stop_reason: 'refusal', text: 'No.' });
	});

	test('without simplify is the body as it came', async () => {
		answerWith({ extra: { deep: [1] } });
		expect(await message.json({ ...hello, simplify: false })).toEqual({
			...MESSAGE,
			extra: { deep: [1] },
		});
	});

	test('without simplify is the same for a stream', async () => {
		const parameters = (stream: boolean) => ({ ...hello, simplify: false, options: { stream } });
		const unstreamed = await message.json(parameters(false));
		emulator.reset();
		expect(await message.json(parameters(true))).toEqual(unstreamed);
	});

	test('starts from the input with other fields', async () => {
		answerWith({});
		expect(
			await message.json(
				{ ...hello, options: { includeOtherFields: true } },
				{ items: [{ row: 1, text: 'old', error: 'older' }] },
			),
		).toMatchObject({ row: 1, text: 'Yes.', input_error: 'older' });
	});

	test.each([
		['no content', { id: 'x' }],
		['content that is a text', { ...MESSAGE, content: 'Yes.' }],
		['a list', [1]],
	])('a success status with %s is an error of the item', async (_, body) => {
		emulator.fault({ status: 200, body });
		const error = await message.error(hello);
		expect(error.message).toMatch(/response is not/);
		expect(error).toMatchObject({ http_status: 200, attempts: 1 });
	});

	test('an unknown model is an error that says so', async () => {
		const error = await message.error({ ...hello, model: 'acme/none' });
		expect(error).toMatchObject({ http_status: 400, code: 20012, attempts: 1 });
		expect(error.description).toMatch(/Unknown model/);
	});

	testWhere('tokenDisplay')('tokens go to the display of n8n, those of a failed item too', async () => {
		answerWith({});
		const { run } = await message.run(
			{ ...hello, options: { responseFormat: 'json' } },
			{ items: [{}, {}, {}], onError: 'continueRegularOutput' },
		);
		expect(run.data.resultData.runData.Node![0]!.metadata).toMatchObject({
			tokenUsage: { inputTokens: 21, outputTokens: 6 },
		});
	});
});

test('a text block whose text is not a string is left out of the text', async () => {
	const content = [
		{ type: 'text', text: { a: 1 } },
		{ type: 'text', text: 'Hi' },
	];
	answerWith({ content });
	expect(await message.json(hello)).toMatchObject({ text: 'Hi' });
});

describe('JSON as the response format', () => {
	const asJson: INodeParameters = { ...hello, options: { responseFormat: 'json' } };

	test.each<[string, unknown]>([
		['{"a":[1,null]}', { a: [1, null] }],
		[' [1]\n', [1]],
		['"text"', 'text'],
		['12', 12],
		['null', null],
		['```json\n{"a":1}\n```', { a: 1 }],
		['\n```\n{"a":1}\n```\n', { a: 1 }],
		['```json {"a":1} ```', { a: 1 }],
		['```{"a":1}```', { a: 1 }],
		['{"a":"```"}', { a: '```' }],
		['```json\n{"a":"```sh\\nls\\n```"}\n```', { a: '```sh\nls\n```' }],
		['``` json\n[1]\n```', [1]],
		['```jsonc\n[1]\n```', [1]],
		['````\n[1]\n````', [1]],
		['~~~json\n[1]\n~~~', [1]],
		['Install:\n```sh\nnpm i\n```\nThe answer:\n```json\n{"b":2}\n```\nThat is all.', { b: 2 }],
		['```123```', 123],
		['```json\n{"a":1}', { a: 1 }],
	])('parses %j', async (text, json) => {
		answerWith({ content: [{ type: 'text', text }] });
		expect(await message.json(asJson)).toMatchObject({ text, json });
	});

	test.each(['Sure: {"a":1}', '', '{"a":', '```json\nno\n```'])(
		'fails the item for %j, with the text',
		async (text) => {
			answerWith({ content: [{ type: 'text', text }] });
			const error = await message.error(asJson);
			expect(error.message).toMatch(/^The generated text is not valid JSON/);
			if (text !== '') expect(error.description).toContain(`Text received so far: ${text}`);
			expect(error).toMatchObject({ http_status: 200, attempts: 1 });
		},
	);

	test.each([
		['x', "'x'"],
		['Sure:\n```json\n[y]\n```', "'y'"],
	])('names what is wrong with %j, inside a fence if it has one', async (text, wrong) => {
		answerWith({ content: [{ type: 'text', text }] });
		expect((await message.error(asJson)).message).toContain(wrong);
	});

	test('gives up on text that consists only of fences', async () => {
		answerWith({ content: [{ type: 'text', text: '```[x '.repeat(30_000) }] });
		expect((await message.error(asJson)).message).toMatch(/^The generated text is not valid JSON/);
	});

	test('says so when the text was cut off', async () => {
		answerWith({ content: [{ type: 'text', text: '{"a":' }], stop_reason: 'max_tokens' });
		const error = await message.error(asJson);
		expect(error.message).toMatch(/cut off: raise 'Max Tokens'/);
	});

	test.each(['No.', '', '{"a":1}'])('fails for the refusal %j, and says that it is one', async (text) => {
		answerWith({ content: [{ type: 'text', text }], stop_reason: 'refusal' });
		const refusedMessage = await message.error(asJson);
		const choices = [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'refusal' }];
		emulator.fault({ path: '/chat/completions', status: 200, body: { choices } });
		const refusedChat = await message.error({ ...asJson, operation: 'chat' });
		for (const error of [refusedMessage, refusedChat]) {
			expect(error.message).toBe('The reply was blocked for a potential policy violation');
			expect(error.description).toMatch(/^Change what the model is asked/);
			expect(error).toMatchObject({ http_status: 200, attempts: 1 });
		}
	});

	test('is null while the model waits for tools', async () => {
		answerWith({
			stop_reason: 'tool_use',
			content: [
				{ type: 'text', text: 'Looking.' },
				{ type: 'tool_use', id: 't1', name: 'find', input: { q: 1 } },
			],
		});
		expect(await message.json(asJson)).toMatchObject({
			json: null,
			tool_calls: [{ id: 't1', name: 'find', input: { q: 1 } }],
		});
	});

	test('is part of the answer of the emulator, and of a chat', async () => {
		const messages = saying({ content: 'Answer as JSON between fences' });
		for (const operation of ['create', 'chat']) {
			expect(await message.json({ ...asJson, operation, messages })).toMatchObject({
				text: expect.stringContaining('```'),
				json: { words: 5 },
			});
		}
	});

	test('changes nothing about the raw answer', async () => {
		answerWith({});
		expect(await message.json({ ...asJson, simplify: false })).toEqual(MESSAGE);
	});
});

describe('chat', () => {
	test('asks for a stream, and sends nothing that the service does not know', async () => {
		await message.run(chat);
		expect(emulator.requests[0]).toMatchObject({ method: 'POST', path: '/chat/completions', status: 200 });
		expect(sentBody()).toEqual({
			model: MODEL,
			max_tokens: 1024,
			messages: [{ role: 'user', content: 'Hello there' }],
			stream: true,
		});
	});

	test('asks for no stream when that is switched off', async () => {
		await message.run({ ...chat, options: { stream: false } });
		expect(sentBody()).not.toHaveProperty('stream');
	});

	test.each([null, '', '={{ null }}'])('sends no limit if Max Tokens is empty (%j)', async (maxTokens) => {
		await message.run({ ...chat, maxTokens });
		expect(sentBody()).not.toHaveProperty('max_tokens');
	});

	test('sends the system prompt first, more than 10 messages, and extra fields', async () => {
		emulator.fault({
			path: '/chat/completions',
			status: 200,
			body: { choices: [{ message: { content: 'Hi' } }] },
		});
		await message.run({
			...chat,
			messages: saying({ role: 'system', content: 'Be kind.' }, ...list(12)),
			maxTokens: 9,
			options: { system: 'Be brief.', stream: false, extraBody: '{"new_option":7}' },
		});
		expect(sentBody()).toEqual({
			model: MODEL,
			max_tokens: 9,
			messages: [
				{ role: 'system', content: 'Be brief.' },
				{ role: 'system', content: 'Be kind.' },
				...list(12),
			],
			new_option: 7,
		});
	});

	test.each([
		[[{ role: 'system', content: 'Be kind.' }, ...list(1)], {}, ['Be kind.']],
		[
			[{ role: 'system', content: 'Be kind.' }, ...list(1)],
			{ system: 'Be brief.' },
			['Be brief.', 'Be kind.'],
		],
		[[{ role: 'system', content: 'Be kind.' }, ...list(1)], { system: ' ' }, ['Be kind.']],
		[list(1), {}, []],
	])(
		'asks for JSON at the end of the system prompt, wherever that stands (%#)',
		async (turns, options, prompts) => {
			emulator.fault({
				path: '/chat/completions',
				status: 200,
				body: { choices: [{ message: { content: '1' } }] },
			});
			await message.run({
				...chat,
				messages: saying(...turns),
				options: { ...options, stream: false, responseFormat: 'json' },
			});
			const [first, ...others] = prompts;
			const line = 'Answer with JSON only, without code fences.';
			const asking = first === undefined ? line : `${first}\n${line}`;
			expect((sentBody().messages as object[]).slice(0, -1)).toEqual(
				[asking, ...others].map((content) => ({ role: 'system', content })),
			);
		},
	);

	test('does not count the system prompt as one of the last messages', async () => {
		await message.run({
			...chat,
			messages: saying(...list(4)),
			options: { system: 'S', keepLastMessages: 1 },
		});
		expect(sentBody().messages).toEqual([{ role: 'system', content: 'S' }, list(4)[3]]);
	});

	test.each([true, false])('gives a flat output (stream %s)', async (stream) => {
		expect(await message.json({ ...chat, options: { stream } })).toEqual({
			text: 'You wrote “Hello there”. That is a message of 2 words, and this is the answer to it.',
			reasoning: 'Words in the last message: 2.',
			finish_reason: 'stop',
			model: MODEL,
			id: 'chat_000001',
			input_tokens: expect.any(Number),
			output_tokens: expect.any(Number),
		});
	});

	test('gives the completion without simplify, the same for a stream', async () => {
		const parameters = (stream: boolean) => ({ ...chat, simplify: false, options: { stream } });
		const unstreamed = await message.json(parameters(false));
		expect(unstreamed).toMatchObject({
			choices: [{ message: { role: 'assistant' }, finish_reason: 'stop' }],
		});
		emulator.reset();
		expect(await message.json(parameters(true))).toEqual(unstreamed);
	});

	test('has null for what the service does not give', async () => {
		emulator.fault({ status: 200, body: { choices: [{ message: { content: null } }] } });
		expect(await message.json(chat)).toEqual({
			text: null,
			reasoning: null,
			finish_reason: null,
			model: null,
			id: null,
			input_tokens: null,
			output_tokens: null,
		});
	});

	test('without choices is an error', async () => {
		emulator.fault({ status: 200, body: { choices: [] } });
		const error = await message.error(chat);
		expect(error.message).toMatch(/no choices/);
	});

	testWhere('tokenDisplay')('reports tokens', async () => {
		const { run } = await message.run(chat);
		expect(run.data.resultData.runData.Node![0]!.metadata).toMatchObject({
			tokenUsage: { inputTokens: expect.any(Number), outputTokens: expect.any(Number) },
		});
	});
});

test('an overload is retried, a timeout is not', async () => {
	emulator.fault({ status: 503, times: 1, headers: { 'retry-after': '0' } });
	expect(await message.json(hello)).toMatchObject({ stop_reason: 'end_turn' });
	expect(emulator.requests).toHaveLength(2);
	emulator.reset();
	emulator.fault({ stall: 'before-headers', times: Infinity });
	const error = await message.error({ ...hello, options: { timeout: 50 } });
	expect(error.message).toMatch(/^Timed out/);
	expect(error.description).toMatch(/makes this rarer\.\nThe request may be billed\.$/m);
	expect(emulator.requests).toHaveLength(1);
	const ofChat = await message.error({ ...chat, options: { timeout: 50, stream: true } });
	expect(ofChat.description).toMatch(/'Timeout \(Milliseconds\)'\.\nThe request may be billed\.$/m);
});

describe('the hint after a run', () => {
	const END = {
		refused: 'blocked for a potential policy violation.',
		cutOff: "ended at the token limit: raise 'Max Tokens'.",
	};

	const SAME = "All 3 requests were the same: drag a field from the input into 'Content'.";

	const differing = saying({ role: 'user', content: '=Hello {{ $json.n }}' });

	async function hintAfter(parameters: INodeParameters, input?: NodeInput): Promise<string> {
		const items = [{ n: 1 }, { n: 2 }, { n: 3 }];
		const all = { ...hello, messages: differing, ...parameters };
		const { run } = await message.run(all, { items, ...input });
		return (run.data.resultData.runData.Node![0]!.hints ?? []).map(({ message: text }) => text).join();
	}

	function endMessages(...reasons: string[]) {
		for (const reason of reasons) {
			const body = { ...MESSAGE, stop_reason: reason };
			emulator.fault({ path: '/messages', status: 200, body });
		}
	}

	test('counts the refusals and the replies that were cut off', async () => {
		endMessages('refusal', 'max_tokens', 'refusal');
		const hint = await hintAfter({});
		expect(hint).toMatch(`2 replies ${END.refused}<br>1 reply ${END.cutOff}<br>Tokens: `);
	});

	test('counts those of chats', async () => {
		for (const reason of ['length', 'refusal', 'length']) {
			const choices = [{ index: 0, message: { role: 'assistant', content: 'A' }, finish_reason: reason }];
			emulator.fault({ path: '/chat/completions', status: 200, body: { choices } });
		}
		expect(await hintAfter({ operation: 'chat' })).toBe(`1 reply ${END.refused}<br>2 replies ${END.cutOff}`);
	});

	test('counts those that fail because of their format', async () => {
		endMessages('end_turn', 'refusal', 'max_tokens');
		const hint = await hintAfter(
			{ options: { responseFormat: 'json' } },
			{ onError: 'continueRegularOutput' },
		);
		expect(hint).toMatch(`1 reply ${END.refused}<br>1 reply ${END.cutOff}<br>3 of 3 items failed: `);
	});

	const same = { messages: hello.messages };

	test('says nothing of replies that are complete', async () => {
		endMessages('end_turn', 'tool_use', 'end_turn');
		expect(await hintAfter({})).toMatch(/^Tokens: [^<]+$/);
	});

	testWhere('redaction')('says nothing of replies or equal requests where data is redacted', async () => {
		const redacted = { settings: { redactionPolicy: 'all' as const } };
		expect(await hintAfter(same, redacted)).not.toContain('same');
		endMessages('refusal', 'max_tokens', 'refusal');
		expect(await hintAfter({}, redacted)).toMatch(/^Tokens: [^<]+$/);
	});

	const sameJson = { messagesSource: 'json', messagesJson: [{ role: 'user', content: 'Hello' }] };

	test.each<[string, INodeParameters, string]>([
		['messages', same, SAME],
		['chats', { ...same, operation: 'chat' }, SAME],
		['messages in JSON', sameJson, SAME.replace('Content', 'Messages (JSON)')],
	])('says that %s were the same for all items', async (_, parameters, expected) => {
		expect(await hintAfter(parameters)).toMatch(expected);
		expect(emulator.requests).toHaveLength(3);
	});

	test('says so for two items, and for items that fail', async () => {
		const two = { items: [{ n: 1 }, { n: 2 }] };
		expect(await hintAfter(same, two)).toMatch(/^Both requests were the same: /);
		emulator.fault({ status: 400 });
		expect(await hintAfter(same, { ...two, onError: 'continueRegularOutput' })).toMatch(
			/^Both requests were the same: .*<br>1 of 2 items failed: The request is not valid\./,
		);
	});

	test.each<[string, INodeParameters, NodeInput]>([
		['one item', same, { items: [{ n: 1 }] }],
		['a message that differs at the end', {}, { items: [{ n: 1 }, { n: 1 }, { n: 2 }] }],
		['a message that differs and is then repeated', {}, { items: [{ n: 1 }, { n: 2 }, { n: 1 }] }],
		['another system prompt', { ...same, options: { system: '=Be {{ $json.n }}' } }, {}],
	])('says nothing of equal requests with %s', async (_, parameters, input) => {
		expect(await hintAfter(parameters, input)).not.toContain('same');
	});
});
