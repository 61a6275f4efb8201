import type { INodeParameters } from 'n8n-workflow';

import { nodeDriver } from '../support/nodeDriver';
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

	test('has a hint without the name under redaction', async () => {
		const hint = await node.hint(withText('message'), { settings: { redactionPolicy: 'all' } });
		expect(hint).toContain('The name of a field was sent as a text in 2 of 3 items.');
		expect(hint).not.toContain('message');
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
