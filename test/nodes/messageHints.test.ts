import { DynamicStructuredTool } from '@langchain/core/tools';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { typedEscapeHint } from '../../nodes/shared/fields/fixedTextHint';
import { evaluate } from '../support/decisionInEditor';
import { testWhere } from '../support/host';
import { messageWithTools, saying } from '../support/messageWithTools';
import { driverOf, nodeDriver, type NodeInput } from '../support/nodeDriver';
import { useEmulator } from '../support/useEmulator';

const emulator = useEmulator();

const message = nodeDriver('message', emulator, { items: [{ n: 1 }] });
const withTools = driverOf(messageWithTools(emulator), emulator);

const create: INodeParameters = { model: 'acme/quick-1', ...saying('Hello'), options: {} };
const chat: INodeParameters = { ...create, operation: 'chat', options: { stream: false } };

const adding = (parameters: INodeParameters, options: object) =>
	({ ...parameters, options: { ...(parameters.options as object), ...options } }) as INodeParameters;

/** Makes the service answer the requests in turn with these content blocks. They are JSON, so that large numbers stay as written. */
function reply(...contents: string[]) {
	for (const content of contents) {
		const body = `{"id":"msg_1","type":"message","role":"assistant","model":"acme/quick-1","content":${content},"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":5,"output_tokens":5}}`;
		emulator.answer(body, { path: '/messages' });
	}
}

const textBlock = (text: string) => JSON.stringify({ type: 'text', text });

const say = (...texts: string[]) => reply(...texts.map((text) => `[${textBlock(text)}]`));

function sayInChat(content: string) {
	emulator.answer(
		{ choices: [{ message: { content }, finish_reason: 'stop' }] },
		{ path: '/chat/completions' },
	);
}

const callOf = (name: string, input: string) =>
	`{"type":"tool_use","id":"t1","name":"${name}","input":${input}}`;

const offering = (name: string, more: object = {}) =>
	adding(create, { tools: { tool: [{ name, description: '', inputSchema: '{"type":"object"}' }] }, ...more });

/** Returns a connected tool that keeps the inputs of its calls. */
function lookUp() {
	const inputs: unknown[] = [];
	const tool = new DynamicStructuredTool({
		name: 'look_up',
		description: 'Finds an order',
		schema: { type: 'object', properties: { order: {} } },
		func: async (input) => {
			inputs.push(input);
			return 'found';
		},
	});
	return { tool, inputs };
}

const LARGE = '12345678901234567890';

describe('a whole number of more than 15 digits', () => {
	const ONE =
		'1 reply has a whole number of more than 15 digits, which lost its last digits: ask for it as text.';
	const MANY =
		'2 replies have a whole number of more than 15 digits, which lost its last digits: ask for it as text.';
	const json = { responseFormat: 'json', concurrency: 1 };

	test('in generated JSON is counted in the hint, whether the JSON is the whole text or stands in a fence', async () => {
		say(`{"tracking": ${LARGE}}`, `Here it is:\n\`\`\`json\n{"tracking": -${LARGE}}\n\`\`\``);
		expect(await message.hint(adding(create, json), { items: [{}, {}] })).toContain(MANY);
	});

	test('in the JSON of a chat is counted in the hint', async () => {
		sayInChat(`{"tracking": ${LARGE}}`);
		expect(await message.hint(adding(chat, json))).toContain(ONE);
	});

	test.each([
		['as text', `{"tracking": "${LARGE}"}`],
		['that is exact', '{"tracking": 9007199254740991}'],
		['with decimals', '{"tracking": 0.12345678901234567890}'],
		['outside the JSON', `Order ${LARGE}:\n\`\`\`json\n{"a":1}\n\`\`\``],
	])('in generated JSON is no loss: %s', async (_, text) => {
		say(text);
		expect(await message.hint(adding(create, json))).not.toContain('digits');
	});

	test('in a call that the workflow runs is counted in the hint', async () => {
		reply(`[${callOf('find', `{"order":{"ids":[${LARGE}]}}`)}]`);
		expect(await message.hint(offering('find'))).toContain(ONE);
	});

	test('in a call is counted in the hint too if the arguments arrive in pieces', async () => {
		const events = [
			{ type: 'message_start', message: { id: 'm', role: 'assistant', content: [] } },
			{
				type: 'content_block_start',
				index: 0,
				content_block: { type: 'tool_use', id: 't1', name: 'find', input: {} },
			},
			...['{"order": 12345678', '901234567890}'].map((partial_json) => ({
				type: 'content_block_delta',
				index: 0,
				delta: { type: 'input_json_delta', partial_json },
			})),
			{ type: 'message_delta', delta: { stop_reason: 'tool_use' } },
			{ type: 'message_stop' },
		];
		const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
		emulator.answer(body, { path: '/messages', headers: { 'content-type': 'text/event-stream' } });
		expect(await message.hint(offering('find', { stream: true }))).toContain(ONE);
	});

	test('elsewhere in the response is not counted in the hint', async () => {
		const usage = `{"input_tokens":5,"output_tokens":5,"created":${LARGE}}`;
		const body = `{"id":"m","content":[${callOf('find', '{"order":7}')}],"stop_reason":"tool_use","usage":${usage}}`;
		emulator.answer(body, { path: '/messages' });
		expect(await message.hint(offering('find'))).not.toContain('digits');
	});

	test('in a call is still counted in the hint if the next run takes the reply of a failed one', async () => {
		reply(`[${callOf('find', `{"order":${LARGE}}`)}]`);
		emulator.fault({ path: '/messages', status: 400, body: { message: 'No' } });
		const input: NodeInput = { items: [{}, {}], workflowId: 'digits' };
		const parameters = offering('find', { concurrency: 1 });
		await message.run(parameters, input);
		const { hint } = await message.run(parameters, input);
		expect(hint()).toMatch(
			/1 of 2 answers was taken from a run .*\. It was not requested or paid for again\./,
		);
		expect(hint()).toContain(ONE);
	});

	test('keeps a connected tool from running, and the model is told to give it as text', async () => {
		const { tool, inputs } = lookUp();
		reply(
			`[${callOf('look_up', `{"order":${LARGE}}`)}]`,
			`[${callOf('look_up', `{"order":"${LARGE}"}`)}]`,
			`[${textBlock('Done.')}]`,
		);
		const { hint, outputs } = await withTools.run({}, { connected: [tool] });
		expect(inputs).toEqual([{ order: LARGE }]);
		const { messages } = emulator.requests[1]!.body as { messages: IDataObject[] };
		expect(messages.at(-1)!.content).toEqual([
			{
				type: 'tool_result',
				tool_use_id: 't1',
				is_error: true,
				content: expect.stringMatching(/^The tool was not run, .* give it as text$/),
			},
		]);
		expect(outputs()[0]![0]!.json.tool_calls).toMatchObject([
			{ error: expect.stringContaining('give it as text') },
			{ result: 'found' },
		]);
		expect(hint()).toContain("1 call of a connected tool failed: look at 'tool_calls'.");
	});
});

describe('a reply without text after its last tool call', () => {
	const [answer, end] = [`[${textBlock('The answer is 5.')},${callOf('look_up', '{}')}]`, '[]'];

	test('is called empty in the hint, which says where its text stood', async () => {
		reply(answer, end);
		const { hint, outputs } = await withTools.run({}, { connected: [lookUp().tool] });
		expect(outputs()[0]![0]!.json.text).toBe('');
		expect(hint()).toContain(
			'1 reply is empty, because its text stood before a tool call and is not in the output: tell the model to write its answer after its last tool call.',
		);
	});

	test('is called empty in the hint, with other advice, if no round had a text', async () => {
		reply(`[${callOf('look_up', '{}')}]`, end);
		const { hint } = await withTools.run({}, { connected: [lookUp().tool] });
		expect(hint()).toContain('1 reply is empty: change what you ask');
	});
});

describe('a tool that must be called', () => {
	const HINT =
		"1 reply does not call the tool that 'Tool Choice' asks for: say in a message when to call it, or use another model.";
	const forced = offering('find', { toolChoice: 'tool', toolName: 'find' });
	const anyTool = offering('find', { extraBody: '{"tool_choice":{"type":"any"}}' });

	test.each([
		['nothing', [textBlock('I need to know more.')], forced],
		['another tool', [callOf('other', '{}')], forced],
		['nothing though it may choose the tool', [textBlock('Hi')], anyTool],
	])('is named in the hint if the reply calls %s', async (_, blocks, parameters) => {
		reply(`[${blocks.join()}]`);
		expect(await message.hint(parameters)).toContain(HINT);
	});

	test.each([
		['it is called', [callOf('find', '{}')], forced],
		['the model may choose the tool, and calls one', [callOf('find', '{}')], anyTool],
		['the model may answer without a tool', [textBlock('Hi')], offering('find')],
	])('is not named in the hint if %s', async (_, blocks, parameters) => {
		reply(`[${blocks.join()}]`);
		expect(await message.hint(parameters)).not.toContain(HINT);
	});

	test('is not named in the hint if it was called in the first round', async () => {
		reply(`[${callOf('look_up', '{}')}]`, `[${textBlock('Done.')}]`);
		const options = { toolChoice: 'tool', toolName: 'look_up' };
		const { hint } = await withTools.run({ options }, { connected: [lookUp().tool] });
		expect(hint()).not.toContain('Tool Choice');
	});
});

describe("a text that begins with the model's thinking", () => {
	const HINT =
		"1 reply begins with the model's thinking (&lt;think&gt;…&lt;/think&gt;): turn it off for the model, or cut it out in a later node.";
	const json = { responseFormat: 'json' };
	const DRAFT = '<think>Maybe\n```json\n{"team":"billing"}\n```\nNo.</think>\n';

	test('is counted in the hint, in a chat too', async () => {
		say('\n<think>Is it rude?</think>\n\nThank you.');
		expect(await message.hint(create)).toContain(HINT);
		sayInChat('<think>Is it rude?</think>Thank you.');
		expect(await message.hint(chat)).toContain(HINT);
	});

	test.each(['Is it rude?\n</think>\n\nThank you.', 'No.</think>\nThank you.', '\n</think>Thank you.'])(
		'is counted in the hint if its first tag was a part of the prompt: %j',
		async (text) => {
			say(text);
			expect(await message.hint(create)).toContain(HINT);
		},
	);

	test.each([
		...['Write <think>…</think> before it.', '<think> is a tag.', '<thinking>…</thinking>'],
		...['Close it with </think> at the end.', 'Begin with <think>.\n</think>\nends it.'],
	])('is not counted in the hint for the text %j', async (text) => {
		say(text);
		expect(await message.hint(create)).not.toContain('thinking (');
	});

	test.each([DRAFT, DRAFT.slice('<think>'.length)])(
		'is named in the hint if the only JSON stands in it: %j',
		async (draft) => {
			say(`${draft.trimEnd()}\n{"team":"cards"}`);
			const { hint, outputs } = await message.run(adding(create, json));
			expect(outputs()[0]![0]!.json.json).toEqual({ team: 'billing' });
			expect(hint()).toContain(
				"1 reply has its JSON from the model's thinking (&lt;think&gt;…&lt;/think&gt;), which may not be its answer: read the answer from 'text', or turn the thinking off for the model.",
			);
		},
	);

	test('is not named in the hint if the JSON stands behind it', async () => {
		say(`${DRAFT}\`\`\`json\n{"team":"cards"}\n\`\`\``);
		const { hint, outputs } = await message.run(adding(create, json));
		expect(outputs()[0]![0]!.json.json).toEqual({ team: 'cards' });
		expect(hint()).not.toContain('thinking');
	});
});

describe('JSON of different kinds', () => {
	const json = { responseFormat: 'json' };
	const two = { items: [{ n: 1 }, { n: 2 }] };

	test('is counted by kind in the hint, in a chat too, because later nodes read the same fields of all replies', async () => {
		say('{"team":"cards"}', '[{"team":"cards"}]');
		expect(await message.hint(adding(create, json), two)).toContain(
			'The JSON differs: an object in 1 reply, a list in 1 reply. Say in a message which one you expect.',
		);
		for (const content of ['"cards"', '{"team":"cards"}']) sayInChat(content);
		expect(await message.hint(adding(chat, json), two)).toContain(
			'The JSON differs: a single value in 1 reply, an object in 1 reply.',
		);
	});

	test('is not mentioned in the hint if all replies have the same kind', async () => {
		say('{"team":"cards"}', '{}');
		expect(await message.hint(adding(create, json), two)).not.toContain('differs');
	});
});

describe('items that all send the same', () => {
	const SAME = 'All items sent the same content: check the fields and expressions that are sent.';
	const three = { items: [{ text: 'a' }, { text: 'b' }, { text: 'c' }] };
	const first = '=Answer: {{ $input.first().json.text }}';

	test.each([
		['create', create],
		['chat', chat],
		['create, with an expression that reads the first item', { ...create, ...saying(first) }],
		['create, without reuse', adding(create, { reuseAnswers: 'never' })],
	])('are named in the hint: %s', async (_, parameters) => {
		expect(await message.hint(parameters, three)).toContain(SAME);
	});

	test.each<[name: string, refused: boolean, more: INodeParameters]>([
		['is refused', true, {}],
		['has a wrong parameter', false, { maxTokens: '={{ $itemIndex === 1 ? -1 : 100 }}' }],
	])('are named in the hint, too, if one of them %s', async (_, refused, more) => {
		if (refused) emulator.fault({ status: 400, times: 1 });
		const four = { items: [...three.items, { text: 'd' }], onError: 'continueRegularOutput' as const };
		expect(await message.hint({ ...create, ...more }, four)).toMatch(/1 of 4 items failed.*All items sent/);
	});

	test('are not named in the hint if the one that is refused differs, or if most items sent nothing', async () => {
		emulator.fault({ status: 400, bodyIncludes: 'other', times: Infinity });
		const onError = 'continueRegularOutput' as const;
		const content = saying("={{ $itemIndex === 3 ? 'other' : 'Hi' }}");
		const four = { items: [...three.items, { text: 'd' }], onError };
		expect(await message.hint({ ...create, ...content }, four)).not.toContain(SAME);
		const most = { ...create, maxTokens: '={{ $itemIndex > 2 ? -1 : 100 }}' };
		const six = { items: [...three.items, ...three.items], onError };
		expect(await message.hint(most, six)).not.toContain(SAME);
	});

	test('are not named in the hint if one differs, or if there are only two, which may well be meant', async () => {
		expect(await message.hint({ ...create, ...saying('={{ $json.text }}') }, three)).not.toContain(SAME);
		expect(await message.hint(create, { items: three.items.slice(1) })).not.toContain(SAME);
	});
});

describe('an item with a text of which nothing is sent', () => {
	const userAgent =
		'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0';
	const WEBHOOK = {
		...{ headers: { 'user-agent': userAgent }, params: {}, query: {} },
		...{ body: { id: 1 }, webhookUrl: 'https://a.example', executionMode: 'production' },
	};
	const UNUSED =
		'Nothing from the item was sent, although it has a text: What happened? (in 1 of 1 item). Drag';
	const items = [{ 'What happened?': 'My dog ate a bar of chocolate and is restless now', Name: 'Ada' }];
	const asking = saying('Write an answer about: What happened?');

	test.each<[name: string, parameters: INodeParameters]>([
		['create', { ...create, ...asking }],
		['chat', { ...chat, ...asking }],
		['an expression that reads no item', { ...create, ...saying('=Today is {{ $today }}') }],
	])('is named in the hint: %s', async (_, parameters) => {
		expect(await message.hint(parameters, { items })).toContain(UNUSED);
	});

	test.each<[name: string, parameters: INodeParameters, item: IDataObject]>([
		['a message reads it', { ...create, ...saying('=To {{ $json.Name }}') }, items[0]!],
		['the system prompt reads it', adding(create, { system: '=For {{ $json.Name }}' }), items[0]!],
		[
			'a message reads another node',
			{ ...create, ...saying('={{ $("Start").first().json }}{{ 1 }}') },
			items[0]!,
		],
		['a message reads it by an older name', { ...create, ...saying('={{ $data.Name }}') }, items[0]!],
		[
			'a message reads the items of another node by an older name',
			{ ...create, ...saying('={{ $items("Start")[0].json.Name }}') },
			items[0]!,
		],
		['it only has facts', create, { timestamp: '2026-03-01T10:00:00.000Z', Name: 'Ada' }],
		['only the headers of a webhook have one', create, WEBHOOK],
	])('is not named if %s', async (_, parameters, item) => {
		expect(await message.hint(parameters, { items: [item] })).not.toContain('Nothing from the item');
	});

	test('is not named beside connected tools, which may read it themselves', async () => {
		const { hint } = await withTools.run(asking, {
			connected: [lookUp().tool],
			items: items.map((json) => ({ json })),
		});
		expect(hint()).not.toContain('Nothing from the item');
	});

	test.each([
		['the message', saying('=Today is {{ $now }}: answer the owner')],
		['the system prompt', { options: { system: '=Now it is {{ $now }}' } }],
		['the number of the item', saying('=Answer {{ $itemIndex }}')],
	])('is named of several items too if they differ by no value of theirs: %s', async (_, more) => {
		const hint = await message.hint(
			{ ...create, ...more },
			{
				items: [...items, ...items, ...items],
			},
		);
		expect(hint).toContain('Nothing from the item was sent');
		expect(hint).toContain('(in 3 of 3 items)');
	});

	test('is not named beside others, of which the hint says that all sent the same', async () => {
		const hint = await message.hint(create, { items: [...items, ...items, ...items] });
		expect(hint).toContain('All items sent the same content');
		expect(hint).not.toContain('Nothing from the item');
	});
});

describe('files of items', () => {
	const FILES = "are not sent: put 'Extract from File' before this node, and the text in a message.";
	const file = { data: { data: 'JVBERi0=', mimeType: 'application/pdf', fileName: 'bill.pdf' } };
	const items = [{ json: { text: 'Bill' }, binary: file }, { json: {} }];

	test.each([
		['create', create],
		['chat', chat],
		[
			'create with JSON',
			{ ...create, messagesSource: 'json', messagesJson: '[{"role":"user","content":"Hi"}]' },
		],
		['an expression that reads no item', adding(create, { system: '=Today is {{ $today }}' })],
	])('are named in the hint if no expression sends something of an item: %s', async (_, parameters) => {
		expect(await message.hint(parameters, { items })).toContain(`Files of 1 item ${FILES}`);
	});

	test.each([
		['a message', { ...create, ...saying('=Summarize: {{ $json.text }}{{ 1 }}') }],
		['the system prompt', adding(create, { system: '=The bill: {{ $json.text }}{{ 1 }}' })],
		['Extra Body Fields', adding(create, { extraBody: '={{ ({ system: $json.text }) }}' })],
		['a message, from another node', { ...create, ...saying('={{ $("Start").first().json.text }}') }],
	])('are not named in the hint if an expression is sent in %s', async (_, parameters) => {
		expect(await message.hint(parameters, { items })).not.toContain('Files');
		expect(emulator.requests).toHaveLength(2);
	});

	test.each<[prompt: string, isNamed: boolean]>([
		['=Extract the total from the attached file. Sender: {{ $json.from }}', true],
		['=Lies die Rechnung im Anhang von {{ $json.from }}', true],
		['=Answer the mail of {{ $json.from }}', false],
		['=Answer the mail with the attached bill: {{ $json.text }}', false],
		['=Answer the mail with the attached bill: {{ JSON.stringify($json) }}', false],
		["=Extract the total from the file: {{ $('Start').item.json.text }}", false],
	])('are named only if the prompt speaks of a file, and no text is sent: %s', async (prompt, isNamed) => {
		const text = 'The bill is attached. Please pay it until next Friday.';
		const mail = [{ json: { from: 'ada@example.com', text }, binary: file }];
		const hint = await message.hint({ ...create, ...saying(prompt) }, { items: mail });
		expect(hint.includes(`Files of 1 item ${FILES}`)).toBe(isNamed);
	});

	test('are named in the hint if nothing but the name of a file is sent', async () => {
		const parameters = { ...create, ...saying('=Summarize {{ $binary.data.fileName }}') };
		expect(await message.hint(parameters, { items: [items[0]!] })).toContain(`Files of 1 item ${FILES}`);
	});

	test('are not named in the hint if no item has one', async () => {
		expect(await message.hint(create)).not.toContain('Files');
	});
});

describe('a value that the model cannot read', () => {
	const LEFTOVER =
		'Sent as "[object Object]", "undefined", "NaN", empty braces or commas, or a spreadsheet error: ';
	const ENCODED = 'Sent as encoded text (base64), which the model cannot read: ';
	const LINK = 'A link to a file was sent, and not the file: ';
	const base64 = Buffer.from('Dear team, '.repeat(20)).toString('base64');
	const pdf = 'https://a.example/report.pdf';
	const inJson = (content: string) =>
		({
			...create,
			messagesSource: 'json',
			messagesJson: `=[{"role":"user","content":${content}}]`,
		}) as INodeParameters;

	test.each<[name: string, parameters: INodeParameters, item: IDataObject, said: string]>([
		[
			'what is left of an object',
			{ ...create, ...saying('=Answer this: {{ $json.a }}') },
			{ a: '[object Object]' },
			`${LEFTOVER}{{ $json.a }}`,
		],
		[
			'undefined between two other values',
			{ ...create, ...saying('=To {{ $json.b }}, {{ $json.a }}: {{ $json.c }}') },
			{ a: ' undefined\n', b: 'Ada', c: 'Hi, there: hello' },
			`${LEFTOVER}{{ $json.a }}`,
		],
		[
			'undefined as the last of two values, of which the first has a space too',
			{ ...create, ...saying('={{ $json.b }} {{ $json.a }}') },
			{ a: 'undefined', b: 'Ada Lovelace' },
			`${LEFTOVER}{{ $json.a }}`,
		],
		[
			'a spreadsheet error beside a text',
			{ ...create, ...saying('=The price is {{ $json.a }}. Answer this: {{ $json.b }}') },
			{ a: '#N/A', b: 'Is there anybody who can help me with it?' },
			`${LEFTOVER}{{ $json.a }}`,
		],
		[
			'NaN in the system prompt',
			adding(create, { system: '=You know {{ $json.a }} facts.' }),
			{ a: 'NaN' },
			`${LEFTOVER}{{ $json.a }}`,
		],
		[
			'a list of which no entry has the member that is read',
			{ ...create, ...saying('=Sum up: {{ JSON.stringify([$json.b || {}]) }}') },
			{ a: [{ y: 1 }, { y: 2 }] },
			`${LEFTOVER}{{ JSON.stringify([$json.b || {}]) }}`,
		],
		[
			'a list of two entries without the member that is joined',
			{ ...create, ...saying('=List {{ [$json.b, $json.c].join(", ") }}.') },
			{ a: 'Help!' },
			`${LEFTOVER}{{ [$json.b, $json.c].join(&quot;, &quot;) }}`,
		],
		[
			'a spreadsheet error in another language',
			{ ...create, ...saying('=The price is {{ $json.a }}.') },
			{ a: '#WERT!' },
			`${LEFTOVER}{{ $json.a }}`,
		],
		['undefined in JSON', inJson('"Answer {{ $json.a }}!"'), { a: 'undefined' }, `${LEFTOVER}{{ $json.a }}`],
		[
			'encoded text in a chat',
			{ ...chat, ...saying('=Answer this: {{ $json.a }}') },
			{ a: base64 },
			`${ENCODED}{{ $json.a }}`,
		],
		[
			'a link to a document, and nothing else of the item',
			{ ...create, ...saying('=Summarize {{ $json.a }} in three sentences.{{ $json.b }}') },
			{ a: pdf, b: '' },
			`${LINK}{{ $json.a }}`,
		],
	])('has a hint: %s', async (_, parameters, item, said) => {
		const hint = await message.hint(parameters, { items: [item, { a: 'Help!', b: 'a', c: 'b' }] });
		expect(hint).toContain(`${said} (in 1 of 2 items). `);
	});

	test.each<[name: string, parameters: INodeParameters, item: IDataObject]>([
		...['It says undefined.', '=[object Object]', 'undefined behaviour', `Look at ${pdf}, it is long.`].map(
			(a): [string, INodeParameters, IDataObject] => [
				a,
				{ ...create, ...saying('=Answer: {{ $json.a }}') },
				{ a },
			],
		),
		[
			'a link beside another value',
			{ ...create, ...saying('=Send {{ $json.b }} {{ $json.a }}') },
			{ a: pdf, b: 'Ada' },
		],
		['a link in the system prompt', adding(create, { system: '=Our list: {{ $json.a }}' }), { a: pdf }],
		[
			'a comma that an expression puts between two values',
			{ ...create, ...saying('=Greet {{ $json.a }}{{ $json.b ? ", " : "" }}{{ $json.b }}.') },
			{ a: 'Ada', b: 'Bob' },
		],
		['a short code', { ...create, ...saying('=Explain {{ $json.a }}') }, { a: base64.slice(0, 100) }],
		[
			'such a word between the expressions',
			{ ...create, ...saying('=undefined{{ $json.a }}') },
			{ a: ' is what?' },
		],
		[
			'a part of a value',
			{ ...create, ...saying('={{ $json.a }}, {{ $json.b }}') },
			{ a: 'NaN, NaN', b: 'NaN, 1' },
		],
		['encoded text in JSON, which may be the data of a picture', inJson('"{{ $json.a }}"'), { a: base64 }],
		['JSON', { ...create, ...saying('=The row: {{ JSON.stringify($json) }}') }, { a: 'undefined', b: pdf }],
		[
			'braces of CSS',
			{ ...create, ...saying('=Shorten <style>p {color: red}</style> {{ $json.a }}') },
			{ a: 'Hi', color: 1 },
		],
	])('has no hint: %s', async (_, parameters, item) => {
		expect(await message.hint(parameters, { items: [item] })).toMatch(/^Tokens: [^<]*$/);
	});

	test('is not counted for an item that fails before it is sent', async () => {
		const parameters = { ...create, ...saying('={{ $json.a }}'), maxTokens: '={{ $json.b }}' };
		const { hint } = await message.run(parameters, {
			items: [{ a: 'undefined' }],
			onError: 'continueRegularOutput',
		});
		expect(hint()).not.toContain('Sent as');
	});

	testWhere('redaction')('is not named under redaction', async () => {
		const hint = await message.hint(
			{ ...create, ...saying('={{ $json.a }}') },
			{ items: [{ a: 'undefined' }], settings: { redactionPolicy: 'all' } },
		);
		expect(hint).not.toContain('Sent as');
	});

	test('has no hint if it is a link, and the model has connected tools to follow it', async () => {
		const { hint } = await withTools.run(saying('=Summarize {{ $json.a }}'), {
			connected: [lookUp().tool],
			items: [{ json: { a: pdf } }],
		});
		expect(hint()).not.toContain('A link to a file');
	});
});

describe('an email of which only the beginning is sent', () => {
	const BEGINNING = 'Only the beginning of the email was sent: ';
	const gmail = { threadId: '1', Subject: 'Order', snippet: 'Dear "team", '.repeat(15) };
	const outlook = { conversationId: '2', subject: 'Order', bodyPreview: 'Dear team, '.repeat(23) };
	const text = 'Dear team, '.repeat(50);
	const answering = (expression: string) => ({ ...create, ...saying(`=Answer: ${expression}`) });

	test.each<[name: string, parameters: INodeParameters, email: IDataObject, field: string]>([
		['Gmail', answering('{{ $json.snippet }}'), gmail, 'snippet'],
		[
			'Outlook, in a chat',
			{ ...chat, ...answering('{{ $json.bodyPreview }}'), operation: 'chat' },
			outlook,
			'bodyPreview',
		],
		['the whole item', answering('{{ JSON.stringify($json) }}'), gmail, 'snippet'],
		['the whole item on several lines', answering('{{ JSON.stringify($json, null, 2) }}'), gmail, 'snippet'],
		['the system prompt', adding(create, { system: '=It is about: {{ $json.snippet }}' }), gmail, 'snippet'],
		['the whole text is beside it', answering('{{ $json.snippet }}'), { ...gmail, text }, 'snippet'],
		[
			'the whole body is beside it',
			answering('{{ $json.bodyPreview }}'),
			{ ...outlook, body: { contentType: 'text', content: text } },
			'bodyPreview',
		],
		[
			'JSON',
			{
				...create,
				messagesSource: 'json',
				messagesJson: '={{ [{ role: "user", content: [{ type: "text", text: $json.snippet }] }] }}',
			},
			gmail,
			'snippet',
		],
	])('has a hint: %s', async (_, parameters, email, field) => {
		expect(await message.hint(parameters, { items: [email, { ...email, [field]: 'Hi' }] })).toContain(
			`${BEGINNING}${field} (in 1 of 2 items). For its whole text, turn off the simplified output of the node that reads it, or send the field with the whole text.`,
		);
	});

	test.each<[name: string, parameters: INodeParameters, email: IDataObject]>([
		['its subject is sent', answering('{{ $json.Subject }}'), gmail],
		['its whole text is sent', answering('{{ $json.text }}'), { ...gmail, text: gmail.snippet.repeat(3) }],
		[
			'its text is cut off',
			answering('{{ $json.text.slice(0, 400) }}'),
			{ ...gmail, text: gmail.snippet.repeat(3) },
		],
		['its text is sent too', answering('{{ $json.snippet }} {{ $json.text }}'), { ...gmail, text }],
		['another thing has such a field', answering('{{ $json.snippet }}'), { snippet: gmail.snippet }],
	])('has no hint if %s', async (_, parameters, email) => {
		expect(await message.hint(parameters, { items: [email] })).not.toContain(BEGINNING);
	});
});

describe('a field that is blank beside the same text as HTML', () => {
	const BLANK = 'A field was blank. Its text is in another field, which was not sent: ';
	const html = '<p>Help!</p>';
	const email = { subject: 'Order', text: '', html };
	const about = '=Answer. Subject: {{ $json.subject }}\nBody: {{ $json.text }}';

	test.each<[name: string, parameters: INodeParameters]>([
		['create', { ...create, ...saying(about) }],
		['chat', { ...chat, ...saying(about), operation: 'chat' }],
		[
			'JSON',
			{
				...create,
				messagesSource: 'json',
				messagesJson: '=[{"role":"user","content":"{{ $json.subject }}: {{ $json.text }}"}]',
			},
		],
		['a system prompt', adding({ ...create, ...saying('=Hi') }, { system: about })],
	])('has a hint if an expression reads it: %s', async (_, parameters) => {
		expect(await message.hint(parameters, { items: [email, { ...email, text: 'Help!' }] })).toContain(
			`${BLANK}html (in 1 of 2 items). Send that field too.`,
		);
	});

	test.each<[name: string, parameters: INodeParameters, email: IDataObject]>([
		['the HTML is sent too', { ...create, ...saying(`${about}{{ $json.html.removeTags() }}`) }, email],
		['the HTML has no text', { ...create, ...saying(about) }, { ...email, html: '<br>' }],
		['there is no HTML', { ...create, ...saying(about) }, { subject: 'Order', text: '' }],
	])('has no hint if %s', async (_, parameters, item) => {
		expect(await message.hint(parameters, { items: [item] })).not.toContain(BLANK);
	});
});

describe('the headers of a webhook', () => {
	const item = { headers: { cookie: 'a' }, params: {}, query: {}, body: { text: 'Hi' }, webhookUrl: 'b' };

	test.each([
		saying('=Answer: {{ JSON.stringify($json) }}'),
		{ options: { system: '={{ $json.toJsonString() }}' } },
	])('are counted in the hint if they are sent with the whole item', async (more) => {
		expect(await message.hint({ ...create, ...more }, { items: [item, { a: 1 }] })).toContain(
			'The headers of the webhook, which may hold keys and cookies, were sent too: headers (in 1 of 2 items). To leave them out, send only body or query.',
		);
	});

	test('are not named if only the body is sent', async () => {
		const parameters = { ...create, ...saying('=Answer: {{ JSON.stringify($json.body) }}') };
		expect(await message.hint(parameters, { items: [item] })).not.toContain('headers');
	});
});

describe('a stop sequence', () => {
	const isShown = (stopSequences: unknown, more: INodeParameters = {}) =>
		evaluate(typedEscapeHint.displayCondition!, { options: { stopSequences }, ...more } as INodeParameters);

	test.each<[unknown]>([[['END', 'END\\n\\n']], [['\\t']]])(
		'%j with a typed line break or tab has a hint in the editor, except in Chat, which has none',
		(stopSequences) => {
			expect(isShown(stopSequences)).toBe(true);
			expect(isShown(stopSequences, { operation: 'chat' })).toBe(false);
		},
	);

	test.each<[unknown]>([[['={{ "\\n" }}']], [['\n', 'END', 'C:\\data']], [[]], [undefined]])(
		'%j without a typed line break or tab in fixed text has no hint in the editor',
		(stopSequences) => {
			expect(isShown(stopSequences)).toBe(false);
			expect(isShown(stopSequences, { operation: 'chat' })).toBe(false);
		},
	);
});

describe('Messages (JSON) with content blocks', () => {
	const fromJson = (messagesJson: string): INodeParameters => ({
		model: 'acme/quick-1',
		messagesSource: 'json',
		messagesJson,
	});
	const turn = (...blocks: object[]) => JSON.stringify([{ role: 'user', content: blocks }]);
	const text = (given: string) => ({ type: 'text', text: given });

	test.each([
		[
			'a question of which only the fixed words are left',
			`=${turn(text('Answer: {{ $json.none }}'))}`,
			'says nothing',
		],
		['a blank text by an expression', `=${turn(text('{{ $json.none }}'))}`, 'says nothing'],
		['blank texts in an expression', `={{ ${turn(text(''), text(' '))} }}`, 'must have content'],
		['a blank text', turn(text(' ')), 'must have content'],
	])('is refused: %s', async (_, messagesJson, rule) => {
		expect(await message.refusal(fromJson(messagesJson))).toContain(`message 1 ${rule}`);
	});

	test.each([
		[
			'a filled text beside a blank one',
			`=${turn(text('Hello'), text('{{ $json.none }}'), text('{{ $json.n }}'))}`,
		],
		[
			'another block beside a blank one',
			turn(text(''), { type: 'tool_result', tool_use_id: 't', content: '5' }),
		],
	])('is sent: %s', async (_, messagesJson) => {
		await message.run(fromJson(messagesJson));
		expect(emulator.requests).toHaveLength(1);
	});
});
