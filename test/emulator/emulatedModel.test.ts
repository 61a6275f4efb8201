import type { Answer, Message, MessageRequest, Question, Tool } from '../../contract/types';
import { confidenceOfChoice, confidenceOfScore } from '../../emulator/answers';
import { decideByName } from '../../emulator/decideByName';
import { generateMessage } from '../../emulator/generateMessage';
import { readTemplate } from '../support/template';

async function answer(state: string, question: Question): Promise<Answer> {
	const { id } = await decideByName({ state, questions: { id: question } });
	return id!;
}

test.each([
	[confidenceOfChoice, [0.62, 0.38], 0.24],
	[confidenceOfChoice, [0.25, 0.25, 0.25, 0.25], 0],
	[confidenceOfChoice, [1], 1],
	[confidenceOfScore, [0.0005, 0.188, 0.811], 0.9055],
	[confidenceOfScore, [0.5, 0.5], 0.5],
])('%p of %j is %d', (confidenceOf, probabilities, expected) => {
	expect(confidenceOf(probabilities)).toBeCloseTo(expected, 10);
});

test.each([
	['Late Fees sent me a letter about a study room', 'Late Fees', 0.8],
	['Is borrowing free?', 'Loans', 0.9],
	['Late again!', 'Rooms', 0],
])(
	'for "%s" the choice is %s, by the name of an option, else by words of its description',
	async (text, choice, sure) => {
		const criteria = { Rooms: 'Booking a room', 'Late Fees': 'Fines and payments', Loans: 'Borrowing books' };
		const answered = await answer(text, { type: 'choice', instructions: 'Which team?', criteria });
		expect(answered).toMatchObject({ choice, confidence: expect.closeTo(sure, 1) as number });
	},
);

test.each([2, 3, 7, 60, 255])('the probabilities of %d options add up to one', async (count) => {
	const criteria = Object.fromEntries(Array.from({ length: count }, (_, index) => [`option${index}`, '']));
	const answered = await answer('option1 twice', { type: 'choice', instructions: 'Which?', criteria });
	expect(answered).toMatchObject({ choice: 'option1' });
	const shares = Object.values((answered as { probabilities: Record<string, number> }).probabilities);
	expect(shares.reduce((sum, share) => sum + Math.round(share * 1000), 0)).toBe(1000);
});

test('the answer to a yes or no question is yes if its last word occurs in the text', async () => {
	const question: Question = { type: 'noul', instructions: 'Is it urgent?' };
	expect(await answer('This is URGENT!', question)).toEqual({ type: 'noul', noul: 0.9 });
	expect(await answer('No urgency at all', question)).toEqual({ type: 'noul', noul: 0.1 });
});

test('a score is the mean of its levels, weighted by their probabilities, in the middle if no word occurs', async () => {
	const question: Question = {
		type: 'score',
		instructions: 'How upset?',
		criteria: ['calm', 'annoyed', 'furious'],
	};
	expect(await answer('I am furious', question)).toMatchObject({
		score: expect.closeTo(2 * 0.934 + 0.033) as number,
		probabilities: { 0: 0.033, 1: 0.033, 2: 0.934 },
		legend: { 2: 'furious' },
	});
	expect(await answer('Hello', question)).toMatchObject({ score: expect.closeTo(1, 2) as number });
});

async function send(request: Partial<MessageRequest>): Promise<Message> {
	let made = 0;
	return await generateMessage(
		{ model: 'acme/quick-1', max_tokens: 1000, messages: [], ...request },
		{ nextId: (prefix) => `${prefix}_${++made}`, decide: decideByName },
	);
}

const textOf = ({ content }: Message): string =>
	content.map((block) => (block.type === 'text' ? block.text : '')).join('');

async function reply(content: string, system = ''): Promise<object> {
	return JSON.parse(textOf(await send({ system, messages: [{ role: 'user', content }] }))) as object;
}

/** Writes a prompt like those of n8n's AI nodes, in other words. */
const formOf = (properties: object) =>
	`Give your output in the format of a JSON value that meets this schema:\n${JSON.stringify({ type: 'object', properties })}`;

describe('a reply', () => {
	test.each([
		['The billing is wrong', ['Billing']],
		['The billing is wrong, and so are the cards', ['Billing', 'Cards']],
		['Good morning everybody', ['fallback']],
	])('to a Text Classifier marks the classes that occur in "%s"', async (text, expected) => {
		const names = ['Billing', 'Cards', 'Account', 'fallback'];
		const form = formOf(Object.fromEntries(names.map((name) => [name, { type: 'boolean' }])));
		const marks = await reply(text, `Classify the text into categories.\n${form}`);
		expect(Object.entries(marks).flatMap(([name, fits]) => (fits ? name : []))).toEqual(expected);
	});

	test('in JSON meets the schema that the system prompt gives', async () => {
		const form = formOf({
			kind: { enum: ['parcel', 'letter'] },
			fixed: { const: 7 },
			usual: { type: 'string', default: 'as usual' },
			weight: { type: 'integer', minimum: 3 },
			title: { type: 'string', maxLength: 7 },
			inner: { type: 'object', properties: { tags: { type: 'array' }, none: { type: 'null' } } },
		});
		expect(await reply('A letter for me?', form)).toEqual({
			kind: 'letter',
			fixed: 7,
			usual: 'as usual',
			weight: 3,
			title: 'A lette',
			inner: { tags: [], none: null },
		});
	});

	test('in JSON has the fields that the template for drafts asks for', async () => {
		const { nodes } = readTemplate('draft-replies-to-a-sheet.json');
		const { options } = nodes.find(({ name }) => name === 'Draft Reply')!.parameters;
		expect(await reply('Where is my parcel?', (options as { system: string }).system)).toEqual({
			summary: 'Where is my parcel?',
			reply: 'Where is my parcel?',
			needs_person: false,
		});
	});
});

test('the agent of the template asks before it acts, and opens a ticket with the answers', async () => {
	const { nodes } = readTemplate('agent-that-asks-before-it-acts.json');
	const agent = nodes.find(({ name }) => name === 'AI Agent')!;
	const { systemMessage: system } = agent.parameters.options as { systemMessage: string };
	const tool = (name: string, properties: object): Tool => ({
		name,
		input_schema: { type: 'object', properties, required: Object.keys(properties) },
	});
	const tools = [
		tool('Open_a_Ticket', {
			team: { type: 'string' },
			urgent: { type: 'boolean' },
			summary: { type: 'string' },
		}),
		tool('Judge_the_Message', { message: { type: 'string' } }),
		tool('send_fax', {}),
	];
	const returned: Record<string, string> = {
		Judge_the_Message: '[{"team":"Cards","team_confidence":0.8,"urgent":0.9,"urgent_yes":true}]',
		Open_a_Ticket: '{"response":"A ticket for the team Cards is open."}',
	};
	const text = 'I lost my card and need a new one, help me immediately!';
	const messages: MessageRequest['messages'] = [{ role: 'user', content: text }];
	const calls: object[] = [];
	let message = await send({ system, tools, messages });
	for (; message.stop_reason === 'tool_use'; message = await send({ system, tools, messages })) {
		const called = message.content.filter((block) => block.type === 'tool_use');
		calls.push(...called.map(({ name, input }) => ({ name, input })));
		const results = called.map(({ id, name }) => ({
			type: 'tool_result' as const,
			tool_use_id: id,
			content: returned[name]!,
		}));
		messages.push({ role: 'assistant', content: message.content }, { role: 'user', content: results });
	}
	expect(calls).toEqual([
		{ name: 'Judge_the_Message', input: { message: text } },
		{ name: 'Open_a_Ticket', input: { team: 'Cards', urgent: true, summary: text } },
	]);
	expect(textOf(message)).toBe('The tool returned: A ticket for the team Cards is open.');
});
