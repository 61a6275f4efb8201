import fc from 'fast-check';

import { measureCalibration } from '../../nodes/Decision/evaluation/calibration';
import { compareAnswers, mcNemarExact } from '../../nodes/Decision/evaluation/compareAnswers';
import { countConfusion, describeLabels } from '../../nodes/Decision/evaluation/confusion';
import type { AnswerType, EvaluatedFields } from '../../nodes/Decision/evaluation/evaluatedFields';
import { evaluateRows, type Figures } from '../../nodes/Decision/evaluation/evaluateRows';
import { readRows, type Row } from '../../nodes/Decision/evaluation/readRows';
import { measureThresholds } from '../../nodes/Decision/evaluation/thresholds';
import { observationsToShow, wilsonInterval } from '../../nodes/Decision/evaluation/wilsonInterval';
import { choice, noul } from '../support/evaluatedFields';

function read(item: object, fields: Partial<EvaluatedFields> = {}): Row {
	return readRows([item], { ...choice, ...fields }).rows[0]!;
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

function figuresOf(rows: Row[], answerType: AnswerType = 'choice', targetAccuracy = 0.9): Figures {
	return evaluateRows({ rows, skipped: 0 }, { answerType, targetAccuracy });
}

describe('reading the rows', () => {
	test.each([undefined, null, '', '  '])('an item that expects %j is left out', (label) => {
		const { rows, skipped } = readRows(
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
		['yes', [true, 1, '1', 'Yes', 'TRUE']],
		['no', [false, 0, '0', ' NO ', 'False']],
	])('the expected answer %s may be written in several ways', (expected, labels) => {
		for (const label of labels) {
			expect(read({ urgent: 0.9, label }, { ...noul, ignoreCase: false }).expected).toBe(expected);
		}
	});

	test.each([
		[noul, 'perhaps', 'yes or no, true or false, or 1 or 0, but in item 1 it has "perhaps"'],
		[noul, 2, 'but in item 1 it has 2'],
		[noul, [], 'but in item 1 it has []'],
		[choice, { id: 7 }, 'must name a field with text, but in item 1 it has {"id":7}'],
	])('an expected value that cannot be read is an error that names the item', (fields, label, message) => {
		expect(() => readRows([{ label: 'yes' }, { label }], fields)).toThrow(message);
	});

	test('a failed item has no answer but one to compare with, whatever an earlier run left in it', () => {
		const item = { topic: 'a', before: 'a', label: 'a', error: { item_index: 0 } };
		expect(read(item, { compareField: 'before' })).toMatchObject({ answer: null, compared: 'a' });
	});

	test.each([undefined, null, '', ' ', {}, ['a']])('%j is not an answer', (topic) => {
		const none = { answer: null, confidence: null };
		expect(read({ topic, topic_confidence: 0.9, label: 'a' })).toMatchObject(none);
	});

	test('numbers and booleans are labels by their text', () => {
		expect(read({ topic: 3, label: '3' })).toMatchObject({ answer: '3', expected: '3' });
		expect(read({ topic: 'True', label: true })).toMatchObject({ answer: 'true', expected: 'true' });
	});

	test.each([
		[0.93, 'yes', 0.93],
		[0.5, 'yes', 0.5],
		[0.49, 'no', 0.51],
		[0.07, 'no', 0.93],
		[0, 'no', 1],
		['0.93', 'yes', 0.93],
	])('a probability of %j is a %s at %d', (urgent, answer, confidence) => {
		const probability = Number(urgent);
		expect(read({ urgent, label: 'yes' }, noul)).toMatchObject({ answer, confidence, probability });
	});

	test.each([
		[1.0000000000000002, 'yes', 1],
		[-2e-17, 'no', 0],
	])(
		'a probability or confidence of %d, which rounding put outside, is a %s at the end of the scale',
		(urgent, answer, probability) => {
			expect(read({ urgent, label: 'yes' }, noul)).toMatchObject({ answer, confidence: 1, probability });
			expect(read({ topic: 'a', topic_confidence: urgent, label: 'a' }).confidence).toBe(probability);
		},
	);

	test.each([1.01, -0.1, NaN, '', 'yes', true, null, '93 %'])('%j is not a probability', (urgent) => {
		const none = { answer: null, confidence: null, probability: null };
		expect(read({ urgent, label: 'yes' }, noul)).toMatchObject(none);
	});

	test('labels are equal without case and surrounding white space, or exactly when asked to', () => {
		const { expected, answer } = read({ topic: 'REFUND ', label: ' Refund' });
		expect([expected, answer]).toEqual(['Refund', 'Refund']);
		const exact = read({ topic: 'refund', label: 'Refund ' }, { ignoreCase: false });
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
		['in per cent', { topic: 'a', topic_confidence: 80 }, {}, null],
	])('the confidence %s', (_, item, fields, confidence) => {
		expect(read({ ...item, label: 'a' }, fields)).toMatchObject({ answer: 'a', confidence });
	});
});

describe('Wilson interval', () => {
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
	])('%d of %d lie between %d and %d', (successes, total, low, high) => {
		const interval = wilsonInterval(successes, total)!;
		expect(interval.low).toBeCloseTo(low, 4);
		expect(interval.high).toBeCloseTo(high, 4);
	});

	test('no observation has no interval', () => {
		expect(wilsonInterval(0, 0)).toBeNull();
	});

	test.each([0, 0.5, 0.8, 0.9, 0.95, 0.99])('says how many correct answers in a row show %d', (share) => {
		const needed = observationsToShow(share);
		expect(wilsonInterval(needed, needed)!.low).toBeGreaterThanOrEqual(share);
		if (needed > 1) expect(wilsonInterval(needed - 1, needed - 1)!.low).toBeLessThan(share);
	});

	test('no number of correct answers shows that all are correct', () => {
		expect(observationsToShow(1)).toBe(Infinity);
	});
});

describe('labels', () => {
	test('precision, recall and F1 of three labels, one of them never answered', () => {
		const rows = [
			choiceRow('cat', 'ant'),
			choiceRow('ant', 'ant'),
			choiceRow('cat', 'cat'),
			choiceRow('cat', 'cat'),
			choiceRow('ant', 'ant'),
			choiceRow('bird', 'cat'),
		];
		const confusion = countConfusion(rows);
		expect(confusion).toEqual([
			{ expected: 'cat', answer: 'cat', count: 2 },
			{ expected: 'cat', answer: 'ant', count: 1 },
			{ expected: 'ant', answer: 'ant', count: 2 },
			{ expected: 'bird', answer: 'cat', count: 1 },
		]);
		expect(describeLabels(confusion)).toEqual([
			{ label: 'cat', support: 3, precision: 2 / 3, recall: 2 / 3, f1: 2 / 3 },
			{ label: 'ant', support: 2, precision: 2 / 3, recall: 1, f1: 0.8 },
			{ label: 'bird', support: 1, precision: null, recall: 0, f1: null },
		]);
	});

	test('a label that is only answered has no recall, and F1 is 0 if precision and recall are', () => {
		const rows = [choiceRow('a', 'b'), choiceRow('b', 'c')];
		expect(describeLabels(countConfusion(rows))).toEqual([
			{ label: 'a', support: 1, precision: null, recall: 0, f1: null },
			{ label: 'b', support: 1, precision: 0, recall: 0, f1: 0 },
			{ label: 'c', support: 0, precision: 0, recall: null, f1: null },
		]);
	});

	test('a row without an answer counts against recall, and against nothing else', () => {
		const figures = figuresOf([choiceRow('a', 'a', 0.9), choiceRow('a', null)]);
		expect(figures).toMatchObject({ rows: 2, correct: 1, unanswered: 1, accuracy: 0.5 });
		expect(figures.confusion).toContainEqual({ expected: 'a', answer: null, count: 1 });
		expect(figures.classes).toEqual([{ label: 'a', support: 2, precision: 1, recall: 0.5, f1: 2 / 3 }]);
		expect(figures.thresholds[0]).toMatchObject({ acted_on: 1, coverage: 0.5, accuracy: 1 });
	});
});

describe('thresholds', () => {
	test('a choice has 21 thresholds, and yes or no has 11, with two decimals', () => {
		const all = measureThresholds([choiceRow('a', 'a')], 'choice').map(({ threshold }) => threshold);
		expect(all).toHaveLength(21);
		expect(all.map(String)).toEqual(all.map((_, index) => String(Number((index * 0.05).toFixed(2)))));
		const upper = measureThresholds([noulRow('yes', 1)], 'noul').map(({ threshold }) => threshold);
		expect(upper).toEqual(all.slice(10));
	});

	test('an answer is acted on at thresholds up to its confidence', () => {
		const rows = [
			choiceRow('a', 'a', 0.7),
			choiceRow('a', 'b', 0.65),
			choiceRow('a', 'a'),
			choiceRow('a', 'a', 0),
		];
		const thresholds = measureThresholds(rows, 'choice');
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

	test('the recommended threshold is the lowest that shows the target, not the lowest that reaches it', () => {
		// With a threshold above 0.6, 40 of 40 answers are correct, which shows an accuracy of 40 / 43.84 = 0.912. With a lower one,
		// the 10 wrong answers are included, and the shown accuracy is below 0.8.
		const rows = [
			...Array.from({ length: 40 }, () => choiceRow('a', 'a', 0.8)),
			...Array.from({ length: 10 }, () => choiceRow('a', 'b', 0.6)),
		];
		const recommended = figuresOf(rows).recommended;
		expect(recommended).toMatchObject({ threshold: 0.65, acted_on: 40, coverage: 0.8, accuracy: 1 });
		expect(figuresOf(rows.slice(0, 34)).recommended).toBeNull();
		expect(figuresOf(rows.slice(0, 35)).recommended).toMatchObject({ threshold: 0 });
	});

	test('no threshold is recommended if no answer has a confidence', () => {
		expect(figuresOf([choiceRow('a', 'a')], 'choice', 0).recommended).toBeNull();
	});
});

describe('calibration', () => {
	test('a bin includes its upper edge, and the first also 0', () => {
		const bins = measureCalibration(
			[0, 0.1, 0.3, 0.30001, 0.7, 1].map((confidence) => choiceRow('a', 'a', confidence)),
			'choice',
		);
		expect(bins.map(({ count }) => count)).toEqual([2, 0, 1, 1, 0, 0, 1, 0, 0, 1]);
		expect(bins[1]).toEqual({ from: 0.1, to: 0.2, count: 0, predicted: null, observed: null });
	});

	test('compares confidence with the share of correct answers, and a probability with the share of yes', () => {
		const ofChoice = measureCalibration([choiceRow('a', 'a', 0.82), choiceRow('a', 'b', 0.88)], 'choice')[8]!;
		expect(ofChoice).toMatchObject({ count: 2, observed: 0.5 });
		expect(ofChoice.predicted).toBeCloseTo(0.85, 12);
		const ofNoul = measureCalibration([noulRow('yes', 0.12), noulRow('no', 0.18)], 'noul')[1]!;
		expect(ofNoul).toMatchObject({ count: 2, observed: 0.5 });
		expect(ofNoul.predicted).toBeCloseTo(0.15, 12);
	});
});

test('the baseline is the share of the label that is expected most', () => {
	expect(figuresOf([choiceRow('a', 'b'), choiceRow('b', 'b'), choiceRow('b', 'a')]).baseline).toBe(2 / 3);
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

describe('random rows', () => {
	test('the sums of the figures agree', () => {
		fc.assert(
			fc.property(anyRows, ([answerType, rows]) => {
				const figures = figuresOf(rows, answerType);
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

	test('coverage falls as the threshold rises, and agrees with a recount', () => {
		fc.assert(
			fc.property(anyRows, ([answerType, rows]) => {
				const { thresholds } = figuresOf(rows, answerType);
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
	const verdictOf = (gained: number, lost: number) => {
		const items = [
			...Array.from({ length: gained }, () => ({ topic: 'a', before: 'b', label: 'a' })),
			...Array.from({ length: lost }, () => ({ topic: 'b', before: 'a', label: 'a' })),
		];
		return compareAnswers(readRows(items, fields).rows)!.verdict;
	};

	test.each([
		[6, 0, 'better'],
		[3, 20, 'worse'],
		[5, 0, 'cannot tell'],
	])('with %d against %d, the verdict is %s', (gained, lost, verdict) => {
		expect(verdictOf(gained, lost)).toBe(verdict);
	});

	test('probabilities are compared by the yes or no that they mean', () => {
		const items = [{ urgent: 0.7, before: 0.4, label: 'yes' }];
		const { rows } = readRows(items, { ...noul, compareField: 'before' });
		expect(compareAnswers(rows)).toMatchObject({ only_answer_correct: 1, both_correct: 0 });
	});

	test.each([
		[choice, [{ topic: 'a', label: 'a' }, { before: 'a' }], 'has an answer in "before"'],
		[noul, [{ urgent: 0.7, before: true, label: 'yes' }], 'has a probability from 0 to 1 in "before"'],
	])('a field without an answer that can be read is an error that names it', (type, items, message) => {
		expect(() => readRows(items, { ...type, compareField: 'before' })).toThrow(
			`"Compare with Field" (options.compareField) must name a field with other answers, but no row with an expected value ${message}`,
		);
	});
});
