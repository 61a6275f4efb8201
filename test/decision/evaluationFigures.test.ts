import fc from 'fast-check';

import { compareAnswers, mcNemarExact } from '../../nodes/Decision/evaluation/compareAnswers';
import { countConfusion, describeLabels } from '../../nodes/Decision/evaluation/confusion';
import type { AnswerType, EvaluatedFields } from '../../nodes/Decision/evaluation/evaluatedFields';
import { evaluateRows, type Figures } from '../../nodes/Decision/evaluation/evaluateRows';
import { readRows } from '../../nodes/Decision/evaluation/readRows';
import type { Row, Rows } from '../../nodes/Decision/evaluation/Row';
import { measureThresholds } from '../../nodes/Decision/evaluation/thresholds';
import { observationsToShow, wilsonInterval } from '../../nodes/Decision/evaluation/wilsonInterval';
import { choiceFields, noPause, noulFields, tagFields } from '../support/evaluatedFields';

async function rowsOf(items: object[], fields: EvaluatedFields): Promise<Rows> {
	return await readRows(items, fields, noPause);
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
		{
			rows,
			skipped: 0,
			failedWithAnswer: 0,
			unreadable: { count: 0 },
			repeated: 0,
			isSwapped: false,
			hasOtherConfidence: false,
		},
		{ answerType, targetAccuracy },
		noPause,
	);
}

test('the figures of tags are those of each tag, and none that need a confidence', async () => {
	const items = [
		{ topics: ['a', 'b'], label: 'a, b' },
		{ topics: ['a'], label: 'a, b' },
		{ topics: ['c'], label: [] },
		{ topics: [], label: [] },
		{ label: 'a' },
	];
	const rows = await rowsOf(items, tagFields);
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

	test('have labels and answers that are as frequent in the order of their code units, whatever the order of the rows', async () => {
		const rows = [
			choiceRow('é', 'é'),
			choiceRow('b', 'é'),
			choiceRow('b', null),
			choiceRow('b', 'B'),
			choiceRow('Z', 'b'),
		];
		const all = [
			...rows,
			choiceRow('Z', 'Z'),
			choiceRow('Z', null),
			choiceRow('é', null),
			choiceRow('é', 'Z'),
		];
		for (const ordered of [all, all.toReversed()]) {
			const confusion = await countConfusion(ordered, noPause);
			expect(confusion.map(({ expected, answer }) => [expected, answer])).toEqual([
				['Z', null],
				['Z', 'Z'],
				['Z', 'b'],
				['b', null],
				['b', 'B'],
				['b', 'é'],
				['é', null],
				['é', 'Z'],
				['é', 'é'],
			]);
			const labels = await describeLabels(confusion.toReversed(), noPause);
			expect(labels.map(({ label }) => label)).toEqual(['Z', 'b', 'é', 'B']);
		}
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

	test('is found for a target accuracy of 0 and of 1', async () => {
		const rows = [...many(1, 'a', 'a', 0.4), ...many(1, 'b', 'a', 0.4)];
		expect(await thresholdsOf(rows, 0)).toEqual({ a: 0, b: null });
		expect(await thresholdsOf(rows, 1)).toEqual({ a: null, b: null });
	});

	test('lets a node decide more rows than one threshold for all options, if their confidences differ', async () => {
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
	test.each<[first: number, second: number, pValue: number]>([
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
		[1, 2, 1],
		[0, 2000, 0],
	])(
		'gives the same p-value as R, statsmodels or SciPy for %d against %d, in either order',
		(first, second, pValue) => {
			expect(mcNemarExact(first, second)).toBeCloseTo(pValue, 5);
			expect(mcNemarExact(second, first)).toBe(mcNemarExact(first, second));
		},
	);

	test('gives 1 without a row that differs', () => {
		// Without a row that differs, nothing speaks for a difference: SciPy has no value for it.
		expect(mcNemarExact(0, 0)).toBeCloseTo(1, 5);
	});
});

describe('of two answers to the same rows,', () => {
	const fields = { ...choiceFields, compareField: 'before' };
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
		const { rows } = await rowsOf(items, { ...noulFields, compareField: 'before' });
		expect(await compareAnswers(rows, noPause)).toMatchObject({ only_answer_correct: 1, both_correct: 0 });
	});
});
