import { DynamicStructuredTool, DynamicTool } from '@langchain/core/tools';
import type { IDataObject, StructuredChunk } from 'n8n-workflow';
import { z } from 'zod/v3';

import type { Fault } from '../emulator/Emulator';
import { testWhere } from './host';
import { MESSAGE_TOOL, messageWithTools, MODEL, saying, toolNodes, type ToolRun } from './messageWithTools';
import { driverOf } from './nodeDriver';
import { useEmulator } from './useEmulator';

const emulator = useEmulator();

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

/** A toolkit as an MCP server provides it. */
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

const message = driverOf<ToolRun>(messageWithTools(emulator), emulator);

const sentBody = (index: number) =>
	emulator.requests[index]?.body as IDataObject & { messages: IDataObject[] };

const messageCounts = () => emulator.requests.map((_, index) => sentBody(index).messages.length);

const CALL = { type: 'tool_use', id: 't1', name: 'look_up', input: { number: 1 } };

/** Makes the service answer the next request so. */
function reply(content: object[], reason = 'end_turn', fault: Partial<Fault> = {}) {
	emulator.fault({ status: 200, body: { content, stop_reason: reason }, ...fault });
}

const found = () => [lookUp(() => 'found')];

const own = (name: string) => ({ tools: { tool: [{ name, inputSchema: '{"type":"object"}' }] } });

describe('connected tools', () => {
	test('are offered, run and reported, in one round', async () => {
		const inputs: unknown[] = [];
		const json = await message.json(saying('look_up {"number": 7}'), {
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

	testWhere('tokenDisplay')('add up the tokens of all rounds', async () => {
		const connected = found();
		const { run, outputs } = await message.run({}, { connected });
		const { input_tokens: input, output_tokens: output } = outputs()[0]![0]!.json;
		expect(run.data.resultData.runData.Node![0]!.metadata?.tokenUsage).toEqual({
			inputTokens: input,
			outputTokens: output,
		});
		emulator.reset();
		const last = await message.json({ simplify: false }, { connected });
		expect(last).toMatchObject({ type: 'message', content: [{ text: 'The tool returned: found' }] });
		expect((last.usage as IDataObject).input_tokens).toBeLessThan(input as number);
	});

	test('may be called in four rounds', async () => {
		let calls = 0;
		const json = await message.json(saying('look_up {"number": 1}'), {
			connected: [lookUp(() => (++calls < 4 ? 'call look_up again' : 'done'))],
		});
		expect(messageCounts()).toEqual([1, 3, 5, 7, 9]);
		expect(json.text).toBe('The tool returned: done');
		expect(json.tool_calls).toMatchObject(
			[1, 2, 3, 4].map((id) => ({ id: `toolu_00000${id}`, result: expect.any(String) })),
		);
	});

	test.each([
		[4, undefined],
		[1, { maxToolRounds: 1 }],
	])('leave the calls after %i rounds to the workflow', async (rounds, options) => {
		const json = await message.json({ options }, { connected: [lookUp(() => 'call look_up again')] });
		expect(emulator.requests).toHaveLength(rounds + 1);
		const calls = json.tool_calls as IDataObject[];
		expect(calls).toHaveLength(rounds + 1);
		expect(calls.map((call) => 'result' in call)).toEqual([...Array<boolean>(rounds).fill(true), false]);
		expect(json.stop_reason).toBe('tool_use');
	});

	test("stop at the service's limit of 10 messages", async () => {
		const turns = ['user', 'assistant', 'user', 'assistant', 'user'];
		const json = await message.json(
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

	test('that fail tell the model so', async () => {
		const fail = () => {
			throw new Error('The order book is closed');
		};
		const json = await message.json({}, { connected: [lookUp(fail)] });
		expect(sentBody(1).messages[2]!.content).toMatchObject([
			{ tool_use_id: 'toolu_000001', content: 'The order book is closed', is_error: true },
		]);
		expect(json).toMatchObject({
			text: 'The tool failed: The order book is closed',
			tool_calls: [{ name: 'look_up', error: 'The order book is closed' }],
		});
		expect((json.tool_calls as IDataObject[])[0]).not.toHaveProperty('result');
	});

	test('tell the model when its input does not match', async () => {
		const json = await message.json(saying('look_up {"number": "seven"}'), {
			connected: found(),
		});
		expect(json.tool_calls).toMatchObject([
			{ error: expect.stringContaining('did not match expected schema') },
		]);
	});

	test('of one turn are run one after another, and answered together', async () => {
		const order: string[] = [];
		const tool = (name: string, milliseconds: number) =>
			lookUp(async () => {
				order.push(`${name} begins`);
				await new Promise((resolve) => setTimeout(resolve, milliseconds));
				order.push(`${name} ends`);
				return { name };
			}, name);
		const json = await message.json(saying('first and second'), {
			connected: [toolkit(tool('first', 20), tool('second', 0))],
		});
		expect(order).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
		expect(sentBody(1).messages[2]!.content).toMatchObject([
			{ content: '{"name":"first"}' },
			{ content: '{"name":"second"}' },
		]);
		expect(json.tool_calls).toMatchObject([{ result: '{"name":"first"}' }, { result: '{"name":"second"}' }]);
	});

	test('may take plain text, or have a JSON schema', async () => {
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
		await message.json(saying('echo {"input": "hi"} then weather {"city": "Bern"}'), {
			connected: [
				toolkit(
					new DynamicTool({ name: 'echo', description: 'Says it again', func: listen }),
					new DynamicStructuredTool({ name: 'weather', description: 'Tells it', schema, func: listen }),
				),
			],
		});
		expect(sentBody(0).tools).toEqual([
			{
				name: 'echo',
				description: 'Says it again',
				input_schema: {
					type: 'object',
					properties: { input: { type: 'string' } },
					additionalProperties: false,
				},
			},
			{ name: 'weather', description: 'Tells it', input_schema: schema },
		]);
		expect(heard).toEqual(['hi', { city: 'Bern' }]);
	});

	test.each([undefined, null])('may have no input (%s)', async (schema) => {
		const ring = { name: 'ring', description: 'Rings', schema, invoke: async () => 'rung' };
		await message.json(saying('ring {}'), { connected: [toolkit(ring)] });
		expect(sentBody(0).tools).toEqual([
			{ name: 'ring', description: 'Rings', input_schema: { type: 'object', properties: {} } },
		]);
		expect(sentBody(1).messages).toMatchObject([{}, {}, { content: [{ content: 'rung' }] }]);
	});

	test('are sent without a description if theirs is blank', async () => {
		const blank = new DynamicTool({ name: 'echo', description: ' ', func: async () => 'ok' });
		await message.json(saying('echo {"input": "hi"}'), { connected: [toolkit(blank)] });
		expect(sentBody(0).tools).toEqual([{ name: 'echo', input_schema: expect.any(Object) }]);
	});

	test('may be an ordinary node, which n8n then shows as run', async () => {
		const { run, outputs } = await message.run(saying('Order_finder {"number": "12"}'), {
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

	test('are made once for all items, which may call them at the same time', async () => {
		const { outputs } = await message.run(
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

	test('are run for streams too, and each round is a paragraph of a chat', async () => {
		const chunks: StructuredChunk[] = [];
		const json = await message.json({}, { connected: found(), onChunk: (chunk) => chunks.push(chunk) });
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

	test('stand next to those of the options, whose calls end the exchange', async () => {
		const json = await message.json(
			{ options: own('approve'), ...saying('look_up and approve') },
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
	])('are offered as %j says, and forced in the first round only', async (options, first, second) => {
		await message.json({ ...saying('look_up {"number": 1}'), options }, { connected: found() });
		expect([0, 1].map((index) => sentBody(index).tool_choice)).toEqual([first, second]);
	});

	test('answer a call of a tool that does not exist with an error', async () => {
		reply([{ ...CALL, name: 'made_up' }], 'tool_use');
		reply([{ type: 'text', text: 'Sorry.' }]);
		const json = await message.json({}, { connected: found() });
		expect(sentBody(1).messages[2]!.content).toMatchObject([{ tool_use_id: 't1', is_error: true }]);
		expect(json).toMatchObject({ text: 'Sorry.', tool_calls: [{ error: 'There is no tool "made_up"' }] });
	});

	test('are not run for a call that the limit of tokens cut off, or if one turn has far too many', async () => {
		for (const [count, reason] of [
			[1, 'max_tokens'],
			[65, 'tool_use'],
		] as const) {
			emulator.reset();
			const calls = Array.from({ length: count }, (_, n) => ({ ...CALL, id: `t${n}` }));
			reply(calls, reason);
			const json = await message.json({}, { connected: found() });
			expect(json.tool_calls).toEqual(calls.map(({ id, name, input }) => ({ id, name, input })));
			expect(emulator.requests).toHaveLength(1);
		}
	});

	test.each([true, false])(
		"are given back with the model's thinking as it came, but no empty text, streamed: %j",
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
			await message.json({ options: { stream } }, { connected: found() });
			expect(sentBody(1).messages[1]!.content).toEqual([thinking, CALL]);
		},
	);

	test('apply JSON as the response format to the last answer only', async () => {
		reply([{ type: 'text', text: '{"found":true}' }], 'end_turn', { skip: 1 });
		const json = await message.json({ options: { responseFormat: 'json' } }, { connected: found() });
		expect(emulator.requests).toHaveLength(2);
		expect(json.json).toEqual({ found: true });
	});

	test('are not used by a chat', async () => {
		const json = await message.json({ operation: 'chat' }, { connected: found() });
		expect(sentBody(0)).not.toHaveProperty('tools');
		expect(json.finish_reason).toBe('stop');
	});
});

describe('tools that ran before a request that fails', () => {
	const refusal = { bodyIncludes: 'tool_result', status: 400, body: { code: 20015, message: 'Too long' } };

	test('are listed in the error item, and in the error that stops the node', async () => {
		emulator.fault({ ...refusal, times: Infinity });
		const expected =
			/^Check the model and the parameters: .*\nTools that had run before: look_up \{"number":7\}\. /;
		const ran: unknown[] = [];
		const connected = [lookUp((input) => (ran.push(input), 'found'))];
		const parameters = saying('look_up {"number": 7}');
		expect((await message.error(parameters, { connected })).description).toMatch(expected);
		await expect(message.outputs(parameters, { connected })).rejects.toMatchObject({
			description: expect.stringMatching(expected),
		});
		expect(ran).toEqual([{ number: 7 }, { number: 7 }]);
	});

	test('are not listed if none ran, and only in part if there are many', async () => {
		emulator.fault({ status: 400, body: { message: 'Too long' } });
		const connected = found();
		expect((await message.error({}, { connected })).description).not.toMatch(/had run/);
		const calls = Array.from({ length: 30 }, (_, n) => ({
			...CALL,
			name: n === 0 ? 'made_up' : 'look_up',
			input: { number: n, note: 'x'.repeat(500) },
		}));
		reply(calls, 'tool_use');
		emulator.fault(refusal);
		const { description } = await message.error({}, { connected });
		expect(description).not.toContain('made_up');
		expect(description!.match(/look_up/g)).toHaveLength(20);
		expect(description).toMatch(/ and 9 more\. /);
		expect(description!.length).toBeLessThan(5000);
	});
});

describe('refused before anything is sent', () => {
	test('a tool that waits for the approval of a person', async () => {
		const gated = new DynamicStructuredTool({
			name: 'send_mail',
			description: 'Sends a mail',
			schema: z.object({}),
			func: async () => '',
			metadata: { sourceNodeName: 'Approval', gatedToolNodeName: 'Send mail', originalSchema: z.object({}) },
		});
		expect(await message.refusal({}, { connected: [toolkit(gated)] })).toMatch(
			/tool "send_mail" needs a person's approval/,
		);
	});

	test('two tools with the same name', async () => {
		expect(await message.refusal({}, { connected: [lookUp(() => ''), lookUp(() => '')] })).toMatch(
			/^The input "Tools": tool "look_up" must have a unique name/,
		);
		expect(await message.refusal({ options: own('look_up') }, { connected: [lookUp(() => '')] })).toMatch(
			/"look_up" must have a unique name/,
		);
	});

	test('what is not a tool, or has a schema of another kind', async () => {
		for (const none of [{ name: 'x' }, { invoke: async () => '' }]) {
			expect(await message.refusal({}, { connected: [none] })).toMatch(/accepts only tools/);
		}
		const odd = { name: 'odd', description: '', schema: { _zod: {} }, invoke: async () => '' };
		expect(await message.refusal({}, { connected: [odd] })).toMatch(/tool "odd" must describe its input/);
	});
});

test('the node as a tool has no tools itself, and writes nothing to a chat', async () => {
	const chunks: StructuredChunk[] = [];
	const json = await message.json(
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

test('the node as a tool returns the calls of tools that its options define', async () => {
	const tool = { name: 'look_up', description: 'Finds it', inputSchema: '{"type":"object"}' };
	const json = await message.json({ options: { tools: { tool: [tool] } } }, { type: MESSAGE_TOOL });
	expect(json).toMatchObject({ stop_reason: 'tool_use', tool_calls: [{ name: 'look_up' }] });
});

test('stopping the execution ends it while a tool runs', async () => {
	const stop = new AbortController();
	const { run } = await message.run(
		{},
		{
			connected: [
				lookUp(async () => {
					stop.abort();
					return await new Promise(() => {});
				}),
			],
			signal: stop.signal,
		},
	);
	expect(run.status).toBe('canceled');
	expect(emulator.requests).toHaveLength(1);
});
