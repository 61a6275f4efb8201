import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { nodeDriver } from '../support/nodeDriver';
import { uploading } from '../support/uploading';
import { useEmulator } from '../support/useEmulator';

const emulator = useEmulator();

const ITEMS = [
	{ message: 'Help!', 'My "Text"': 'a' },
	{ message: '', body: { message: 'a', lines: ['b'] }, 'Mail Body': { text: 'c' } },
	{ other: 1, SAME: 1, same: 2 },
];

const judging = (stateText: string) =>
	({
		stateSource: 'text',
		stateText,
		questions: { question: [{ id: 'urgent', type: 'noul', instructions: 'Is it urgent?' }] },
	}) as INodeParameters;

const saying = (content: string, more: object = {}) =>
	({ model: 'acme/quick-1', messages: { message: [{ role: 'user', content }] }, ...more }) as INodeParameters;

const driverFor = (type: string) => nodeDriver(type, emulator, { items: ITEMS });

const NODES: Array<[string, string, (text: string) => INodeParameters]> = [
	['Text of a decision', 'decision', judging],
	['a message', 'message', saying],
	['a message of a chat', 'message', (text) => saying(text, { operation: 'chat' })],
	['the name of a voice style', 'voice', (customName) => uploading({ customName })],
	['a transcript', 'voice', (text) => uploading({ text })],
];

describe.each(NODES)('a text without expressions in %s', (_, type, withText) => {
	const node = driverFor(type);

	test.each([
		[' message\n', '"message" was sent as it stands in 2 of 3 items', '.message'],
		['=message', '"message" was sent as it stands in 2 of 3 items', '.message'],
		[
			'My "Text"',
			'"My &quot;Text&quot;" was sent as it stands in 1 of 3 items',
			'[&quot;My \\&quot;Text\\&quot;&quot;]',
		],
	])('has a hint if it is nothing but the name of a field: %j', async (text, said, key) => {
		expect(await node.hint(withText(text))).toContain(
			`${said}, although there is a field of that name: write {{ $json${key} }}.`,
		);
	});

	test.each([
		['Message', 'in 2 of 3 items', '.message'],
		['OTHER', 'in 1 of 3 items', '.other'],
		['$json.message', 'in 2 of 3 items', '.message'],
		['json.message', 'in 2 of 3 items', '.message'],
		["$json['Mail Body'].text", 'in 1 of 3 items', '[&quot;Mail Body&quot;].text'],
		['body.message', 'in 1 of 3 items', '.body.message'],
		['body.lines[0]', 'in 1 of 3 items', '.body.lines[&quot;0&quot;]'],
	])('has a hint if it leads to a field: %s', async (text, where, key) => {
		const hint = await node.hint(withText(text));
		expect(hint).toContain(
			`was sent as it stands ${where}, although there is a field of that name: write {{ $json${key} }}.`,
		);
	});

	test.each([
		['Is this urgent? {message}', '{message}', '.message'],
		['${message} {other}', '{message}', '.message'],
		['{ "reply": {other} }', '{other}', '.other'],
	])('has a hint if it has the name of a field in single braces: %s', async (text, name, key) => {
		expect(await node.hint(withText(text))).toMatch(
			new RegExp(`"${name}" was sent as it stands in \\d of 3 items, .* write {{ \\$json${key} }}`),
		);
	});

	test.each([
		...['{{message}}', '{messages}', '{constructor}', '{"message"}'],
		'my message',
		'constructor',
		'={{ $json.message || "message" }}',
		'Same',
		'body.missing',
		'Read the body. Then answer.',
		'json.constructor',
	])('has no hint if it is anything else: %s', async (text) => {
		expect(await node.hint(withText(text))).not.toContain('as it stands');
	});

	test.each<[name: string, text: string, message: unknown]>([
		['its value is sent', '=Is this urgent? {message}: {{ $json.message }}', 'Help!'],
		['the braces are within an expression', "={{ $json.other }} {{ '{message}' }}", 'Help!'],
		['the field is blank', '=Is this urgent? {message} {{ $json.other }}', ' '],
		['no field has the name', '=Is this urgent? {messages} {{ $json.other }}', 'Help!'],
		['it has a space', '=Is this urgent? { message } {{ $json.other }}', 'Help!'],
	])('of which a part is an expression has no hint if %s', async (_, text, value) => {
		const items = [{ message: value, other: 'Ada' }] as IDataObject[];
		expect(await node.hint(withText(text), { items })).not.toContain('as it stands');
	});

	test('has a hint without the name under redaction', async () => {
		const hint = await node.hint(withText('message'), { settings: { redactionPolicy: 'all' } });
		expect(hint).toContain('The name of a field was sent as a text in 2 of 3 items.');
		expect(hint).not.toContain('message');
	});
});

test.each(['message', 'Answer {message}.'])(
	'messages in JSON without expressions have a hint too: %s',
	async (content) => {
		const messagesJson = JSON.stringify([{ role: 'user', content }]);
		const hint = await driverFor('message').hint(saying('', { messagesSource: 'json', messagesJson }));
		expect(hint).toContain('was sent as it stands in 2 of 3 items, although there is a field of that name');
	},
);

describe('a system prompt without expressions', () => {
	const node = driverFor('message');

	test('has a hint if it is nothing but the name of a field', async () => {
		expect(await node.hint(saying('Hi', { options: { system: 'message' } }))).toContain(
			'"message" was sent as it stands in 2 of 3 items, although there is a field of that name',
		);
	});

	test.each(['={{ "message" }}', 'Sign with the placeholder {message}.'])(
		'has no hint: %s',
		async (system) => {
			expect(await node.hint(saying('Hi', { options: { system } }))).not.toContain('as it stands');
		},
	);
});

describe.each([
	['Text of a decision', driverFor('decision'), judging],
	['a message', driverFor('message'), saying],
	['a message of a chat', driverFor('message'), (text: string) => saying(text, { operation: 'chat' })],
])('a text with expressions in %s', (_, node, withText) => {
	test.each([
		'=About {{ $json.other }}: {message}',
		'={message}{{ $json.other }}',
		'=<{message}> {{ $today }}',
	])('has a hint if it has the name of a field in single braces: %s', async (text) => {
		const items = [{ message: 'Help!', other: 'Ada' }, { message: 'Ada', other: 'Ada' }, { other: 'Ada' }];
		expect(await node.hint(withText(text), { items })).toMatch(
			/"\{message\}" was sent as it stands in [12] of 3 items, .* write \{\{ \$json\.message \}\}/,
		);
	});
});

test('a system message with an expression has no hint for a name in single braces, which may explain a template', async () => {
	const content = '=Write for {{ $json.message }}, and sign with {other}';
	const messages = {
		message: [
			{ role: 'system', content },
			{ role: 'user', content: 'Hi' },
		],
	};
	const hint = await driverFor('message').hint(saying('', { messages, operation: 'chat' }), {
		items: [{ message: 'Ada', other: 'Bob' }],
	});
	expect(hint).not.toContain('as it stands');
});

describe('a name in single braces in a question', () => {
	const node = driverFor('decision');
	const asking = (question: object, more: object = {}) =>
		({
			stateSource: 'text',
			stateText: 'Hi',
			questions: { question: [{ id: 'a', type: 'noul', instructions: 'Is it?', ...question }] },
			...more,
		}) as INodeParameters;
	const inText = { instructions: 'Is it about {message}?' };
	const inOption = {
		type: 'choice',
		options: { option: [{ name: 'b', description: 'Like {message}' }, { name: 'c' }] },
	};

	test.each<[string, INodeParameters]>([
		['in its text', asking(inText)],
		['in the description of an option', asking(inOption)],
		[
			'with fields to send that lack it',
			asking(inText, { stateSource: 'item', stateFields: 'other, body, SAME' }),
		],
		[
			'in JSON',
			asking(
				{},
				{ questionsSource: 'json', questionsJson: '{"a":{"type":"noul","instructions":"Is it {message}?"}}' },
			),
		],
	])('has a hint if the model does not get the field: %s', async (_, parameters) => {
		expect(await node.hint(parameters, { onError: 'continueRegularOutput' })).toMatch(
			/"\{message\}" was sent as it stands in [12] of 3 items, .* write \{\{ \$json\.message \}\}/,
		);
	});

	test.each<[string, INodeParameters]>([
		['the item is sent', asking(inText, { stateSource: 'item' })],
		['the field is sent', asking(inText, { stateSource: 'item', stateFields: 'message, other' })],
		['its value is the text', asking(inText, { stateText: '={{ $json.message || "none" }}' })],
		['there is no such field', asking({ instructions: 'Does it have {placeholders}?' })],
		['an expression fills it in', asking({ instructions: '=Is it {{ $json.message || "none" }}?' })],
		['it stands without braces', asking({ instructions: 'message' })],
	])('has no hint if %s', async (_, parameters) => {
		expect(await node.hint(parameters)).not.toContain('as it stands');
	});
});

test('an item that fails before anything is sent does not count', async () => {
	const failing = { role: '={{ $json.message ? "wizard" : "user" }}', content: 'Answer it.' };
	const messages = { message: [{ role: 'user', content: 'message' }, failing] };
	const hint = await driverFor('message').hint(saying('', { messages }), {
		onError: 'continueRegularOutput',
	});
	expect(hint).toContain('"message" was sent as it stands in 1 of 3 items');
});
