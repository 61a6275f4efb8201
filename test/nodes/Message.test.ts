import { DynamicStructuredTool, DynamicTool } from '@langchain/core/tools';
import type { IDataObject, INodeParameters, StructuredChunk } from 'n8n-workflow';
import { z } from 'zod/v3';

import type { Fault } from '../../emulator/Emulator';
import { testWhere } from '../support/host';
import {
	MESSAGE_TOOL,
	messageWithTools,
	saying as asking,
	toolNodes,
	type ToolRun,
} from '../support/messageWithTools';
import { driverOf, nodeDriver, wrongParameter } from '../support/nodeDriver';
import { nodeTypes, readErrorItem } from '../support/runNode';
import { useEmulator } from '../support/useEmulator';
import { useLog } from '../support/useLog';

const emulator = useEmulator();

const message = nodeDriver('message', emulator);

const MODEL = 'acme/quick-1';

const saying = (...message: object[]) => ({ message }) as unknown as INodeParameters;

const hello: INodeParameters = { model: MODEL, messages: saying({ role: 'user', content: 'Hello there' }) };

const sentBody = (index = 0) => emulator.requests[index]?.body as IDataObject & { messages: IDataObject[] };

/** Makes the service answer every request with this message. */
function answerWithMessage(message: object) {
	emulator.answer({ ...MESSAGE, ...message }, { path: '/messages', times: Infinity });
}

function replyInChat(content: string | null) {
	emulator.answer({ choices: [{ message: { content } }] }, { path: '/chat/completions' });
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

describe('the request of Generate Message', () => {
	test('has only the model, the messages and Max Tokens if no option is set', async () => {
		await message.run(hello);
		expect(emulator.requests).toHaveLength(1);
		expect(emulator.requests[0]).toMatchObject({ method: 'POST', path: '/messages', status: 200 });
		expect(sentBody()).toEqual({
			model: MODEL,
			messages: [{ role: 'user', content: 'Hello there' }],
			max_tokens: 1024,
		});
	});

	test('has numbers and booleans where expressions give them as text', async () => {
		const contents = ['={{ 5 }}', '={{ true }}', '={{ "Hi" }}'];
		const turns = contents.map((content, index) => ({ role: index === 1 ? 'assistant' : 'user', content }));
		await message.run({ ...hello, messages: { message: turns } });
		expect(sentBody().messages.map(({ content }) => content)).toEqual(['5', 'true', 'Hi']);
	});

	test.each<[name: string, options: INodeParameters, fields: object]>([
		['system', { system: 'Be brief.' }, { system: 'Be brief.' }],
		[
			'responseFormat json',
			{ responseFormat: 'json' },
			{ system: 'Answer with JSON only, without code fences.' },
		],
		[
			'system before what responseFormat json asks for',
			{ system: 'Be brief.', responseFormat: 'json' },
			{ system: 'Be brief.\nAnswer with JSON only, without code fences.' },
		],
		['stopSequences', { stopSequences: ['END', '', '##'] }, { stop_sequences: ['END', '##'] }],
		['one stop sequence by an expression', { stopSequences: '={{ "END" }}' }, { stop_sequences: ['END'] }],
		['temperature', { temperature: 0 }, { temperature: 0 }],
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
				toolName: ' find ',
			},
			{
				tools: [
					{ name: 'find', description: 'Finds it', input_schema: { type: 'object' } },
					{ name: 'drop', input_schema: { type: 'object', properties: {} } },
				],
				tool_choice: { type: 'tool', name: 'find' },
			},
		],
		['extraBody as an object', { extraBody: '={{ { system: "S" } }}' }, { system: 'S' }],
	])('has the option %s if it is set', async (_, options, fields) => {
		await message.run({ ...hello, options });
		expect(sentBody()).toEqual({
			model: MODEL,
			messages: [{ role: 'user', content: 'Hello there' }],
			max_tokens: 1024,
			...fields,
		});
	});

	test('lacks every option that is set to an empty value', async () => {
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

	test('has Extra Body Fields in place of its own, even with empty values', async () => {
		answerWithMessage({});
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

	test('has Messages (JSON), given as text or a list, with further fields and blocks unchanged', async () => {
		const conversation = [
			{ role: 'user', content: [{ type: 'text', text: 'Hi', cache: true }], name: 'Ann' },
			{ role: 'assistant', content: 'Hello, Ann' },
		];
		for (const messagesJson of [JSON.stringify(conversation), '={{ $json.history }}']) {
			emulator.reset();
			answerWithMessage({});
			await message.run(
				{ ...hello, messagesSource: 'json', messagesJson },
				{ items: [{ history: conversation }] },
			);
			expect(sentBody().messages).toEqual(conversation);
		}
	});

	test('has only the last 3 of 25 messages with Keep Last Messages on 3', async () => {
		await message.run({
			...hello,
			messagesSource: 'json',
			messagesJson: JSON.stringify(list(25)),
			options: { keepLastMessages: 3 },
		});
		expect(sentBody().messages).toEqual(list(25).slice(-3));
	});
});

describe('a system message at the beginning', () => {
	const system = { role: 'system', content: 'Be brief.' };

	test.each([
		['stays, and does not count', [system, ...list(6)], 4, [system, ...list(6).slice(-4)]],
		['stays beside a single message', [system, ...list(6)], 1, [system, ...list(6).slice(-1)]],
		['is sent once if all messages are kept', [system, ...list(4)], 4, [system, ...list(4)]],
		['is sent once if there are fewer messages', [system, ...list(2)], 10, [system, ...list(2)]],
		['stays if it is the only one', [system], 1, [system]],
		[
			'stays with those that follow it',
			[system, system, ...list(6)],
			2,
			[system, system, ...list(6).slice(-2)],
		],
		['does not stay if it comes later', [...list(1), system, ...list(3)], 2, list(3).slice(-2)],
	])('with Keep Last Messages, %s', async (_, messages, keepLastMessages, sent) => {
		await message.run({ ...chat, messages: saying(...messages), options: { keepLastMessages } });
		await message.run({
			...chat,
			messagesSource: 'json',
			messagesJson: JSON.stringify(messages),
			options: { keepLastMessages },
		});
		expect([0, 1].map((index) => sentBody(index).messages)).toEqual([sent, sent]);
	});

	test('is refused by Generate Message, which names the option for it', async () => {
		const messagesJson = JSON.stringify([system, ...list(6)]);
		const parameters = { ...hello, messagesSource: 'json', messagesJson, options: { keepLastMessages: 4 } };
		const error = await message.error(parameters);
		expect(error.message).toContain('message 1 must have one of the roles user, assistant');
		expect(error.description).toContain("'System Prompt'");
		expect(emulator.requests).toEqual([]);
	});
});

test('Max Tokens that is left empty means its default', async () => {
	await message.run({ ...hello, maxTokens: '' });
	expect(sentBody(0)).toMatchObject({ max_tokens: 1024 });
});

describe('before it sends a request, the node', () => {
	const json = (value: unknown): INodeParameters => ({
		messagesSource: 'json',
		messagesJson: typeof value === 'string' ? value : JSON.stringify(value),
	});
	const tool = (...all: object[]): INodeParameters => ({
		options: { tools: { tool: all.map((fields) => ({ name: 'find', inputSchema: '{}', ...fields })) } },
	});
	const TEXT_OR_LIST = 'must have content that is text or a list';
	const USER_ONLY = 'must have one of the roles user, assistant, not "system"';
	const ANY_ROLE = 'must have one of the roles user, assistant, system';
	const BLOCKS = [{ role: 'user', content: [{ type: 'text', text: 'a' }] }];

	// The limits of number fields are missing here, because descriptions.test.ts compares them with the contract.
	test.each<[field: string, rule: string, INodeParameters]>([
		['model', 'must have a value, but {{ " " }} has none', { model: '={{ " " }}' }],
		['maxTokens', 'must be a whole number of 1 or more', { maxTokens: 0 }],
		['messages', 'must have at least one message', { messages: saying() }],
		['messages: message 1', 'must have content', { messages: saying({ content: ' ' }) }],
		['messages: message 1', 'must have content', { messages: saying({ content: '\u200b' }) }],
		[
			'messages: message 2',
			USER_ONLY,
			{ messages: saying({ content: 'a' }, { role: 'system', content: 'b' }) },
		],
		['messages', 'must have at most 10 messages, but has 11', { messages: saying(...list(11)) }],
		['options.tools: tool 1: "Name" (name)', 'must not be empty', tool({ name: ' ' })],
		[
			'options.tools: tool "find": "Input Schema" (inputSchema)',
			'must be a JSON object',
			tool({ name: ' find ', inputSchema: '[]' }),
		],
		['options.tools: tool "a"', 'must have a unique name', tool({ name: 'a' }, { name: 'a' })],
		['messagesJson', 'must be a list', json({ role: 'user' })],
		['messagesJson', 'must have at least one', json([])],
		['messagesJson: message 1', 'must be an object', json(['hi'])],
		[
			'messagesJson: message 1',
			USER_ONLY,
			{ ...json([{ role: 'system', content: 'a' }, ...list(12)]), options: { keepLastMessages: 10 } },
		],
		['messagesJson: message 1', 'must have content', json([{ role: 'user' }])],
		['messagesJson: message 1', TEXT_OR_LIST, json([{ role: 'user', content: 4 }])],
		['messagesJson: message 1', TEXT_OR_LIST, json([{ role: 'user', content: [] }])],
		['messagesJson: message 1', TEXT_OR_LIST, json([{ role: 'user', content: [{}] }])],
		['messagesJson: message 1', 'must have content that is text', { operation: 'chat', ...json(BLOCKS) }],
		['options.keepLastMessages', 'must be a whole number of 1 or more', { options: { keepLastMessages: 0 } }],
		['options.maxToolRounds', 'must be a whole number from 1 to 4', { options: { maxToolRounds: 0 } }],
		['options.maxToolRounds', 'must be a whole number from 1 to 4', { options: { maxToolRounds: 5 } }],
		['options.toolName', 'must name the tool', { options: { toolChoice: 'tool' } }],
		[
			'options.toolName',
			'must be the name of a tool, but',
			{ options: { toolChoice: 'tool', toolName: 'x' } },
		],
		['options.extraBody', 'must be an object', { options: { extraBody: '[]' } }],
		['options.extraBody', 'must not set stream', { options: { extraBody: '{"stream":false}' } }],
		[
			'messages: message 1',
			ANY_ROLE,
			{ operation: 'chat', messages: saying({ role: '={{ "tool" }}', content: 'a' }) },
		],
	])('refuses a wrong value: %s %s (%j)', async (field, rule, parameters) => {
		expect(await message.refusal({ ...hello, ...parameters })).toMatch(wrongParameter(field, rule));
	});
});

describe('after the reply, Generate Message', () => {
	test.each([
		['Generate Message', hello],
		['Chat', chat],
	])(
		"outputs exactly the fields that n8n's AI builder is told about (operation: %s)",
		async (_, parameters) => {
			const { extraTypeDefContent } =
				nodeTypes['n8n-nodes-inference-service.message']!.description.builderHint!;
			const line = new RegExp(`- "${String(parameters.operation ?? 'create')}": (.*)`);
			const told = line.exec(extraTypeDefContent![0]!.content)![1]!;
			expect(told.split(', ')).toEqual(Object.keys(await message.json(parameters)));
		},
	);

	test('outputs the text, the tool calls and the tokens as flat fields', async () => {
		answerWithMessage({
			content: [
				{ type: 'text', text: 'One. ' },
				{ type: 'thinking', thinking: 'hm' },
				{ type: 'note', text: 'not said' },
				{ type: 'text', text: { a: 1 } },
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

	test('outputs null for what the service leaves out', async () => {
		emulator.answer({ content: [] });
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

	test.each<[name: string, options: INodeParameters, expected: object]>([
		['end_turn', {}, { stop_reason: 'end_turn', stop_sequence: null }],
		[
			'end_turn by a stop sequence',
			// The emulator's reply contains the word "message".
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
	])('outputs the stop reason %s, streamed or not', async (_, options, expected) => {
		const parameters = (stream: boolean) =>
			({ ...hello, options: { ...options, stream } }) as INodeParameters;
		const unstreamed = await message.json(parameters(false));
		expect(unstreamed).toMatchObject(expected);
		emulator.reset();
		expect(await message.json(parameters(true))).toEqual(unstreamed);
	});

	test('outputs the response body unchanged with Simplify off', async () => {
		answerWithMessage({ extra: { deep: [1] } });
		expect(await message.json({ ...hello, simplify: false })).toEqual({
			...MESSAGE,
			extra: { deep: [1] },
		});
	});

	test('outputs the same body for a stream with Simplify off', async () => {
		const parameters = (stream: boolean) => ({ ...hello, simplify: false, options: { stream } });
		const unstreamed = await message.json(parameters(false));
		emulator.reset();
		expect(await message.json(parameters(true))).toEqual(unstreamed);
	});

	test.each([
		['no content', { id: 'x' }],
		['content that is a text', { ...MESSAGE, content: 'Yes.' }],
		['a list', [1]],
	])('fails the item if a response with status 200 has %s', async (_, body) => {
		emulator.answer(body);
		const error = await message.error(hello);
		expect(error.message).toMatch(/response is not/);
		expect(error).toMatchObject({ http_status: 200, attempts: 1 });
	});

	testWhere('tokenDisplay')(
		"n8n's display of tokens counts those of every item, also of a failed one",
		async () => {
			answerWithMessage({});
			const { run } = await message.run(
				{ ...hello, options: { responseFormat: 'json' } },
				{ items: [{}, {}, {}], onError: 'continueRegularOutput' },
			);
			expect(run.data.resultData.runData.Node![0]!.metadata).toMatchObject({
				tokenUsage: { inputTokens: 21, outputTokens: 6 },
			});
		},
	);
});

describe('Response Format JSON', () => {
	const asJson: INodeParameters = { ...hello, options: { responseFormat: 'json' } };

	test.each<[text: string, json: unknown]>([
		[' [1,null]\n', [1, null]],
		['"text"', 'text'],
		['```json\n{"a":1}\n```', { a: 1 }],
		['```json {"a":1} ```', { a: 1 }],
		['```{"a":1}```', { a: 1 }],
		['{"a":"```"}', { a: '```' }],
		['```json\n{"a":"```sh\\nls\\n```"}\n```', { a: '```sh\nls\n```' }],
		['``` json\n[1]\n```', [1]],
		['~~~~\n[1]\n~~~~', [1]],
		['The answer:\n```json\n{"b":2}\n```\nIn a shell:\n```sh\nnpm i\n```', { b: 2 }],
		['Install:\n```sh\nnpm i\n```\nThe answer:\n```json\n{"b":2}\n```\nThat is all.', { b: 2 }],
		['```sh\nnpm i\n```\nThen:\n```json\n{"b":2}\n```\nThen:\n```sh\nnpm t\n```', { b: 2 }],
		['```123```', 123],
		['First:\n```json\n{"a":1}\n```\nBetter:\n```json\n{"b":2}\n```', { b: 2 }],
		['```json\n{"a":1}\n```\nor ```json {"b":2}```, if you like', { b: 2 }],
		['```\n1\n```\n```json\n{"a":"```2```"}\n```\n```sh\nls\n```', { a: '```2```' }],
		['```json\n{"a":"x ```3``` y"}\n```', { a: 'x ```3``` y' }],
		['```{"a":"```4```"}```', { a: '```4```' }],
		['```json\n{"old":1}\n```\n```json\n{"new":2}', { new: 2 }],
		['```json\n{"a":1}', { a: 1 }],
	])('parses the reply %j', async (text, json) => {
		answerWithMessage({ content: [{ type: 'text', text }] });
		expect(await message.json(asJson)).toMatchObject({ text, json });
	});

	test.each(['Sure: {"a":1}', '', '{"a":', '```json\nno\n```'])(
		'fails the item for the reply %j, and shows the text',
		async (text) => {
			answerWithMessage({ content: [{ type: 'text', text }] });
			const error = await message.error(asJson);
			expect(error.message).toMatch(/^The generated text is not valid JSON/);
			if (text !== '') expect(error.description).toContain(`Text received so far: ${text}`);
			expect(error).toMatchObject({ http_status: 200, attempts: 1 });
		},
	);

	test.each([
		['{"a":', 'max_tokens', /raise 'Max Tokens'/],
		['12', 'max_tokens', /raise 'Max Tokens'/],
		['{"a":1}', 'length', /raise 'Max Tokens'/],
		['```json\n[1]\n```\nAnd', 'max_tokens', /raise 'Max Tokens'/],
		['[1', 'model_context_window_exceeded', /send less/],
	])('fails the item for %j with the stop reason %s, and says what to do', async (text, reason, advice) => {
		answerWithMessage({ content: [{ type: 'text', text }], stop_reason: reason });
		const choices = [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: reason }];
		emulator.answer({ choices }, { path: '/chat/completions' });
		for (const operation of ['create', 'chat']) {
			const error = await message.error({ ...asJson, operation });
			expect(error.message).toBe('The reply was cut off, so it is not complete JSON');
			expect(error.description).toMatch(advice);
			expect(error.description).toContain(`Text received so far: ${text}`);
		}
	});

	test("shows the model's words if it refused in them", async () => {
		const choices = [{ message: { content: null, refusal: 'I will not.' }, finish_reason: 'stop' }];
		emulator.answer({ choices }, { path: '/chat/completions' });
		const error = await message.error({ ...asJson, operation: 'chat' });
		expect(error.message).toBe('The model refused: I will not.');
	});

	test.each(['No.', ''])('says that the reply %j was blocked if the stop reason is refusal', async (text) => {
		answerWithMessage({ content: [{ type: 'text', text }], stop_reason: 'refusal' });
		const refusedMessage = await message.error(asJson);
		const choices = [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'refusal' }];
		emulator.answer({ choices }, { path: '/chat/completions' });
		const refusedChat = await message.error({ ...asJson, operation: 'chat' });
		for (const error of [refusedMessage, refusedChat]) {
			expect(error.message).toBe('The reply was blocked for a potential policy violation');
			expect(error.description).toMatch(/^Change the prompt/);
			expect(error).toMatchObject({ http_status: 200, attempts: 1 });
		}
	});

	test('outputs null for a reply that calls a tool', async () => {
		answerWithMessage({
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

	test('parses JSON between code fences in a chat', async () => {
		const text = '```json\n{"words":5}\n```';
		const choices = [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }];
		emulator.answer({ choices }, { path: '/chat/completions' });
		expect(await message.json({ ...asJson, operation: 'chat' })).toMatchObject({ text, json: { words: 5 } });
	});

	test('changes nothing with Simplify off', async () => {
		answerWithMessage({});
		expect(await message.json({ ...asJson, simplify: false })).toEqual(MESSAGE);
	});
});

describe('Chat', () => {
	test('asks for a stream, and sends only fields that the service knows', async () => {
		await message.run(chat);
		expect(emulator.requests[0]).toMatchObject({ method: 'POST', path: '/chat/completions', status: 200 });
		expect(sentBody()).toEqual({
			model: MODEL,
			max_tokens: 1024,
			messages: [{ role: 'user', content: 'Hello there' }],
			stream: true,
		});
	});

	test.each([null, ''])('sends no max_tokens if Max Tokens is empty (%j)', async (maxTokens) => {
		await message.run({ ...chat, maxTokens });
		expect(sentBody()).not.toHaveProperty('max_tokens');
	});

	test('sends the System Prompt first, more than 10 messages, and Extra Body Fields', async () => {
		replyInChat('Hi');
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

	test.each<[name: string, turns: IDataObject[], options: INodeParameters, prompts: string[]]>([
		['a system message', [{ role: 'system', content: 'Be kind.' }, ...list(1)], {}, ['Be kind.']],
		[
			'the option and a system message',
			[{ role: 'system', content: 'Be kind.' }, ...list(1)],
			{ system: 'Be brief.' },
			['Be brief.', 'Be kind.'],
		],
		[
			'a blank option and a system message',
			[{ role: 'system', content: 'Be kind.' }, ...list(1)],
			{ system: ' ' },
			['Be kind.'],
		],
		['neither', list(1), {}, []],
	])(
		'with Response Format JSON asks for JSON at the end of the first system prompt: %s',
		async (_, turns, options, prompts) => {
			replyInChat('1');
			await message.run({
				...chat,
				messages: saying(...turns),
				options: { ...options, stream: false, responseFormat: 'json' },
			});
			const [first, ...others] = prompts;
			const line = 'Answer with JSON only, without code fences.';
			const asking = first === undefined ? line : `${first}\n${line}`;
			expect(sentBody().messages.slice(0, -1)).toEqual(
				[asking, ...others].map((content) => ({ role: 'system', content })),
			);
		},
	);

	test('does not count the System Prompt as one of Keep Last Messages', async () => {
		await message.run({
			...chat,
			messages: saying(...list(4)),
			options: { system: 'S', keepLastMessages: 1 },
		});
		expect(sentBody().messages).toEqual([{ role: 'system', content: 'S' }, list(4)[3]]);
	});

	test.each([true, false])('outputs flat fields (streamed: %s)', async (stream) => {
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

	test('outputs the whole completion with Simplify off, streamed or not', async () => {
		const parameters = (stream: boolean) => ({ ...chat, simplify: false, options: { stream } });
		const unstreamed = await message.json(parameters(false));
		expect(unstreamed).toMatchObject({
			choices: [{ message: { role: 'assistant' }, finish_reason: 'stop' }],
		});
		emulator.reset();
		expect(await message.json(parameters(true))).toEqual(unstreamed);
	});

	test.each([true, false])(
		'outputs the reasoning under its other name too (streamed: %s)',
		async (stream) => {
			const thought = { content: 'Hi', reasoning: 'Short.' };
			if (stream) {
				const chunks = [{ choices: [{ delta: thought, finish_reason: 'stop' }] }].map(
					(chunk) => `data: ${JSON.stringify(chunk)}\n\n`,
				);
				emulator.fault({ stream: [...chunks, 'data: [DONE]\n\n'].map((bytes) => ({ bytes })) });
			} else {
				emulator.answer({ choices: [{ message: { role: 'assistant', ...thought }, finish_reason: 'stop' }] });
			}
			expect(await message.json({ ...chat, options: { stream } })).toMatchObject({
				text: 'Hi',
				reasoning: 'Short.',
			});
		},
	);

	test('outputs null for what the service leaves out', async () => {
		replyInChat(null);
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

	test('fails if the response has no choices', async () => {
		emulator.answer({ choices: [] });
		const error = await message.error(chat);
		expect(error.message).toMatch(/no choices/);
	});
});

test.each([
	['message', hello],
	['chat', chat],
])('a %s that timed out is not retried', async (_, parameters) => {
	emulator.fault({ stall: 'before-headers', times: Infinity });
	const error = await message.error({ ...parameters, options: { timeout: 50 } });
	expect(error).toMatchObject({ message: expect.stringMatching(/^Timed out/), attempts: 1 });
	expect(emulator.requests).toHaveLength(1);
});

test("the error of a message that timed out names the option 'Stream From Service', unless it is on", async () => {
	emulator.fault({ stall: 'before-headers', times: Infinity });
	const advice = 'Stream From Service';
	const error = await message.error({ ...hello, options: { timeout: 50 } });
	expect(error.description).toContain(advice);
	const streamed = await message.error({ ...hello, options: { timeout: 50, stream: true } });
	expect(streamed.description).not.toContain(advice);
});

const lookUp = (answer: (input: { number: number }) => unknown, name = 'look_up') =>
	new DynamicStructuredTool({
		name,
		description: 'Finds an order',
		schema: z.object({
			number: z.number().int().describe('Of the order'),
			kind: z.enum(['new', 'old']).optional(),
		}),
		func: async (input) => answer(input) as string,
	});

/** Returns a toolkit as n8n's MCP Client Tool provides it. */
const toolkit = (...tools: unknown[]) => ({ tools, getTools: () => tools });

const LOOK_UP_WIRE = {
	name: 'look_up',
	description: 'Finds an order',
	input_schema: {
		type: 'object',
		properties: {
			number: { type: 'integer', description: 'Of the order' },
			kind: { type: 'string', enum: ['new', 'old'] },
		},
		required: ['number'],
		additionalProperties: false,
	},
};

const withTools = driverOf<ToolRun>(messageWithTools(emulator), emulator);

const log = useLog('debug');

// The engine replaces n8n's logger on its first run, so that run comes before the tests collect the log.
beforeAll(async () => {
	await withTools.json({}, {});
	emulator.reset();
});

const messageCounts = () => emulator.requests.map((_, index) => sentBody(index).messages.length);

const CALL = { type: 'tool_use', id: 't1', name: 'look_up', input: { number: 1 } };

/** Makes the service answer the next request with this content. */
function reply(content: object[], reason = 'end_turn', more: Omit<Fault, 'status' | 'body'> = {}) {
	emulator.answer({ content, stop_reason: reason }, more);
}

const found = () => [lookUp(() => 'found')];

const own = (name: string) => ({ tools: { tool: [{ name, inputSchema: '{"type":"object"}' }] } });

describe('with connected tools, Generate Message', () => {
	test('offers a connected tool, runs it, and sends its result in a second request', async () => {
		const inputs: unknown[] = [];
		const json = await withTools.json(asking('look_up {"number": 7}'), {
			connected: [lookUp((input) => (inputs.push(input), `order ${input.number} is on its way`))],
		});
		expect(inputs).toEqual([{ number: 7 }]);
		expect(sentBody(0)).toMatchObject({ tools: [LOOK_UP_WIRE] });
		expect(sentBody(0)).not.toHaveProperty('tool_choice');
		expect(sentBody(1).tools).toEqual([LOOK_UP_WIRE]);
		expect(sentBody(1).messages).toEqual([
			{ role: 'user', content: 'look_up {"number": 7}' },
			{
				role: 'assistant',
				content: [
					{ type: 'text', text: 'Calling look_up.' },
					{ type: 'tool_use', id: 'toolu_000001', name: 'look_up', input: { number: 7 } },
				],
			},
			{
				role: 'user',
				content: [{ type: 'tool_result', tool_use_id: 'toolu_000001', content: 'order 7 is on its way' }],
			},
		]);
		expect(emulator.requests.map(({ status }) => status)).toEqual([200, 200]);
		expect(json).toMatchObject({
			text: 'The tool returned: order 7 is on its way',
			tool_calls: [
				{ id: 'toolu_000001', name: 'look_up', input: { number: 7 }, result: 'order 7 is on its way' },
			],
			stop_reason: 'end_turn',
		});
	});

	testWhere('tokenDisplay')('adds up the tokens of all rounds of tools', async () => {
		const connected = found();
		const { run, outputs } = await withTools.run({}, { connected });
		const { input_tokens: input, output_tokens: output } = outputs()[0]![0]!.json;
		expect(run.data.resultData.runData.Node![0]!.metadata?.tokenUsage).toEqual({
			inputTokens: input,
			outputTokens: output,
		});
		emulator.reset();
		const last = await withTools.json({ simplify: false }, { connected });
		expect(last).toMatchObject({ type: 'message', content: [{ text: 'The tool returned: found' }] });
		expect((last.usage as IDataObject).input_tokens).toBeLessThan(input as number);
	});

	test.each([
		[4, undefined],
		[1, { maxToolRounds: 1 }],
	])('leaves tool calls after %i rounds to the workflow', async (rounds, options) => {
		const json = await withTools.json({ options }, { connected: [lookUp(() => 'call look_up again')] });
		expect(emulator.requests).toHaveLength(rounds + 1);
		const calls = json.tool_calls as IDataObject[];
		expect(calls).toHaveLength(rounds + 1);
		expect(calls.map((call) => 'result' in call)).toEqual([...Array<boolean>(rounds).fill(true), false]);
		expect(json.stop_reason).toBe('tool_use');
	});

	test.each([{ maxToolRounds: 1 }, { maxToolRounds: 2 }])(
		'says in a hint how many replies were stopped at the limit of tool rounds: %j',
		async (options) => {
			const { hint } = await withTools.run(
				{ options },
				{ connected: [lookUp(() => 'call look_up again')], items: [{ json: {} }, { json: {} }] },
			);
			expect(hint()).toContain(
				"2 replies were stopped at the limit of tool rounds: raise 'Max Tool Rounds', send fewer messages, or ask for less at once.",
			);
		},
	);

	test("stops running tools at the service's limit of 10 messages", async () => {
		const turns = ['user', 'assistant', 'user', 'assistant', 'user'];
		const json = await withTools.json(
			{ messages: { message: turns.map((role) => ({ role, content: 'look_up' })) } },
			{ connected: [lookUp(() => 'call look_up again')] },
		);
		expect(messageCounts()).toEqual([5, 7, 9]);
		expect(json.tool_calls).toEqual([
			expect.objectContaining({ result: 'call look_up again' }),
			expect.objectContaining({ result: 'call look_up again' }),
			{ id: 'toolu_000003', name: 'look_up', input: expect.any(Object) },
		]);
	});

	test('fails the item if a tool cannot be loaded, with the reason in the description', async () => {
		const broken = Promise.reject(new Error('The server of the tool is down'));
		broken.catch(() => {});
		const connected = [broken];
		const [item] = await withTools.items({}, { connected, onError: 'continueRegularOutput' });
		expect(readErrorItem(item!.json).error).toMatchObject({
			message: expect.stringContaining('Tool 0'),
			description: expect.stringContaining('The server of the tool is down'),
		});
		expect(emulator.requests).toEqual([]);
	});

	test('tells the model if a tool failed', async () => {
		const fail = () => {
			throw new Error('The order book is closed');
		};
		const json = await withTools.json({}, { connected: [lookUp(fail)] });
		expect(sentBody(1).messages[2]!.content).toMatchObject([
			{ tool_use_id: 'toolu_000001', content: 'The order book is closed', is_error: true },
		]);
		expect(json).toMatchObject({
			text: 'The tool failed: The order book is closed',
			tool_calls: [{ name: 'look_up', error: 'The order book is closed' }],
		});
		expect((json.tool_calls as IDataObject[])[0]).not.toHaveProperty('result');
	});

	test('runs the tools of one turn one after another, and sends their results together', async () => {
		const order: string[] = [];
		const tool = (name: string, milliseconds: number) =>
			lookUp(async () => {
				order.push(`${name} begins`);
				await new Promise((resolve) => setTimeout(resolve, milliseconds));
				order.push(`${name} ends`);
				return { name };
			}, name);
		const json = await withTools.json(asking('first and second'), {
			connected: [toolkit(tool('first', 20), tool('second', 0))],
		});
		expect(order).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
		expect(sentBody(1).messages[2]!.content).toMatchObject([
			{ content: '{"name":"first"}' },
			{ content: '{"name":"second"}' },
		]);
		expect(json.tool_calls).toMatchObject([{ result: '{"name":"first"}' }, { result: '{"name":"second"}' }]);
	});

	test('offers tools that take plain text, have a JSON schema, have no input or lack a description', async () => {
		const schema = {
			type: 'object' as const,
			properties: { city: { type: 'string' as const } },
			required: ['city'],
		};
		const heard: unknown[] = [];
		const listen = async (input: unknown) => {
			heard.push(input);
			return 'ok';
		};
		await withTools.json(asking('echo {"input": "hi"} then weather {"city": "Bern"} then ring {}'), {
			connected: [
				toolkit(
					new DynamicTool({ name: 'echo', description: ' ', func: listen }),
					new DynamicStructuredTool({ name: 'weather', description: 'Tells it', schema, func: listen }),
					{ name: 'ring', description: 'Rings', invoke: listen },
				),
			],
		});
		expect(sentBody(0).tools).toEqual([
			{
				name: 'echo',
				input_schema: {
					type: 'object',
					properties: { input: { type: 'string' } },
					additionalProperties: false,
				},
			},
			{ name: 'weather', description: 'Tells it', input_schema: schema },
			{ name: 'ring', description: 'Rings', input_schema: { type: 'object', properties: {} } },
		]);
		expect(heard).toEqual(['hi', { city: 'Bern' }, {}]);
	});

	test('runs an ordinary node as a tool, and n8n shows it as executed', async () => {
		const { run, outputs } = await withTools.run(asking('Order_finder {"number": "12"}'), {
			ordinary: {
				toolDescription: 'Finds an order',
				number: "={{ $fromAI('number', 'Of the order', 'string') }}",
			},
		});
		expect(sentBody(0).tools).toMatchObject([
			{
				name: 'Order_finder',
				input_schema: { properties: { number: { type: 'string' } }, required: ['number'] },
			},
		]);
		expect(outputs()[0]![0]!.json.tool_calls).toMatchObject([
			{ input: { number: '12' }, result: '[{"found":"12"}]' },
		]);
		expect(run.data.resultData.runData['Order finder']).toHaveLength(1);
	});

	test('creates a connected tool once for all items, which call it at the same time', async () => {
		const { outputs } = await withTools.run(
			{ messages: { message: [{ content: '=look_up {"number": {{ $json.n }}}' }] } },
			{
				connected: [lookUp(({ number }) => `order ${number}`)],
				items: [1, 2, 3, 4].map((n) => ({ json: { n } })),
			},
		);
		expect(outputs()[0]!.map(({ json }) => json.text)).toEqual(
			[1, 2, 3, 4].map((n) => `The tool returned: order ${n}`),
		);
		expect(toolNodes['test.tool0']!.supplied).toBe(1);
	});

	test("runs tools for a stream, and writes each round's text as a paragraph to n8n's chat", async () => {
		const chunks: StructuredChunk[] = [];
		const json = await withTools.json({}, { connected: found(), onChunk: (chunk) => chunks.push(chunk) });
		expect(chunks.map(({ type }) => type)).toEqual([
			'begin',
			...Array<string>(chunks.length - 2).fill('item'),
			'end',
		]);
		expect(chunks.map(({ content }) => content ?? '').join('')).toBe(
			'Calling look_up.\n\nThe tool returned: found',
		);
		expect(json.text).toBe('The tool returned: found');
		expect(sentBody(1)).toMatchObject({ stream: true });
	});

	test("writes no empty paragraph to n8n's chat for a round without text", async () => {
		reply([{ type: 'text', text: 'One moment.' }, CALL], 'tool_use');
		reply([CALL], 'tool_use');
		reply([{ type: 'text', text: 'Found.' }]);
		let heard = '';
		const onChunk = ({ content = '' }: StructuredChunk) => void (heard += content);
		await withTools.json({}, { connected: found(), onChunk });
		expect(emulator.requests).toHaveLength(3);
		expect(heard).toBe('One moment.\n\nFound.');
	});

	test('offers connected tools next to Custom Tools, and ends at a call of a custom tool', async () => {
		const json = await withTools.json(
			{ options: own('approve'), ...asking('look_up and approve') },
			{ connected: found() },
		);
		expect(sentBody(0).tools).toMatchObject([{ name: 'approve' }, { name: 'look_up' }]);
		expect(emulator.requests).toHaveLength(1);
		expect(json.tool_calls).toEqual([
			{ id: 'toolu_000001', name: 'approve', input: {} },
			{ id: 'toolu_000002', name: 'look_up', input: expect.any(Object), result: 'found' },
		]);
		expect(json.stop_reason).toBe('tool_use');
	});

	test.each([
		[{ toolChoice: 'tool', toolName: 'look_up' }, { type: 'tool', name: 'look_up' }, undefined],
		[{ toolChoice: 'auto' }, { type: 'auto' }, { type: 'auto' }],
	])(
		'sends the tool choice %j, and forces a tool only in the first round',
		async (options, first, second) => {
			await withTools.json({ ...asking('look_up {"number": 1}'), options }, { connected: found() });
			expect([0, 1].map((index) => sentBody(index).tool_choice)).toEqual([first, second]);
		},
	);

	test('answers a call of a tool that does not exist with an error', async () => {
		reply([{ ...CALL, name: 'made_up' }], 'tool_use');
		reply([{ type: 'text', text: 'Sorry.' }]);
		const json = await withTools.json({}, { connected: found() });
		expect(sentBody(1).messages[2]!.content).toMatchObject([{ tool_use_id: 't1', is_error: true }]);
		expect(json).toMatchObject({ text: 'Sorry.', tool_calls: [{ error: 'There is no tool "made_up"' }] });
	});

	test.each<[object, advice: string]>([
		[{}, "look at 'tool_calls'."],
		[{ simplify: false }, "to see them in 'tool_calls', turn 'Simplify' on."],
	])('counts failed calls in the hint, those of unknown tools too, with %j', async (parameters, advice) => {
		reply([CALL, { ...CALL, id: 't2', name: 'made_up' }, { ...CALL, id: 't3' }], 'tool_use');
		reply([{ type: 'text', text: 'Sorry.' }]);
		let calls = 0;
		const answer = () => {
			if (calls++ > 0) throw new Error('The order book is closed');
			return 'found';
		};
		const { hint } = await withTools.run(parameters as INodeParameters, { connected: [lookUp(answer)] });
		expect(hint()).toContain(`2 calls of connected tools failed: ${advice}`);
	});

	test('fails the item without running the tool if the reply reached Max Tokens in a tool call', async () => {
		reply([CALL], 'max_tokens');
		const error = await withTools.error({}, { connected: found() });
		expect(error.message).toContain(`incomplete call to "${CALL.name}"`);
		expect(emulator.requests).toHaveLength(1);
	});

	test.each(['end_turn', 'stop', 'tool_calls', '', null, undefined])(
		'runs the called tool whatever the stop reason says: %j',
		async (reason) => {
			reply([CALL], reason as string);
			reply([{ type: 'text', text: 'Done' }]);
			const { hint, outputs } = await withTools.run(
				{ options: { toolChoice: 'tool', toolName: 'look_up' } },
				{ connected: found() },
			);
			expect(outputs()[0]).toMatchObject([{ json: { text: 'Done', tool_calls: [{ result: 'found' }] } }]);
			expect(hint()).not.toMatch(/repl/);
		},
	);

	test.each([
		['max_tokens', "1 reply was cut off at the limit of tokens: raise 'Max Tokens'."],
		['length', "1 reply was cut off at the limit of tokens: raise 'Max Tokens'."],
		['MAX_TOKENS', "1 reply was cut off at the limit of tokens: raise 'Max Tokens'."],
		['model_length', "1 reply was cut off at the end of the model's context window: send less"],
		[
			'model_context_window_exceeded',
			"1 reply was cut off at the end of the model's context window: send less",
		],
	])('runs no tool of a reply that was cut off after its call (%s), and says so', async (reason, said) => {
		reply([CALL, { type: 'text', text: 'And then' }], reason);
		const { hint, outputs } = await withTools.run({}, { connected: found() });
		expect(outputs()[0]).toMatchObject([
			{ json: { tool_calls: [{ id: CALL.id, name: CALL.name, input: CALL.input }], stop_reason: reason } },
		]);
		expect(emulator.requests).toHaveLength(1);
		expect(hint()).toContain(said);
	});

	const hintAfterText = async (reason: string | null) => {
		reply([{ type: 'text', text: 'Dear Ms Smith, your' }], reason as string);
		return await withTools.hint({});
	};

	test.each([
		['pause_turn', '1 reply ended for a reason that this node does not know'],
		['error', '1 reply ended for a reason that this node does not know'],
		['abort', '1 reply ended for a reason that this node does not know'],
		['SAFETY', '1 reply was refused'],
	])('says of a text with the stop reason %j that it may be incomplete', async (reason, said) => {
		expect(await hintAfterText(reason)).toContain(said);
	});

	test.each(['end_turn', 'stop', 'eos_token', 'COMPLETE', '', null])(
		'does not say of a text with the stop reason %j that it may be incomplete',
		async (reason) => {
			expect(await hintAfterText(reason)).not.toMatch(/repl/);
		},
	);

	test('runs every call of one turn, however many there are', async () => {
		const calls = Array.from({ length: 100 }, (_, n) => ({ ...CALL, id: `t${n}` }));
		reply(calls, 'tool_use');
		reply([{ type: 'text', text: 'Done' }]);
		const json = await withTools.json({}, { connected: found() });
		expect(json.text).toBe('Done');
		const results = calls.map(({ id }) => ({ tool_use_id: id }));
		expect(sentBody(1).messages[2]!.content).toMatchObject(results);
	});

	test.each([true, false])(
		"sends the model's thinking back unchanged with a tool result, but no empty text (streamed: %j)",
		async (stream) => {
			const thinking = { type: 'thinking', thinking: 'Hm, so', signature: 'c2ln' };
			const start = (index: number, block: object) => ({
				type: 'content_block_start',
				index,
				content_block: block,
			});
			const delta = (change: object) => ({ type: 'content_block_delta', index: 0, delta: change });
			const events = [
				{ type: 'message_start', message: { content: [] } },
				start(0, { ...thinking, thinking: '', signature: '' }),
				delta({ type: 'thinking_delta', thinking: 'Hm, so' }),
				delta({ type: 'signature_delta', signature: 'c2ln' }),
				start(1, { type: 'text', text: '' }),
				start(2, CALL),
				{ type: 'message_delta', delta: { stop_reason: 'tool_use' } },
			];
			const bytes = `${events.map((data) => `data: ${JSON.stringify(data)}\n\n`).join('')}data: [DONE]\n\n`;
			reply([{ type: 'text', text: 'Done' }], 'end_turn', { bodyIncludes: 'tool_result' });
			if (stream) emulator.fault({ stream: [{ bytes }] });
			else reply([thinking, { type: 'text', text: '' }, CALL], 'tool_use');
			await withTools.json({ options: { stream } }, { connected: found() });
			expect(sentBody(1).messages[1]!.content).toEqual([thinking, CALL]);
		},
	);

	test('parses only the last reply with Response Format JSON, after all rounds of tools', async () => {
		reply([{ type: 'text', text: '{"found":true}' }], 'end_turn', { skip: 1 });
		const json = await withTools.json({ options: { responseFormat: 'json' } }, { connected: found() });
		expect(emulator.requests).toHaveLength(2);
		expect(json.json).toEqual({ found: true });
	});

	test('offers them, and Chat offers none', async () => {
		const json = await withTools.json({ operation: 'chat' }, { connected: found() });
		expect(sentBody(0)).not.toHaveProperty('tools');
		expect(json.finish_reason).toBe('stop');
	});
});

describe('a connected node whose expression reads the item', () => {
	const ordinaryWith = (number: string) => ({ toolDescription: 'Finds an order', number });
	const items = [{ json: { n: 1 } }, { json: { n: 2 } }];
	const hintWith = async (number: string, more: Partial<ToolRun> = {}, content = 'Order_finder {}') => {
		const input = { ordinary: ordinaryWith(number), items, ...more };
		return await withTools.hint(asking(content), input);
	};

	test.each(['={{ $json.n }}', '=Number {{ $input.item.json.n }}', "={{ $('Start').item.json.n }}"])(
		"is named in the hint, because it used the first item's values, if several items call it: %s",
		async (number) => {
			expect(await hintWith(number)).toContain(
				'The tool "Order finder" used the values of the first item for all 2 items',
			);
		},
	);

	test('is not named for one item, without a call, and without such an expression', async () => {
		expect(await hintWith('={{ $json.n }}', { items: items.slice(0, 1) })).not.toContain('first item');
		expect(await hintWith('={{ $json.n }}', {}, 'Hi')).not.toContain('first item');
		expect(await hintWith("={{ $('Start').first().json.n }}")).not.toContain('first item');
		expect(await hintWith('Of the .item in $json')).not.toContain('first item');
	});
});

describe('tool calls of a run that another item fails', () => {
	const content = "={{ $json.broken ? 'broken' : 'look_up {\"number\": ' + $json.n + '}' }}";
	const items = [{ n: 1 }, { n: 2 }, { broken: true }].map((json) => ({ json }));
	const inTurn = { ...asking(content), options: { concurrency: 1, maxRetries: 0 } };
	const failOnce = () => emulator.fault({ bodyIncludes: 'broken', status: 400, times: 1 });

	test('are counted in the error, because a new run makes them again', async () => {
		failOnce();
		await expect(withTools.outputs(inTurn, { connected: found(), items })).rejects.toMatchObject({
			description: expect.stringContaining(
				'2 tool calls were carried out: a new run makes them again, so leave out their items.',
			),
		});
	});

	test('are counted in the hint after another try, which has made them again', async () => {
		const node = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		expect(await withTools.hint(inTurn, { connected: found(), items, node })).not.toContain('earlier try');
		failOnce();
		expect(await withTools.hint(inTurn, { connected: found(), items, node })).toContain(
			'2 tool calls were made in an earlier try, which failed, and may have been made again: check what they did.',
		);
	});
});

describe('the error of a request after tools ran', () => {
	const refusal = { bodyIncludes: 'tool_result', status: 400, body: { code: 20015, message: 'Too long' } };

	test('lists the tools, as an item and when it stops the node', async () => {
		emulator.fault({ ...refusal, times: Infinity });
		const expected =
			/^Check the model and the parameters: .*\nTools that had run before: look_up \{"number":7\}\. /;
		const ran: unknown[] = [];
		const connected = [lookUp((input) => (ran.push(input), 'found'))];
		const parameters = asking('look_up {"number": 7}');
		expect((await withTools.error(parameters, { connected })).description).toMatch(expected);
		await expect(withTools.outputs(parameters, { connected })).rejects.toMatchObject({
			description: expect.stringMatching(expected),
		});
		expect(ran).toEqual([{ number: 7 }, { number: 7 }]);
	});

	test('lists no tool that does not exist', async () => {
		reply([{ ...CALL, name: 'made_up' }], 'tool_use');
		emulator.fault({ ...refusal, times: Infinity });
		const { description } = await withTools.error({}, { connected: found() });
		expect(description).not.toContain('Tools that had run');
	});
});

test('if other items use up Token Budget while tools run, the calls so far are the result', async () => {
	const replyWithTokens = (input_tokens: number, content: object[], stop_reason: string) => {
		const usage = { input_tokens, output_tokens: 1 };
		emulator.answer({ content, stop_reason, usage });
	};
	const hello = [{ type: 'text', text: 'Hello' }];
	replyWithTokens(10, [CALL], 'tool_use');
	replyWithTokens(10, hello, 'end_turn');
	replyWithTokens(100, hello, 'end_turn');
	const isUsedUp = () => log.filter((line) => line.startsWith('POST /messages: 200')).length === 3;
	const items = await withTools.items(
		{ options: { tokenBudget: 50, concurrency: 2 } },
		{
			items: Array.from({ length: 3 }, () => ({ json: {} })),
			connected: [lookUp(async () => (await emulator.waitFor(isUsedUp), 'found'))],
		},
	);
	expect(emulator.requests).toHaveLength(3);
	expect(items[0]!.json).toMatchObject({
		tool_calls: [{ name: 'look_up', result: 'found' }],
		stop_reason: 'tool_use',
	});
});

test('no tool is run for a reply that arrives after another item has failed the run', async () => {
	const order = '{{ $json.order }}';
	emulator.fault({ bodyIncludes: 'order 1', status: 400, body: { message: 'No such model' } });
	emulator.fault({ bodyIncludes: 'order 2', delayMs: 200 });
	const ran: unknown[] = [];
	const { outputs } = await withTools.run(asking(`=look_up {"number": ${order}} for order ${order}`), {
		connected: [lookUp((input) => (ran.push(input), 'found'))],
		items: [{ json: { order: 1 } }, { json: { order: 2 } }],
	});
	expect(outputs).toThrow('No such model');
	expect(emulator.requests).toMatchObject([{ status: 400 }, { status: 200 }]);
	expect(ran).toEqual([]);
});

describe('before it sends a request, Generate Message', () => {
	test("refuses a tool that needs a person's approval", async () => {
		const gated = new DynamicStructuredTool({
			name: 'send_mail',
			description: 'Sends a mail',
			schema: z.object({}),
			func: async () => '',
			metadata: { sourceNodeName: 'Approval', gatedToolNodeName: 'Send mail', originalSchema: z.object({}) },
		});
		expect(await withTools.refusal({}, { connected: [toolkit(gated)] })).toMatch(
			/tool "send_mail" needs a person's approval/,
		);
	});

	test('refuses two tools with the same name', async () => {
		expect(await withTools.refusal({}, { connected: [lookUp(() => ''), lookUp(() => '')] })).toMatch(
			/^The input 'Tools': tool "look_up" must have a unique name/,
		);
		expect(await withTools.refusal({ options: own('look_up') }, { connected: [lookUp(() => '')] })).toMatch(
			/"look_up" must have a unique name/,
		);
	});

	test('refuses what is not a tool, and a tool with an unknown kind of schema', async () => {
		for (const none of [{ name: 'x' }, { invoke: async () => '' }]) {
			expect(await withTools.refusal({}, { connected: [none] })).toMatch(/accepts only tools/);
		}
		const odd = { name: 'odd', description: '', schema: { _zod: {} }, invoke: async () => '' };
		expect(await withTools.refusal({}, { connected: [odd] })).toMatch(/tool "odd" must describe its input/);
	});
});

test("the node as a tool uses no tools itself, and writes nothing to n8n's chat", async () => {
	const chunks: StructuredChunk[] = [];
	const json = await withTools.json(
		{ messages: { message: [{ content: '={{ $json.question }}' }] } },
		{
			type: MESSAGE_TOOL,
			connected: found(),
			items: [{ json: { question: 'Why?', toolCallId: 'call_1' } }],
			onChunk: (chunk) => chunks.push(chunk),
		},
	);
	expect(sentBody(0)).toEqual({
		model: MODEL,
		max_tokens: 1024,
		messages: [{ role: 'user', content: 'Why?' }],
	});
	expect(json).toMatchObject({ text: expect.stringContaining('Why?'), stop_reason: 'end_turn' });
	expect(chunks).toEqual([]);
});

test('the node as a tool returns the calls of its Custom Tools', async () => {
	const tool = { name: 'look_up', description: 'Finds it', inputSchema: '{"type":"object"}' };
	const json = await withTools.json({ options: { tools: { tool: [tool] } } }, { type: MESSAGE_TOOL });
	expect(json).toMatchObject({ stop_reason: 'tool_use', tool_calls: [{ name: 'look_up' }] });
});

const never = new Promise<never>(() => {});

test.each([
	['runs', 1, (stop: () => void) => lookUp(async () => await (stop(), never))],
	// The node awaits this object, whose `then` never calls back, so the connection of the tool never ends.
	['is being connected', 0, (stop: () => void) => ({ then: () => setTimeout(stop, 50) })],
])('stopping the execution ends the node while a tool %s', async (_, requests, tool) => {
	const stop = new AbortController();
	const connected = [tool(() => stop.abort())];
	const { run } = await withTools.run({}, { connected, signal: stop.signal });
	expect(run.status).toBe('canceled');
	expect(emulator.requests).toHaveLength(requests);
});
