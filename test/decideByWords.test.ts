import type { ChoiceAnswer, NoulAnswer, Question, ScoreAnswer } from '../contract/types';
import { confidenceOfChoice, confidenceOfScore, decideByWords } from '../emulator/decideByWords';

function answer<Answer>(state: string, question: Question): Answer {
	return decideByWords({ model: 'Kev-4B', state, questions: { id: question } }).answers.id as Answer;
}

const choose = (text: string, criteria: Record<string, string>) =>
	answer<ChoiceAnswer>(text, { type: 'choice', instructions: 'Which team?', criteria });

const namesOnly = (...names: string[]) => Object.fromEntries(names.map((name) => [name, '']));

const ask = (text: string, instructions: string) =>
	answer<NoulAnswer>(text, { type: 'noul', instructions }).noul;

test.each([
	[confidenceOfChoice, [0.62, 0.38], 0.24],
	[confidenceOfChoice, [0.25, 0.25, 0.25, 0.25], 0],
	[confidenceOfChoice, [1], 1],
	[confidenceOfScore, [0.0005, 0.188, 0.811], 0.9055],
	[confidenceOfScore, [0.5, 0.5], 0.5],
])('%p of %j is %d', (confidenceOf, probabilities, expected) => {
	expect(confidenceOf(probabilities)).toBeCloseTo(expected, 10);
});

test('all numbers have two decimals, and probabilities add up to 1', () => {
	for (const count of [2, 3, 7, 60, 255]) {
		const options = namesOnly(...Array.from({ length: count }, (_, index) => `option${index}`));
		const { probabilities = {}, confidence, choice } = choose('option1 twice', options);
		const shares = Object.values(probabilities);
		for (const number of [...shares, confidence!]) expect(String(number)).toMatch(/^[01](\.\d\d?)?$/);
		expect(shares.reduce((sum, share) => sum + Math.round(share * 100), 0)).toBe(100);
		expect(choice).toBe('option1');
	}
});

describe('a choice', () => {
	const GARAGE = namesOnly('Tyres', 'Brakes', 'Air Conditioning', 'Appointments');
	const LIBRARY = {
		Loans: 'Borrowing, renewing or returning books',
		Fines: 'Late fees, payments and lost books',
		Rooms: 'Booking a study room',
	};

	test.each([
		['My front left tyre keeps losing pressure', GARAGE, 'Tyres'],
		['I need to move my appointment', GARAGE, 'Appointments'],
		['Braking sounds awful', GARAGE, 'Brakes'],
		['Can I renew my novels?', LIBRARY, 'Loans'],
		['I paid yesterday', LIBRARY, 'Fines'],
		['Is the room free?', LIBRARY, 'Rooms'],
	])('is sure of "%s", which has words of one option', (text, options, expected) => {
		const { choice, confidence } = choose(text, options);
		expect(choice).toBe(expected);
		expect(confidence).toBeGreaterThanOrEqual(0.8);
	});

	test('is less sure when there are words of several', () => {
		const { choice, confidence } = choose('I lost a book that I borrowed and was renewing', LIBRARY);
		expect(choice).toBe('Loans');
		expect(confidence).toBeLessThan(0.7);
	});

	test('without any such word is as good as none, or the option for the rest', () => {
		expect(choose('Where can I park?', LIBRARY).confidence).toBeLessThanOrEqual(0.01);
		const { choice, confidence } = choose('Where can I park?', { ...LIBRARY, 'Something else': '' });
		expect(choice).toBe('Something else');
		expect(confidence).toBeLessThan(0.7);
	});
});

test('yes or no depends on how many words of the question occur, and on a negation', () => {
	expect(ask('It is urgent', 'Is it urgent?')).toBeGreaterThan(0.9);
	expect(ask('I want a refund', 'Does the customer want a refund or a discount?')).toBeGreaterThan(0.6);
	expect(ask('Do you open on Sunday?', 'Is it urgent?')).toBe(0.3);
	expect(ask('This is not urgent at all', 'Is it urgent?')).toBeLessThan(0.3);
});

test('a score is the mean of its levels, weighted by their probabilities, in the middle if no word occurs', () => {
	const rate = (text: string) =>
		answer<ScoreAnswer>(text, {
			type: 'score',
			instructions: 'How upset?',
			criteria: ['calm', 'annoyed', 'furious'],
		});
	const { score, probabilities } = rate('I am furious');
	const mean = Object.entries(probabilities!).reduce((sum, [level, p]) => sum + Number(level) * p, 0);
	expect(score).toBeCloseTo(mean, 10);
	expect(score).toBeGreaterThan(1.8);
	expect(rate('Hello').score).toBeCloseTo(1, 1);
});
