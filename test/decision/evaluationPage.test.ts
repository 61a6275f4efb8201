import fc from 'fast-check';

import type { EvaluatedFields } from '../../nodes/Decision/evaluation/evaluatedFields';
import { evaluateRows } from '../../nodes/Decision/evaluation/evaluateRows';
import { evaluationPage } from '../../nodes/Decision/evaluation/page/evaluationPage';
import { percent, precisePercent } from '../../nodes/Decision/evaluation/page/html';
import { readRows } from '../../nodes/Decision/evaluation/readRows';
import { choice, noul } from '../support/evaluatedFields';

function pageOf(items: object[], fields: EvaluatedFields = choice, targetAccuracy = 0.9): string {
	const { answerType } = fields;
	const figures = evaluateRows(readRows(items, fields), { answerType, targetAccuracy });
	return evaluationPage(figures, fields);
}

function repeat(count: number, item: object): object[] {
	return Array.from({ length: count }, () => item);
}

/** Returns the text of the page that a person reads. */
function textOf(page: string): string {
	return page
		.replace(/<style>.*<\/style>/s, '')
		.replace(/<\/?(?:bdi|b|i|span)\b[^>]*>/g, '')
		.replace(/<[^>]*>/g, '\n')
		.replaceAll('&#39;', "'")
		.replace(/\s*\n\s*/g, '\n');
}

function headings(page: string): string[] {
	return [...page.matchAll(/<h[12]>(.*?)<\/h[12]>/gs)].map(([, heading]) => textOf(heading!).trim());
}

const right = { topic: 'a', topic_confidence: 0.8, label: 'a' };
const wrong = { topic: 'b', topic_confidence: 0.3, label: 'a' };
const otherRight = { topic: 'b', topic_confidence: 0.8, label: 'b' };

test('the titles of the page state the findings', () => {
	const page = pageOf([...repeat(60, right), ...repeat(20, wrong), ...repeat(4, otherRight)]);
	expect(headings(page)).toEqual([
		'64 of 84 rows are answered correctly',
		'76% are correct; always answering “a” gives 95%',
		'Accuracy and coverage by threshold',
		'“a” is most often mistaken for “b”: 20 times',
		'The mean confidence is 68%, and 76% of answers are correct',
	]);
	expect(textOf(page)).toContain('Evaluation: 64 of 84 rows are answered correctly');
	expect(textOf(page)).toContain('At a threshold of 0.35, 76% of rows are decided, 100% of them correctly.');
	expect(page).not.toContain('McNemar');
	// Only the last plot has a diagonal: on it, the confidence equals the accuracy.
	expect(page.split('class="plot diagonal"')).toHaveLength(2);
	expect(textOf(page)).toContain('\n60%\n70%\n80%\n90%\n100%\ntarget 90%\n0.35\n');
	expect(headings(pageOf(repeat(10, { urgent: 0.6, label: 'yes' }), noul)).at(-1)).toBe(
		'The mean probability of yes is 60%, and 100% of expected answers are yes',
	);
});

test.each<[string, object[], number, RegExp]>([
	[
		'no need for a threshold',
		repeat(98, right),
		0.9,
		/^98 of 98 rows are .*^No threshold is needed: 100% of rows are decided/ms,
	],
	[
		'too few rows',
		repeat(34, right),
		0.9,
		/^34 of 34 rows are .*^34 rows cannot show .*Even without a mistake, it takes 35 decided/ms,
	],
	['a target of 100%', repeat(34, right), 1, /^34 rows cannot show .*No number of rows can show/ms],
	[
		'too many mistakes',
		[...repeat(20, right), ...repeat(20, { ...wrong, topic_confidence: 0.8 }), otherRight],
		0.9,
		/^41 rows cannot show .*Improve the questions, add rows, or accept less than 90%\./ms,
	],
	[
		'rows without a confidence',
		repeat(20, { topic: 'a', label: 'a' }),
		0.9,
		/^20 of 20 rows are .*^No row has a confidence, so/ms,
	],
	[
		'answers that share no label with the expected ones',
		Array.from({ length: 24 }, (_, n) => ({ topic: `b${n}`, label: `a${n % 2}` })),
		0.9,
		/^No expected label occurs among the answers\n.*Expected: “a0”, “a1”\. Answered: “b0”, .*“b17” and 14 more\. Check 'Answer(?!.*questions)/s,
	],
	[
		'rows without answers',
		[{ label: 'a' }, { label: 'b' }, {}],
		0.9,
		/^No row has an answer in “topic”\n2 rows, 2 of them without an answer, 1 left out because they have no/,
	],
])('the page names the problem of %s', (_, items, target, said) => {
	const [, body] = textOf(pageOf(items, choice, target)).split('expected answers in “label”\n');
	expect(body).toMatch(said);
});

describe('the matrix', () => {
	test('has a row for each expected label, a column for each answer, and the recall', () => {
		const page = pageOf([...repeat(7, right), ...repeat(3, wrong), { label: 'a' }]);
		expect(textOf(page)).not.toContain('left out');
		expect(textOf(page)).toMatch(/expected\na\nb\nno answer\nfound\na\n7\n3\n1\n64%\n/);
	});

	test('leaves out the labels with the fewest mistakes if there are too many', () => {
		const labels = Array.from({ length: 65 }, (_, index) => `label ${index}.`);
		const items = labels.map((label, index) => ({ topic: labels[Math.max(51, index)], label }));
		const page = textOf(pageOf(items));
		expect(page).toContain('The 50 labels with the fewest mistakes are left out.');
		expect(page).toContain('label 51.');
		expect(page).not.toContain('label 60.');
	});
});

describe('of two answers to the same rows', () => {
	const fields = { ...choice, compareField: 'before' };
	const row = (topic: string, before: string) => ({ topic, before, label: 'a' });

	function compared(gained: number, lost: number, more: object[] = []): string {
		const rows = [
			...repeat(80, row('a', 'a')),
			...repeat(gained, row('a', 'b')),
			...repeat(lost, row('b', 'a')),
		];
		return textOf(pageOf([...rows, ...more], fields)).split('expected answers in “label”\n')[1]!;
	}

	test.each<[number, number, RegExp]>([
		[
			20,
			3,
			/^“topic” is better than “before”\n.*“topic” is correct in 20 rows where “before” is wrong, and wrong in 3 where “before” is correct\. .*in less than 0\.1% of cases\./s,
		],
		[0, 90, /^“topic” is worse than “before”\n/],
		[
			8,
			5,
			/^These rows cannot tell whether “topic” is better than “before”\n.*in 58% of cases, so this may be/s,
		],
		[5, 5, /^“topic” and “before” do equally well here\n.*in 5 rows where .*Keep the one that is/s],
		[
			0,
			0,
			/^“topic” and “before” do equally well here\n.*Both are correct in the same rows, and wrong in the/s,
		],
	])('the verdict comes first: %d against %d', (gained, lost, said) => {
		const page = compared(gained, lost);
		expect(page).toMatch(said);
		expect(page).not.toContain('lack');
	});

	test('counts follow, and how many rows lack either', () => {
		const page = compared(20, 0, [
			{ topic: 'a', label: 'a' },
			{ before: 'a', label: 'a' },
		]);
		expect(page).toContain(
			'\n2 rows lack one of the two answers, or both, and a missing answer counts as wrong',
		);
		expect(page).toMatch(
			/\n“topic” is correct\n101 \(99%\)\n“before” is correct\n81 \(79%\)\nBoth are correct\n80/,
		);
	});
});

describe('the page is safe', () => {
	const tag = /<\/?[a-z0-9]+(?: (?:class|style)="[a-z0-9 %.,:;()+-]*")* ?\/?>/g;
	const inHead = /<!doctype html>|<html lang="en">|<meta (?:charset|name)="[^"]*"(?: content="[^"]*")? \/>/g;
	const hostile = fc.oneof(
		fc.string({ unit: 'binary' }),
		fc.constantFrom(
			'<script>alert(1)</script>',
			'"><img src=x onerror=alert(1)>',
			"';}</style><b>",
			'&lt;b&gt;',
			'__proto__',
			'${1}$&',
			'\u202egnp.exe',
			'x'.repeat(10_000),
		),
	);

	test('whatever the items and the names of fields: it has only its own tags, and only class and style', () => {
		fc.assert(
			fc.property(
				fc.array(fc.tuple(hostile, hostile, fc.double()), { maxLength: 20 }),
				hostile.filter((name) => name !== 'label'),
				(texts, answerField) => {
					const items = texts.map(([answer, label, confidence]) => ({
						...Object.fromEntries([
							[answerField, answer],
							[`${answerField}_confidence`, confidence],
						]),
						label,
					}));
					const page = pageOf([{ label: 'a' }, ...items], {
						...choice,
						answerField,
						ignoreCase: false,
					});
					const rest = page
						.replace(/<style>.*?<\/style>/s, '')
						.replace(inHead, '')
						.replace(tag, '');
					expect(rest).not.toMatch(/[<>]/);
					expect(rest).not.toMatch(/&(?!(?:amp|lt|gt|quot|#39);)/);
					// Marks that change the direction of writing would make one label look like another.
					expect(rest).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
					if (!texts.flat().includes('NaN')) expect(page).not.toContain('NaN');
				},
			),
		);
	});
});

test('a percentage is 0% or 100% only if it is exactly that', () => {
	const texts = [0, 0.0001, 0.004, 0.5, 0.996, 0.99999, 1].map(percent);
	expect(texts).toEqual(['0%', '0.1%', '0.4%', '50%', '99.6%', '99.9%', '100%']);
	expect(precisePercent(0.8999)).toBe('89.9%');
	expect(precisePercent(0.9)).toBe('90.0%');
});
