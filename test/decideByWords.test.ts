import type { ChoiceAnswer, NoulAnswer, Question, ScoreAnswer } from '../contract/types';
import { confidenceOfChoice, confidenceOfScore, decideByWords } from '../emulator/decideByWords';

function answer<Answer>(state: string | object, question: Question): Answer {
	const request = { model: 'Kev-4B' as const, state: state as string, questions: { id: question } };
	return decideByWords(request).answers.id as Answer;
}

const choose = (text: string, ...options: string[]) =>
	answer<ChoiceAnswer>(text, {
		type: 'choice',
		instructions: 'Which team should handle the message?',
		criteria: Object.fromEntries(options.map((option) => [option, ''])),
	});

const ask = (text: string, instructions: string) =>
	answer<NoulAnswer>(text, { type: 'noul', instructions }).noul;

const rate = (text: string, instructions: string, ...criteria: string[]) =>
	answer<ScoreAnswer>(text, { type: 'score', instructions, criteria });

describe('confidence', () => {
	test.each([
		[[0.62, 0.38], 0.24],
		[[0.85, 0.15], 0.7],
		[[0.25, 0.25, 0.25, 0.25], 0],
		[[1], 1],
	])('of a choice with %j is %d', (probabilities, expected) => {
		expect(confidenceOfChoice(probabilities)).toBeCloseTo(expected, 10);
	});

	test.each([
		[[0.0005, 0.188, 0.811], 0.9055],
		[[1, 0], 1],
		[[0.5, 0.5], 0.5],
	])('of a score with %j is %d', (probabilities, expected) => {
		expect(confidenceOfScore(probabilities)).toBeCloseTo(expected, 10);
	});

	test('has two decimals, as all numbers have, and probabilities add up to 1', () => {
		for (const count of [2, 3, 7, 60, 255]) {
			const options = Array.from({ length: count }, (_, index) => `option${index}`);
			const { probabilities = {}, confidence, choice } = choose('option1 twice', ...options);
			const shares = Object.values(probabilities);
			for (const number of [...shares, confidence!]) expect(String(number)).toMatch(/^[01](\.\d\d?)?$/);
			expect(shares.reduce((sum, share) => sum + Math.round(share * 100), 0)).toBe(100);
			expect(choice).toBe('option1');
		}
	});
});

describe('a choice', () => {
	test.each([
		['The app crashes when I log in', 'Technical Support', ['Billing', 'Technical Support', 'Sales']],
		['I was charged twice', 'billing', ['billing', 'technical', 'other']],
		['What a lovely day', 'other', ['billing', 'technical', 'other']],
		['My bin was not emptied this morning', 'Waste', ['Roads', 'Waste', 'Permits']],
		['There are no towels in our room', 'Housekeeping', ['Front Desk', 'Housekeeping', 'Maintenance']],
		['This is not urgent at all, whenever you have time', 'low', ['low', 'medium', 'high']],
		['This is the third time I write, and nobody answers!', 'angry', ['friendly', 'neutral', 'angry']],
	])('"%s" is for %s', (text, expected, options) => {
		expect(choose(text, ...options).choice).toBe(expected);
	});

	test('takes the words of names and descriptions', () => {
		const question: Question = {
			type: 'choice',
			instructions: 'Where does it go?',
			criteria: { Quux: 'Anything about zebras', Xyzzy: '' },
		};
		expect(answer<ChoiceAnswer>('A zebra is here', question).choice).toBe('Quux');
		expect(answer<ChoiceAnswer>('For xyzzy', question).choice).toBe('Xyzzy');
	});

	test('has no confidence if no word speaks for any option', () => {
		expect(choose('Zwölf Boxkämpfer', 'Billing', 'Cards', 'Account').confidence).toBeLessThanOrEqual(0.01);
	});
});

describe('yes or no', () => {
	test.each([
		['Is it urgent?', 'Our server is down and nobody can work', 'No rush, whenever you have time'],
		['Is it a complaint?', 'The waiter was rude and the soup cold', 'Thank you, that was a great evening'],
		['Is this spam?', 'Congratulations, you have won a prize! Click here', 'Where is my parcel?'],
		['Does the customer want a refund?', 'I want my money back', 'Do you open on Sunday?'],
	])('%s', (question, yes, no) => {
		expect(ask(yes, question)).toBeGreaterThan(0.6);
		expect(ask(no, question)).toBeLessThan(0.4);
	});

	test('is uncertain about what it does not know', () => {
		expect(Math.abs(ask('Zwölf Boxkämpfer', 'Is it purple?') - 0.5)).toBeLessThan(0.25);
	});
});

describe('a score', () => {
	test('grows with what speaks for its subject, and shrinks with what speaks against it', () => {
		const levels = ['very unhappy', 'unhappy', 'neutral', 'happy', 'very happy'];
		const [bad, plain, good] = [
			'It broke after a day, terrible',
			'It came on Monday',
			'I love it, it works perfectly',
		].map((text) => rate(text, 'How satisfied is the writer?', ...levels).score);
		expect(bad).toBeLessThan(1.5);
		expect(plain).toBeCloseTo(2, 0);
		expect(good).toBeGreaterThan(2.8);
	});

	test('is the mean of its levels, weighted by their probabilities', () => {
		const { score, probabilities } = rate('Fire in the kitchen!', 'How urgent?', 'can wait', 'today', 'now');
		const mean = Object.entries(probabilities!).reduce((sum, [level, p]) => sum + Number(level) * p, 0);
		expect(score).toBeCloseTo(mean, 10);
	});
});
