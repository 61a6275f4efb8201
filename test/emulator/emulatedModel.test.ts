import type {
	ChoiceAnswer,
	Message,
	MessageRequest,
	NoulAnswer,
	Question,
	ScoreAnswer,
	Tool,
} from '../../contract/types';
import { confidenceOfChoice, confidenceOfScore } from '../../emulator/confidence';
import { decideByWords } from '../../emulator/decideByWords';
import { generateMessage } from '../../emulator/generateMessage';
import { readTemplate } from '../support/template';

function answer<Answer>(state: string, question: Question): Answer {
	const answers = decideByWords({ model: 'Kev-4B', state, questions: { id: question } });
	return (answers as Record<string, unknown>).id as Answer;
}

const choose = (text: string, criteria: Record<string, string>) =>
	answer<ChoiceAnswer>(text, { type: 'choice', instructions: 'Which team?', criteria });

const namesOnly = (...names: string[]) => Object.fromEntries(names.map((name) => [name, '']));

test.each([
	[confidenceOfChoice, [0.62, 0.38], 0.24],
	[confidenceOfChoice, [0.25, 0.25, 0.25, 0.25], 0],
	[confidenceOfChoice, [1], 1],
	[confidenceOfScore, [0.0005, 0.188, 0.811], 0.9055],
	[confidenceOfScore, [0.5, 0.5], 0.5],
])('%p of %j is %d', (confidenceOf, probabilities, expected) => {
	expect(confidenceOf(probabilities)).toBeCloseTo(expected, 10);
});

describe('a choice', () => {
	const GARAGE = namesOnly('Tyres', 'Brakes', 'Parts', 'Air Conditioning', 'Appointments');
	const LIBRARY = {
		Loans: 'Borrowing, renewing or returning books',
		Fines: 'Late fees, payments and lost books',
		Rooms: 'Booking a study room',
	};

	test.each([
		['My front left tyre keeps losing pressure', GARAGE, 'Tyres'],
		['I need a part for my old car', GARAGE, 'Parts'],
		['Braking sounds awful', GARAGE, 'Brakes'],
		['Can I renew my novels?', LIBRARY, 'Loans'],
		['I paid yesterday', LIBRARY, 'Fines'],
	])('is sure of "%s", which has words of one option', (text, options, expected) => {
		const { choice, confidence } = choose(text, options);
		expect(choice).toBe(expected);
		expect(confidence).toBeGreaterThanOrEqual(0.8);
	});

	test.each([2, 3, 7, 60, 255])('of %d options is sure of the one that occurs, else of none', (count) => {
		const options = namesOnly(...Array.from({ length: count }, (_, index) => `option${index}`));
		const { probabilities = {}, confidence, choice } = choose('option1 twice', options);
		expect(choice).toBe('option1');
		expect(confidence).toBeGreaterThanOrEqual(0.8);
		const shares = Object.values(probabilities);
		for (const number of [...shares, confidence!]) expect(String(number)).toMatch(/^[01](\.\d\d?)?$/);
		expect(shares.reduce((sum, share) => sum + Math.round(share * 100), 0)).toBe(100);
		expect(choose('nothing of the kind', options).confidence).toBeLessThanOrEqual(0.01);
	});
});

test.each([
	['It is urgent', 'Is it urgent?', 0.9, 1],
	['I want a refund', 'Does the customer want a refund or a discount?', 0.6, 0.9],
	['Do you open on Sunday?', 'Is it urgent?', 0.3, 0.3],
	['This is not urgent at all', 'Is it urgent?', 0, 0.2],
])('"%s" for "%s": the words that occur decide, and a negation', (text, instructions, least, most) => {
	const { noul } = answer<NoulAnswer>(text, { type: 'noul', instructions });
	expect(noul).toBeGreaterThanOrEqual(least);
	expect(noul).toBeLessThanOrEqual(most);
});

test('a score is the mean of its levels, weighted by their probabilities, in the middle if no word occurs', () => {
	const criteria = ['calm', 'annoyed', 'furious'];
	const rate = (text: string) =>
		answer<ScoreAnswer>(text, { type: 'score', instructions: 'How upset?', criteria });
	const { score, probabilities } = rate('I am furious');
	const mean = Object.entries(probabilities!).reduce((sum, [level, p]) => sum + Number(level) * p, 0);
	expect(score).toBeCloseTo(mean, 10);
	expect(score).toBeGreaterThan(1.8);
	expect(rate('Hello').score).toBeCloseTo(1, 1);
});

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

describe('a reply', () => {
	test.each([
		['The bill is wrong', ['Billing']],
		['The bill is wrong and my card is lost', ['Billing', 'Cards']],
		['Good morning everybody', ['fallback']],
	])('to a Text Classifier marks what fits "%s"', (text, expected) => {
		const names = ['Billing', 'Cards', 'Account', 'fallback'];
		const form = formOf(Object.fromEntries(names.map((name) => [name, { type: 'boolean' }])));
		const marks = JSON.parse(reply(text, `Classify the text into categories.\n${form}`)) as object;
		expect(Object.entries(marks).flatMap(([name, fits]) => (fits ? name : []))).toEqual(expected);
	});

	test('is one of the labels that a prompt lists', () => {
		expect(reply('It came too late', 'Answer with one of: late, early or on time.')).toBe('late');
	});

	test('in JSON is made from what the user wrote, not from the requested form', () => {
		const text = `Tell me about Berlin.\n${formOf({ city: { type: 'string' } })}`;
		expect(JSON.parse(reply(text))).toEqual({ city: 'Tell me about Berlin.' });
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

	test('of the template of an agent that asks before it acts: it asks, and then opens a ticket with the answers', () => {
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
		const message = 'I lost my card and need a new one, help me immediately!';
		const returned = {
			Judge_the_Message: '[{"team":"Cards","team_confidence":0.8,"urgent":0.9,"urgent_yes":true}]',
			Open_a_Ticket: 'A ticket for the team Cards is open.',
		};
		expect(exchange({ system, tools, messages: [{ role: 'user', content: message }] }, returned)).toEqual({
			calls: [
				{ name: 'Judge_the_Message', input: { message } },
				{ name: 'Open_a_Ticket', input: { team: 'Cards', urgent: true, summary: message } },
			],
			text: 'The tool returned: A ticket for the team Cards is open.',
		});
	});
});
