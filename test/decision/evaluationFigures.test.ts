import fc from 'fast-check';

import { compareAnswers, mcNemarExact } from '../../nodes/Decision/evaluation/compareAnswers';
import { countConfusion, describeLabels } from '../../nodes/Decision/evaluation/confusion';
import type { AnswerType, EvaluatedFields } from '../../nodes/Decision/evaluation/evaluatedFields';
import { evaluateRows, type Figures } from '../../nodes/Decision/evaluation/evaluateRows';
import { readRows } from '../../nodes/Decision/evaluation/readRows';
import type { Row, Rows } from '../../nodes/Decision/evaluation/Row';
import { measureThresholds } from '../../nodes/Decision/evaluation/thresholds';
import { observationsToShow, wilsonInterval } from '../../nodes/Decision/evaluation/wilsonInterval';
import { choice, noPause, noul, tags } from '../support/evaluatedFields';

async function rowsOf(items: object[], fields: EvaluatedFields): Promise<Rows> {
	return await readRows(items, fields, noPause);
}

async function read(item: object, fields: Partial<EvaluatedFields> = {}): Promise<Row> {
	const { rows } = await rowsOf([item], { ...choice, ...fields });
	return rows[0]!;
}

function choiceRow(
	expected: string,
	answer: string | null,
	confidence: number | null = null,
	index = 0,
): Row {
	return { index, expected, answer, confidence, probability: null };
}

function noulRow(expected: 'yes' | 'no', probability: number): Row {
	const isYes = probability >= 0.5;
	return {
		index: 0,
		expected,
		answer: isYes ? 'yes' : 'no',
		confidence: isYes ? probability : 1 - probability,
		probability,
	};
}

async function figuresOf(
	rows: Row[],
	answerType: AnswerType = 'choice',
	targetAccuracy = 0.9,
): Promise<Figures> {
	return await evaluateRows(
		{ rows, skipped: 0, failedWithAnswer: 0 },
		{ answerType, targetAccuracy },
		noPause,
	);
}

describe('when rows are read,', () => {
	test.each([undefined, null, '', '  '])('an item that expects %j is left out', async (label) => {
		const { rows, skipped } = await rowsOf(
			[
				{ topic: 'a', label },
				{ topic: 'a', label: 'a' },
			],
			choice,
		);
		expect(rows.map(({ index }) => index)).toEqual([1]);
		expect(skipped).toBe(1);
	});

	test.each([
		['yes', ['\u200bYes\u00a0', true, 1, '1', 'Yes', 'TRUE']],
		['no', [false, 0, '0', ' NO ', 'False']],
	])('the expected answer %s may be written in several ways', async (expected, labels) => {
		for (const label of labels) {
			expect((await read({ urgent: 0.9, label }, { ...noul, ignoreCase: false })).expected).toBe(expected);
		}
	});

	test.each([
		[noul, 'perhaps', 'yes or no, true or false, or 1 or 0, but in item 1 it has "perhaps"'],
		[noul, 2, 'but in item 1 it has 2'],
		[noul, [], 'but in item 1 it has []'],
		[choice, { id: 7 }, 'must name a field with text, but in item 1 it has {"id":7}'],
	])(
		'an expected value that cannot be read is an error that names the item',
		async (fields, label, message) => {
			await expect(rowsOf([{ label: 'yes' }, { label }], fields)).rejects.toThrow(message);
		},
	);

	test.each<[string, EvaluatedFields, object, string | string[] | null]>([
		['a choice', choice, { topic: 'a' }, 'a'],
		['a probability', noul, { urgent: 0.8 }, 'yes'],
		['tags', tags, { topics: ['a'] }, ['a']],
		['no answer', choice, {}, null],
	])('an item with %s that failed in a later node counts by its answer', async (_, fields, item, answer) => {
		const failed = { ...item, label: 'yes', error: { message: 'No draft', item_index: 0 } };
		expect((await read(failed, fields)).answer).toEqual(answer);
	});

	test.each([undefined, null, '', ' ', {}, ['a']])('%j is not an answer', async (topic) => {
		const none = { answer: null, confidence: null };
		expect(await read({ topic, topic_confidence: 0.9, label: 'a' })).toMatchObject(none);
	});

	test('numbers and booleans are labels by their text', async () => {
		expect(await read({ topic: 3, label: '3' })).toMatchObject({ answer: '3', expected: '3' });
		expect(await read({ topic: 'True', label: true })).toMatchObject({ answer: 'true', expected: 'true' });
	});

	test.each([
		[0.93, 'yes', 0.93],
		[0.5, 'yes', 0.5],
		[0.49, 'no', 0.51],
		[0.07, 'no', 0.93],
		[0, 'no', 1],
		['0.93', 'yes', 0.93],
		['0,93', 'yes', 0.93],
		['93%', 'yes', 0.93],
		['93 %', 'yes', 0.93],
		[' 93\u00a0% ', 'yes', 0.93],
		['7,0 %', 'no', 0.93],
		[',5', 'yes', 0.5],
		['9.3e-1', 'yes', 0.93],
	])('a probability of %j is a %s at %d', async (urgent, answer, confidence) => {
		const probability = answer === 'yes' ? confidence : 1 - confidence;
		expect(await read({ urgent, label: 'yes' }, noul)).toMatchObject({
			answer,
			confidence,
			probability: expect.closeTo(probability, 12),
		});
	});

	test.each([
		[1.0000000000000002, 'yes', 1],
		[-2e-17, 'no', 0],
	])(
		'a probability or confidence of %d, which rounding put outside, is a %s at the end of the scale',
		async (urgent, answer, probability) => {
			expect(await read({ urgent, label: 'yes' }, noul)).toMatchObject({
				answer,
				confidence: 1,
				probability,
			});
			expect((await read({ topic: 'a', topic_confidence: urgent, label: 'a' })).confidence).toBe(probability);
		},
	);

	test.each([NaN, '', 'yes', true, null, '1.234,5', '0,9,1', '%', '0x1'])(
		'%j is not a probability',
		async (urgent) => {
			const none = { answer: null, confidence: null, probability: null };
			expect(await read({ urgent, label: 'yes' }, noul)).toMatchObject(none);
		},
	);

	test.each<[number | string]>([[1.01], [-0.1], [91], ['91'], ['91,5'], ['150 %'], [Infinity]])(
		'the probability or confidence %j is an error that names the row, and says to divide',
		async (number) => {
			const items = [
				{ label: 'yes' },
				{ urgent: number, before: 0.9, topic_confidence: number, label: 'yes' },
			];
			const said = (name: string) => `in item 1 "${name}" is ${number}: divide percentages by 100`;
			await expect(rowsOf(items, noul)).rejects.toThrow(
				`"Answer Field" (answerField) must name a field with numbers from 0 to 1, but ${said('urgent')}`,
			);
			const compared = { ...noul, answerField: 'before', compareField: 'urgent' };
			await expect(rowsOf(items, compared)).rejects.toThrow(/^"Compare with Field".* in item 1 "urgent" is/);
			const answered = items.map((item) => ({ ...item, topic: 'a' }));
			await expect(rowsOf(answered, choice)).rejects.toThrow(
				`"Confidence Field" (confidenceField) must name a field with numbers from 0 to 1, but ${said('topic_confidence')}`,
			);
			const named = { ...choice, confidenceField: 'urgent' };
			await expect(rowsOf(answered, named)).rejects.toThrow(said('urgent'));
		},
	);

	const composed = 'R\u00e9clamation';
	const decomposed = 'Re\u0301clamation';

	test.each([true, false])(
		'labels that differ only in the form of their accents are equal, also with Ignore Case %s',
		async (ignoreCase) => {
			const { rows } = await rowsOf(
				[
					{ topic: decomposed, label: composed },
					{ topic: composed, label: decomposed },
				],
				{ ...choice, ignoreCase },
			);
			for (const { expected, answer } of rows) expect([expected, answer]).toEqual([composed, composed]);
		},
	);

	test('fields are found whichever form their accents have', async () => {
		const item = { [decomposed]: 'a', [`${decomposed}_confidence`]: 0.8, in: { [composed]: 'a' } };
		const fields = { answerField: composed, expectedField: `in['${decomposed}']` };
		expect(await read(item, fields)).toMatchObject({ expected: 'a', answer: 'a', confidence: 0.8 });
	});

	test.each(['small\u00a0animals', 'Small  animals', 'small\nanimals'])(
		'labels are equal whatever white space their words have between them: %j',
		async (topic) => {
			expect(await read({ topic, label: 'Small animals' })).toMatchObject({
				expected: 'Small animals',
				answer: 'Small animals',
			});
			const exact = await read({ topic, label: 'Small animals' }, { ignoreCase: false });
			expect(exact.answer).toBe(topic);
		},
	);

	test.each([
		'small animals\u200b',
		'\u200esmall animals\u200f',
		'\u202asmall\u202e animals',
		'sm\u00adall \u2060ani\u2069mals',
		'small \ufeffanimals',
		'\u200b small animals',
	])('labels are equal whatever characters they have that nobody sees: %j', async (topic) => {
		for (const item of [
			{ topic, label: 'Small animals' },
			{ topic: 'Small animals', label: topic },
		]) {
			const { expected, answer } = await read(item);
			expect(answer).toBe(expected);
		}
		const exact = await read({ topic, label: 'small animals' }, { ignoreCase: false });
		expect(exact.answer).toBe(topic);
	});

	test.each(['\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645', '\ud83d\udc68\u200d\ud83d\udcbb'])(
		'labels differ by the joiners in them, which carry meaning: %j',
		async (topic) => {
			const { expected, answer } = await read({ topic, label: topic.replace(/[\u200c\u200d]/g, '') });
			expect(answer).not.toBe(expected);
		},
	);

	test('an expected label of nothing that people see is left out, and such an answer is none', async () => {
		const items = [
			{ topic: 'a', label: '\u200b' },
			{ topic: '\ufeff \u00ad', label: 'a' },
		];
		const { rows, skipped } = await rowsOf(items, choice);
		expect([rows.length, skipped, rows[0]!.answer]).toEqual([1, 1, null]);
	});

	test('labels are equal without case and surrounding white space, or exactly when asked to', async () => {
		const { expected, answer } = await read({ topic: 'REFUND ', label: ' Refund' });
		expect([expected, answer]).toEqual(['Refund', 'Refund']);
		const exact = await read({ topic: 'refund', label: 'Refund ' }, { ignoreCase: false });
		expect(exact).toMatchObject({ expected: 'Refund ', answer: 'refund' });
	});

	test.each([
		['beside a choice', { topic: 'a', topic_confidence: 0.8 }, {}, 0.8],
		['beside a level', { mood_level: 'a', mood_level_confidence: 0.8 }, { answerField: 'mood_level' }, 0.8],
		["of a level's score", { mood_level: 'a', mood_confidence: 0.8 }, { answerField: 'mood_level' }, 0.8],
		['in the same object', { in: { topic: 'a', topic_confidence: 0.8 } }, { answerField: 'in.topic' }, 0.8],
		['of a path', { 'My Topic': 'a', 'My Topic_confidence': 0.8 }, { answerField: "['My Topic']" }, 0.8],
		['of a name with a dot', { 'a.b': 'a', 'a.b_confidence': 0.8 }, { answerField: 'a.b' }, 0.8],
		['named', { topic: 'a', sure: 0.8, topic_confidence: 0.1 }, { confidenceField: 'sure' }, 0.8],
		['named by a path', { topic: 'a', in: { sure: 0.8 } }, { confidenceField: 'in.sure' }, 0.8],
		['as text', { topic: 'a', topic_confidence: '0.8' }, {}, 0.8],
		['named and missing', { topic: 'a', topic_confidence: 0.8 }, { confidenceField: 'sure' }, null],
		['with a comma', { topic: 'a', topic_confidence: '0,8' }, {}, 0.8],
		['in per cent', { topic: 'a', topic_confidence: '80 %' }, {}, 0.8],
		['that is no number', { topic: 'a', topic_confidence: 'high' }, {}, null],
	])('the confidence %s', async (_, item, fields, confidence) => {
		expect(await read({ ...item, label: 'a' }, fields)).toMatchObject({ answer: 'a', confidence });
	});
});

describe('two fields of an evaluation', () => {
	const e = { composed: '\u00e9quipe', decomposed: 'e\u0301quipe' };

	test.each<[string, Partial<EvaluatedFields>, object]>([
		['the same name', { answerField: 'team', expectedField: 'team' }, { team: 'a' }],
		['a name and its path', { answerField: 'team', expectedField: "['team']" }, { team: 'a' }],
		['two paths', { answerField: "in['team']", expectedField: 'in.team' }, { in: { team: 'a' } }],
		['two forms', { answerField: e.composed, expectedField: e.decomposed }, { [e.composed]: 'a' }],
		[
			'two forms in paths',
			{ answerField: `in.${e.composed}`, expectedField: `in["${e.decomposed}"]` },
			{ in: { [e.decomposed]: 'a' } },
		],
	])('are an error if they are one: by %s', async (_, fields, item) => {
		await expect(rowsOf([{}, item], { ...choice, ...fields })).rejects.toThrow(
			`"Expected Field" (expectedField) must name another field than "Answer Field" (answerField), but both name "${fields.expectedField}"`,
		);
	});

	test.each<[keyof EvaluatedFields, string]>([
		['answerField', '"Answer Field" (answerField)'],
		['expectedField', '"Expected Field" (expectedField)'],
	])('are an error if they are one: Compare with Field and %s', async (name, subject) => {
		const fields = { ...choice, compareField: `["${choice[name]}"]` };
		await expect(rowsOf([{ topic: 'a', label: 'a' }], fields)).rejects.toThrow(
			`"Compare with Field" (options.compareField) must name another field than ${subject}`,
		);
	});

	test('are no error if they differ, though one looks like the path of the other', async () => {
		const item = { team: 'a', "['team']": 'b' };
		const fields = { answerField: 'team', expectedField: "['team']" };
		expect(await read(item, fields)).toMatchObject({ answer: 'a', expected: 'b' });
	});
});

describe('with the answer type Tags,', () => {
	const readTags = async (topics: unknown, label: unknown, more: Partial<EvaluatedFields> = {}) => {
		const { answer, expected } = await read({ topics, label }, { ...tags, ...more });
		return { answer, expected, isCorrect: answer === expected };
	};

	test.each<[string, unknown, unknown]>([
		['in another order', ['a', 'b'], ['b', 'a']],
		['twice', ['a', 'b', 'a'], ['a', 'b']],
		['in text', 'a, b', ['a', 'b']],
		['in text on both sides', 'b,a', ' a , b '],
		['with empty parts', 'a,, b,', ['a', 'b', ' ']],
		['in another case', ['A', 'b'], 'a, B'],
		['with spaces around', [' a ', 'b'], ['a', 'b']],
		['in another form', ['\u00e9t\u00e9'], 'e\u0301te\u0301'],
		['as JSON text', '["a","b"]', ['a', 'b']],
		['as numbers', [1, true], '1, TRUE'],
		['none', [], []],
		['none in text', '', '[]'],
		['none by the name that Route gives it', ['None'], []],
		['none by its name in text', '[]', 'none'],
		['none by its name on both sides', '["NONE"]', ' None\u200b '],
		['that look the same', ['refund\u200b'], 'Refund, \u00ad'],
		['names with commas', ['Flights (Europe, Asia)', 'Hotels'], 'Hotels, Flights (Europe, Asia)'],
		['names with commas without spaces', ['Flights (Europe, Asia)', 'b'], 'flights (europe,asia), b'],
		['a name that begins with another', ['a, b, c', 'a, b'], 'a, b, c, a, b'],
	])('tags are equal %s', async (_, topics, label) => {
		expect(await readTags(topics, label)).toMatchObject({ isCorrect: true });
	});

	test.each<[string, unknown, unknown, Partial<EvaluatedFields>?]>([
		['one more', ['a', 'b'], 'a'],
		['one less', ['a'], 'a, b'],
		['none', [], 'a'],
		['no answer', undefined, []],
		['null, as a failed item has it,', null, []],
		['an object', { a: true }, []],
		['none by its name', ['None'], 'a'],
		['another name of none', ['Nothing'], 'None'],
		['a list of lists', [['a']], 'a'],
		['another case, with Ignore Case off,', ['A'], 'a', { ignoreCase: false }],
		['a part of a name', ['Flights (Europe, Asia)'], 'Flights (Europe'],
	])('tags differ: %s', async (_, topics, label, more = {}) => {
		expect(await readTags(topics, label, more)).toMatchObject({ isCorrect: false });
	});

	test.each([undefined, null, '', '  '])(
		'%j as the expected tags expects nothing, and the row is left out',
		async (label) => {
			const { rows, skipped } = await rowsOf(
				[
					{ topics: [], label },
					{ topics: [], label: [] },
				],
				tags,
			);
			expect([rows.length, skipped]).toEqual([1, 1]);
		},
	);

	test.each([{ a: true }, [{ name: 'a' }], [null]])('%j as the expected tags is an error', async (label) => {
		await expect(readTags([], label)).rejects.toThrow(
			'"Expected Field" (expectedField) must name a field with a list of tags, or text with commas between them, but in item 0 it has',
		);
	});

	test('tags have figures for each tag, and none that need a confidence', async () => {
		const items = [
			{ topics: ['a', 'b'], label: 'a, b' },
			{ topics: ['a'], label: 'a, b' },
			{ topics: ['c'], label: [] },
			{ topics: [], label: [] },
			{ label: 'a' },
		];
		const rows = await rowsOf(items, tags);
		const figures = await evaluateRows(rows, { answerType: 'tags', targetAccuracy: 0.9 }, noPause);
		expect(figures).toMatchObject({
			rows: 5,
			correct: 2,
			unanswered: 1,
			baseline: 2 / 5,
			recommended: null,
			thresholds: [],
			calibration: [],
		});
		const none = { recommended_threshold: null };
		expect(figures.classes).toEqual([
			{ label: 'a', support: 3, precision: 1, recall: 2 / 3, f1: expect.closeTo(0.8), ...none },
			{ label: 'b', support: 2, precision: 1, recall: 0.5, f1: expect.closeTo(2 / 3), ...none },
			{ label: 'c', support: 0, precision: 0, recall: null, f1: null, ...none },
		]);
		expect(figures.confusion).toEqual([
			{ expected: [], answer: [], count: 1 },
			{ expected: [], answer: ['c'], count: 1 },
			{ expected: ['a', 'b'], answer: ['a'], count: 1 },
			{ expected: ['a', 'b'], answer: ['a', 'b'], count: 1 },
			{ expected: ['a'], answer: null, count: 1 },
		]);
	});
});

describe('the Wilson interval', () => {
	// The first four values are from R. G. Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17
	// (1998), table I, method 3.
	test.each([
		[81, 263, 0.2553, 0.3662],
		[15, 148, 0.0624, 0.1605],
		[0, 20, 0, 0.1611],
		[1, 29, 0.0061, 0.1718],
		// Computed by hand: z² = 3.8415, so n / (n + z²) = 10 / 13.8415.
		[10, 10, 0.7225, 1],
		// Computed by hand: 0.5 ± z · √(0.25/10 + 3.8415/400) / 1.38415 = 0.5 ± 0.2634.
		[5, 10, 0.2366, 0.7634],
	])('of %d of %d lies between %d and %d', (successes, total, low, high) => {
		const interval = wilsonInterval(successes, total)!;
		expect(interval.low).toBeCloseTo(low, 4);
		expect(interval.high).toBeCloseTo(high, 4);
	});

	test('is null without an observation', () => {
		expect(wilsonInterval(0, 0)).toBeNull();
	});

	test.each([0, 0.5, 0.8, 0.9, 0.95, 0.99])(
		'says how many correct answers without a mistake show %d',
		(share) => {
			const needed = observationsToShow(share);
			expect(wilsonInterval(needed, needed)!.low).toBeGreaterThanOrEqual(share);
			if (needed > 1) expect(wilsonInterval(needed - 1, needed - 1)!.low).toBeLessThan(share);
		},
	);

	test('shows for no number of correct answers that all are correct', () => {
		expect(observationsToShow(1)).toBe(Infinity);
	});
});

describe('the figures of labels', () => {
	test('are precision, recall and F1, also for a label that is never answered', async () => {
		const rows = [
			choiceRow('cat', 'ant'),
			choiceRow('ant', 'ant'),
			choiceRow('cat', 'cat'),
			choiceRow('cat', 'cat'),
			choiceRow('ant', 'ant'),
			choiceRow('bird', 'cat'),
		];
		const confusion = await countConfusion(rows, noPause);
		expect(confusion).toEqual([
			{ expected: 'cat', answer: 'cat', count: 2 },
			{ expected: 'cat', answer: 'ant', count: 1 },
			{ expected: 'ant', answer: 'ant', count: 2 },
			{ expected: 'bird', answer: 'cat', count: 1 },
		]);
		expect(await describeLabels(confusion, noPause)).toEqual([
			{ label: 'cat', support: 3, missing: 1, tooMany: 1, precision: 2 / 3, recall: 2 / 3, f1: 2 / 3 },
			{ label: 'ant', support: 2, missing: 0, tooMany: 1, precision: 2 / 3, recall: 1, f1: 0.8 },
			{ label: 'bird', support: 1, missing: 1, tooMany: 0, precision: null, recall: 0, f1: null },
		]);
	});

	test('have no recall for a label that is only answered, and an F1 of 0 if precision and recall are', async () => {
		const rows = [choiceRow('a', 'b'), choiceRow('b', 'c')];
		expect(await describeLabels(await countConfusion(rows, noPause), noPause)).toEqual([
			{ label: 'a', support: 1, missing: 1, tooMany: 0, precision: null, recall: 0, f1: null },
			{ label: 'b', support: 1, missing: 1, tooMany: 1, precision: 0, recall: 0, f1: 0 },
			{ label: 'c', support: 0, missing: 0, tooMany: 1, precision: 0, recall: null, f1: null },
		]);
	});

	test('count a row without an answer against accuracy, recall and coverage, but not against precision', async () => {
		const figures = await figuresOf([choiceRow('a', 'a', 0.9), choiceRow('a', null)]);
		expect(figures).toMatchObject({ rows: 2, correct: 1, unanswered: 1, accuracy: 0.5 });
		expect(figures.confusion).toContainEqual({ expected: 'a', answer: null, count: 1 });
		expect(figures.classes).toEqual([
			{ label: 'a', support: 2, precision: 1, recall: 0.5, f1: 2 / 3, recommended_threshold: null },
		]);
		expect(figures.thresholds[0]).toMatchObject({ acted_on: 1, coverage: 0.5, accuracy: 1 });
	});
});

describe('of the thresholds,', () => {
	test('a choice has 21, and yes or no has 11, with two decimals', async () => {
		const all = (await measureThresholds([choiceRow('a', 'a')], 'choice', noPause)).map(
			({ threshold }) => threshold,
		);
		expect(all).toHaveLength(21);
		expect(all.map(String)).toEqual(all.map((_, index) => String(Number((index * 0.05).toFixed(2)))));
		const upper = (await measureThresholds([noulRow('yes', 1)], 'noul', noPause)).map(
			({ threshold }) => threshold,
		);
		expect(upper).toEqual(all.slice(10));
	});

	test('those up to its confidence let an answer through', async () => {
		const rows = [
			choiceRow('a', 'a', 0.7),
			choiceRow('a', 'b', 0.65),
			choiceRow('a', 'a'),
			choiceRow('a', 'a', 0),
		];
		const thresholds = await measureThresholds(rows, 'choice', noPause);
		expect(thresholds[0]).toEqual({
			threshold: 0,
			acted_on: 3,
			coverage: 0.75,
			accuracy: 2 / 3,
			accuracy_low: wilsonInterval(2, 3)!.low,
		});
		expect(thresholds[15]).toEqual({
			threshold: 0.75,
			acted_on: 0,
			coverage: 0,
			accuracy: null,
			accuracy_low: null,
		});
	});

	test('the lowest that shows the target is recommended, not the lowest that reaches it', async () => {
		// With a threshold above 0.6, 40 of 40 answers are correct, which shows an accuracy of 40 / 43.84 = 0.912. With a lower one,
		// the 10 wrong answers are included, and the shown accuracy is below 0.8.
		const rows = [
			...Array.from({ length: 40 }, () => choiceRow('a', 'a', 0.8)),
			...Array.from({ length: 10 }, () => choiceRow('a', 'b', 0.6)),
		];
		const recommended = (await figuresOf(rows)).recommended;
		expect(recommended).toMatchObject({ threshold: 0.65, acted_on: 40, coverage: 0.8, accuracy: 1 });
		expect((await figuresOf(rows.slice(0, 34))).recommended).toBeNull();
		expect((await figuresOf(rows.slice(0, 35))).recommended).toMatchObject({ threshold: 0 });
	});

	test('0 is recommended only if every row has a confidence', async () => {
		const rows = Array.from({ length: 60 }, () => choiceRow('a', 'a', 0.8));
		expect((await figuresOf(rows)).recommended).toMatchObject({ threshold: 0, coverage: 1 });
		const lacking = [...rows, choiceRow('a', 'a')];
		expect(await figuresOf(lacking)).toMatchObject({
			recommended: { threshold: 0.05, acted_on: 60 },
			uncertain: 1,
		});
		expect((await figuresOf([...rows, choiceRow('a', null)])).recommended).toMatchObject({ threshold: 0.05 });
	});

	test('none is recommended if no answer has a confidence', async () => {
		expect((await figuresOf([choiceRow('a', 'a')], 'choice', 0)).recommended).toBeNull();
	});
});

describe('the threshold of an option', () => {
	const many = (count: number, expected: string, answer: string, confidence: number | null) =>
		Array.from({ length: count }, () => choiceRow(expected, answer, confidence));
	const thresholdsOf = async (rows: Row[], target = 0.9) =>
		Object.fromEntries(
			(await figuresOf(rows, 'choice', target)).classes.map((one) => [one.label, one.recommended_threshold]),
		);

	test('is the lowest at which the answers with its label reach the target accuracy', async () => {
		const rows = [
			...many(40, 'a', 'a', 0.4),
			...many(40, 'b', 'b', 0.8),
			...many(20, 'a', 'b', 0.6),
			...many(34, 'c', 'c', 0.9),
			...many(1, 'd', 'c', 0.3),
		];
		expect(await thresholdsOf(rows)).toEqual({ a: 0, b: 0.65, c: null, d: null });
	});

	test('is 0 only if all answers with its label have a confidence', async () => {
		const rows = [...many(40, 'a', 'a', 0.4), ...many(40, 'b', 'b', 0.4), ...many(1, 'b', 'b', null)];
		expect(await thresholdsOf(rows)).toEqual({ a: 0, b: 0.05 });
	});

	test('is found for any target accuracy', async () => {
		const rows = [...many(1, 'a', 'a', 0.4), ...many(1, 'b', 'a', 0.4)];
		expect(await thresholdsOf(rows, 0)).toEqual({ a: 0, b: null });
		expect(await thresholdsOf(rows, 1)).toEqual({ a: null, b: null });
	});

	test('decides more rows than one threshold for all, where the options differ', async () => {
		const rows = [
			...many(100, 'a', 'a', 0.4),
			...many(40, 'b', 'b', 0.8),
			...many(40, 'a', 'b', 0.4),
			...many(5, 'c', 'c', 0.9),
			...many(5, 'a', 'c', 0.3),
		];
		const { options, recommended } = await figuresOf(rows);
		expect(recommended).toMatchObject({ threshold: 0.45, acted_on: 45 });
		expect(options).toMatchObject({
			byNode: { decided: 45, correct: 45 },
			byOption: { decided: 145, correct: 145 },
			options: [
				{ label: 'a', answers: 100, threshold: 0, byNode: { decided: 0 }, byOption: { decided: 100 } },
				{ label: 'b', answers: 80, threshold: 0.45, byNode: { decided: 40 }, byOption: { decided: 40 } },
				{ label: 'c', answers: 10, threshold: null, byNode: { decided: 5 }, byOption: { decided: 5 } },
			],
		});
	});

	test('is null for yes or no', async () => {
		const { classes } = await figuresOf(
			Array.from({ length: 60 }, () => noulRow('yes', 0.9)),
			'noul',
		);
		expect(classes).toMatchObject([{ label: 'yes', recommended_threshold: null }]);
	});
});

describe('for the calibration,', () => {
	test('a bin includes its upper edge, and the first also 0', async () => {
		const { calibration: bins } = await figuresOf(
			[0, 0.1, 0.3, 0.30001, 0.7, 1].map((confidence) => choiceRow('a', 'a', confidence)),
		);
		expect(bins.map(({ count }) => count)).toEqual([2, 0, 1, 1, 0, 0, 1, 0, 0, 1]);
		expect(bins[1]).toEqual({ from: 0.1, to: 0.2, count: 0, predicted: null, observed: null });
	});

	test('confidence is compared with the share of correct answers, and a probability with the share of yes', async () => {
		const ofChoice = (await figuresOf([choiceRow('a', 'a', 0.82), choiceRow('a', 'b', 0.88)]))
			.calibration[8]!;
		expect(ofChoice).toMatchObject({ count: 2, observed: 0.5 });
		expect(ofChoice.predicted).toBeCloseTo(0.85, 12);
		const ofNoul = (await figuresOf([noulRow('yes', 0.12), noulRow('no', 0.18)], 'noul')).calibration[1]!;
		expect(ofNoul).toMatchObject({ count: 2, observed: 0.5 });
		expect(ofNoul.predicted).toBeCloseTo(0.15, 12);
	});
});

test('the baseline is the share of the label that is expected most', async () => {
	const figures = await figuresOf([choiceRow('a', 'b'), choiceRow('b', 'b'), choiceRow('b', 'a')]);
	expect(figures.baseline).toBe(2 / 3);
});

const label = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor');
const share = fc.oneof(
	fc.integer({ min: 0, max: 100 }).map((hundredths) => hundredths / 100),
	fc.double({ min: 0, max: 1, noNaN: true }),
);
const anyRow = fc
	.tuple(label, fc.option(label), fc.option(share))
	.map(([expected, answer, confidence]) => choiceRow(expected, answer, answer === null ? null : confidence));
const anyNoulRow = fc
	.tuple(fc.constantFrom('yes' as const, 'no' as const), share)
	.map((parts) => noulRow(...parts));
const anyRows = fc.oneof(
	fc.tuple(fc.constant('choice' as const), fc.array(anyRow, { minLength: 1, maxLength: 60 })),
	fc.tuple(fc.constant('noul' as const), fc.array(anyNoulRow, { minLength: 1, maxLength: 60 })),
);

describe('with random rows,', () => {
	test('the sums of the figures agree', async () => {
		await fc.assert(
			fc.asyncProperty(anyRows, async ([answerType, rows]) => {
				const figures = await figuresOf(rows, answerType);
				const total = (counts: number[]) => counts.reduce((sum, count) => sum + count, 0);
				const diagonal = figures.confusion.filter(({ expected, answer }) => expected === answer);
				expect(total(figures.confusion.map(({ count }) => count))).toBe(rows.length);
				expect(total(diagonal.map(({ count }) => count))).toBe(figures.correct);
				expect(total(figures.classes.map(({ support }) => support))).toBe(rows.length);
				expect(figures.correct + figures.mistakes.length).toBe(rows.length);
				// Recall weighted by support is the accuracy.
				const found = total(figures.classes.map(({ support, recall }) => support * (recall ?? 0)));
				expect(found / rows.length).toBeCloseTo(figures.accuracy, 12);
				const withConfidence = rows.filter(({ confidence }) => confidence !== null).length;
				expect(total(figures.calibration.map(({ count }) => count))).toBe(withConfidence);
				expect(figures.thresholds[0]!.acted_on).toBe(withConfidence);
			}),
		);
	});

	test('coverage falls as the threshold rises, and agrees with a recount', async () => {
		await fc.assert(
			fc.asyncProperty(anyRows, async ([answerType, rows]) => {
				const { thresholds } = await figuresOf(rows, answerType);
				thresholds.forEach(({ threshold, acted_on: actedOn, coverage, accuracy }, index) => {
					const next = thresholds[index + 1];
					if (next) expect(next.coverage).toBeLessThanOrEqual(coverage);
					const below = Number((1 - threshold).toFixed(2));
					const acted = rows.filter(({ confidence, probability }) =>
						answerType === 'noul'
							? probability! >= threshold || probability! < below
							: confidence !== null && confidence >= threshold,
					);
					expect(actedOn).toBe(acted.length);
					const right = acted.filter(({ expected, answer }) => expected === answer).length;
					expect(accuracy).toBe(acted.length === 0 ? null : right / acted.length);
				});
			}),
		);
	});
});

describe("McNemar's exact test", () => {
	test.each([
		// These values are from R, package exact2x2, vignette "Exact McNemar's Test and Matching Confidence Intervals": mcnemar.exact of 21, 9, 2, 12.
		[2, 9, 0.06543],
		// These values are from the test of mcnemar(exact=True) in statsmodels, which has them from VassarStats.
		[121, 59, 0.000004],
		[70, 59, 0.378688],
		[10, 30, 0.002221],
		// These values are from SciPy 1.15: binomtest(first, first + second).pvalue.
		[20, 3, 0.000488],
		[5, 0, 0.0625],
		[25, 15, 0.15386],
		[60_000, 61_000, 0.00408],
		[0, 0, 1],
		[1, 2, 1],
		[0, 2000, 0],
	])('gives the published p-value for %d against %d', (first, second, pValue) => {
		expect(mcNemarExact(first, second)).toBeCloseTo(pValue, 5);
		expect(mcNemarExact(second, first)).toBe(mcNemarExact(first, second));
	});
});

describe('two answers to the same rows', () => {
	const fields = { ...choice, compareField: 'before' };
	const verdictOf = async (gained: number, lost: number) => {
		const items = [
			...Array.from({ length: gained }, () => ({ topic: 'a', before: 'b', label: 'a' })),
			...Array.from({ length: lost }, () => ({ topic: 'b', before: 'a', label: 'a' })),
		];
		const { rows } = await rowsOf(items, fields);
		return (await compareAnswers(rows, noPause))!.verdict;
	};

	test.each([
		[6, 0, 'better'],
		[3, 20, 'worse'],
		[5, 0, 'cannot tell'],
	])('with %d against %d, the verdict is %s', async (gained, lost, verdict) => {
		expect(await verdictOf(gained, lost)).toBe(verdict);
	});

	test('probabilities are compared by the yes or no that they mean', async () => {
		const items = [{ urgent: 0.7, before: 0.4, label: 'yes' }];
		const { rows } = await rowsOf(items, { ...noul, compareField: 'before' });
		expect(await compareAnswers(rows, noPause)).toMatchObject({ only_answer_correct: 1, both_correct: 0 });
	});

	test.each([
		[choice, [{ topic: 'a', label: 'a' }, { before: 'a' }], 'has an answer in "before"'],
		[noul, [{ urgent: 0.7, before: true, label: 'yes' }], 'has a probability from 0 to 1 in "before"'],
	])('a field without an answer that can be read is an error that names it', async (type, items, message) => {
		await expect(rowsOf(items, { ...type, compareField: 'before' })).rejects.toThrow(
			`"Compare with Field" (options.compareField) must name a field with other answers, but no row with an expected value ${message}`,
		);
	});
});
