import type { Message, MessageRequest, Tool } from '../contract/types';
import { generateMessage } from '../emulator/generateMessage';
import { readTemplate } from './template';

const send = (request: Partial<MessageRequest>): Message => {
	let made = 0;
	return generateMessage(
		{ model: 'acme/quick-1', max_tokens: 1000, messages: [], ...request },
		(prefix) => `${prefix}_${++made}`,
	);
};

const textOf = ({ content }: Message): string =>
	content.map((block) => (block.type === 'text' ? block.text : '')).join('');

const reply = (content: string, system = '') =>
	textOf(send({ system, messages: [{ role: 'user', content }] }));

/** What n8n's AI nodes add to a prompt, in our own words. */
const formOf = (properties: object, required = Object.keys(properties)) =>
	`Give your output in the format of a JSON value that meets this schema:\n${JSON.stringify({ type: 'object', properties, required })}`;

describe('a classifier', () => {
	const classes = (several: boolean) => {
		const names = ['Billing', 'Cards', 'Account', 'fallback'];
		const properties = Object.fromEntries(names.map((name) => [name, { type: 'boolean' }]));
		const rule = several ? 'multiple can be true' : 'only one can be true';
		return `Classify the text into categories.\n${formOf(properties)}\n${rule}`;
	};

	test.each([
		['The bill is wrong', false, ['Billing']],
		['The bill is wrong and my card is lost', true, ['Billing', 'Cards']],
		['Good morning everybody', false, ['fallback']],
		['Good morning everybody', true, ['fallback']],
	])('marks what fits "%s" (several may: %s)', (text, several, expected) => {
		const marks = JSON.parse(reply(text, classes(several))) as Record<string, boolean>;
		expect(Object.keys(marks).filter((name) => marks[name])).toEqual(expected);
	});

	test('answers with one of the labels that a prompt lists', () => {
		expect(reply('It came too late', 'Answer with one of: late, early or on time.')).toBe('late');
	});
});

describe('structured output', () => {
	test('is made from what the user wrote, not from the requested format', () => {
		const text = `Tell me about Berlin.\n${formOf({ city: { type: 'string' }, note: { type: 'string' } })}`;
		expect(JSON.parse(reply(text))).toEqual({
			city: 'Tell me about Berlin.',
			note: 'Tell me about Berlin.',
		});
	});

	test('has what the text says and what can be judged, and leaves out the rest', () => {
		const properties = {
			name: { type: 'string', description: 'Name of the customer' },
			email: { type: 'string' },
			order_number: { type: 'string' },
			phone: { type: 'string' },
			is_complaint: { type: 'boolean' },
			mood: { enum: ['happy', 'angry'] },
		};
		const text =
			'My name is Ada Lovelace (ada@example.com). Order AB-1234 came broken, I am angry, this is a complaint!';
		expect(JSON.parse(reply(text, formOf(properties, [])))).toEqual({
			name: 'Ada Lovelace',
			email: 'ada@example.com',
			order_number: 'AB-1234',
			is_complaint: true,
			mood: 'angry',
		});
	});
});

describe('a summary', () => {
	test('is the beginning of the text to summarize', () => {
		const prompt = 'Write a concise summary of the following:\n\n"The fox jumps."\n\nCONCISE SUMMARY:';
		expect(reply(prompt)).toBe('The fox jumps.');
	});
});

describe('tools', () => {
	const tool = (name: string, description: string, properties: object = {}): Tool => ({
		name,
		description,
		input_schema: { type: 'object', properties, required: Object.keys(properties) },
	});

	/** The calls of a whole exchange, and the text that ends it. */
	function exchange(request: Partial<MessageRequest>, returns: Record<string, string>) {
		const messages = [...request.messages!];
		const calls: object[] = [];
		for (;;) {
			const message = send({ ...request, messages });
			const called = message.content.filter((block) => block.type === 'tool_use');
			if (called.length === 0) return { calls, text: textOf(message) };
			calls.push(...called.map(({ name, input }) => ({ name, input })));
			messages.push(
				{ role: 'assistant', content: message.content },
				{
					role: 'user',
					content: called.map(({ id, name }) => ({
						type: 'tool_result',
						tool_use_id: id,
						content: returns[name]!,
					})),
				},
			);
		}
	}

	test('that fit are called once, and others never', () => {
		const tools = [
			tool('send_fax', 'Sends a fax'),
			tool('get_weather', 'The weather of a city', { city: { type: 'string' } }),
		];
		const content = 'What is the weather in Paris today?';
		expect(exchange({ tools, messages: [{ role: 'user', content }] }, { get_weather: '20 degrees' })).toEqual(
			{
				calls: [{ name: 'get_weather', input: { city: content } }],
				text: 'The tool returned: 20 degrees',
			},
		);
		expect(
			exchange({ tools, messages: [{ role: 'user', content: 'Please sing me a song' }] }, {}).calls,
		).toEqual([]);
	});

	test('that calculate get the sum only', () => {
		const tools = [tool('calculator', 'Calculates', { input: { type: 'string' } })];
		const content = 'Please use the calculator: how much is 12 times (7 + 5)?';
		expect(exchange({ tools, messages: [{ role: 'user', content }] }, { calculator: '144' }).calls).toEqual([
			{ name: 'calculator', input: { input: '12 * (7 + 5)' } },
		]);
	});

	describe('of the template of an agent that asks before it acts', () => {
		const { nodes } = readTemplate('agent-that-asks-before-it-acts.json');
		const agent = nodes.find(({ name }) => name === 'AI Agent')!;
		const { systemMessage: system } = agent.parameters.options as { systemMessage: string };
		const tools = [
			tool('Open_a_Ticket', 'Opens a ticket for a team of the bank', {
				team: { type: 'string' },
				urgent: { type: 'boolean' },
				summary: { type: 'string' },
			}),
			tool('Judge_the_Message', 'Answers questions about a text', { message: { type: 'string' } }),
		];
		const talk = (content: string, confidence = 0.8) =>
			exchange(
				{ system, tools, messages: [{ role: 'user', content }] },
				{
					Judge_the_Message: `[{"team":"Cards","team_confidence":${confidence},"urgent":0.9,"urgent_yes":true}]`,
					Open_a_Ticket: 'A ticket for the team Cards is open.',
				},
			);
		const MESSAGE = 'I lost my card and need a new one, help me immediately!';
		const asks = { name: 'Judge_the_Message', input: { message: MESSAGE } };

		test('it asks, and then opens a ticket with the answers', () => {
			expect(talk(MESSAGE)).toEqual({
				calls: [asks, { name: 'Open_a_Ticket', input: { team: 'Cards', urgent: true, summary: MESSAGE } }],
				text: 'The tool returned: A ticket for the team Cards is open.',
			});
		});

		test('below the confidence that the prompt requires it opens none', () => {
			expect(talk(MESSAGE, 0.1)).toEqual({ calls: [asks], text: expect.stringContaining('tell me more') });
		});

		test('a greeting is not a reason to ask', () => {
			expect(talk('Hello!').calls).toEqual([]);
		});
	});
});
