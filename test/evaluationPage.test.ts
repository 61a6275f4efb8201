import fc from 'fast-check';

import { evaluateRows } from '../nodes/Decision/evaluation/evaluateRows';
import { evaluationPage } from '../nodes/Decision/evaluation/page/evaluationPage';
import { percent, precisePercent } from '../nodes/Decision/evaluation/page/wording';
import type { EvaluatedFields } from '../nodes/Decision/evaluation/evaluatedFields';
import { readRows } from '../nodes/Decision/evaluation/readRows';

const choice: EvaluatedFields = {
	answerType: 'choice',
	answerField: 'topic',
	expectedField: 'label',
	confidenceField: '',
	ignoreCase: true,
	compareField: '',
};

async function pageOf(
	items: object[],
	fields: EvaluatedFields = choice,
	targetAccuracy = 0.9,
): Promise<string> {
	const figures = await evaluateRows(await readRows(items, fields), {
		answerType: fields.answerType,
		targetAccuracy,
	});
	return evaluationPage(figures, items, fields);
}

function repeat(count: number, item: object): object[] {
	return Array.from({ length: count }, () => item);
}

/** What a person reads, without the style sheet. */
function textOf(page: string): string {
	const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
	return page
		.replace(/<style>.*<\/style>/s, '')
		.replace(/<\/?(?:bdi|wbr|b|i|span)\b[^>]*>/g, '')
		.replace(/<[^>]*>/g, '\n')
		.replace(/&([a-z0-9#]+);/g, (_, name: string) => entities[name]!)
		.replaceAll('\u00a0', ' ')
		.replace(/\s*\n\s*/g, '\n');
}

function headings(page: string): string[] {
	return [...page.matchAll(/<h[12]>(.*?)<\/h[12]>/gs)].map(([, heading]) => textOf(heading!).trim());
}

const right = { topic: 'a', topic_confidence: 0.8, label: 'a' };
const wrong = { topic: 'b', topic_confidence: 0.3, label: 'a' };

describe('titles state the finding', () => {
	test('a threshold that is shown', async () => {
		const page = await pageOf([...repeat(60, right), ...repeat(20, wrong)]);
		expect(headings(page).slice(0, 4)).toEqual([
			'At a threshold of 0.35, 75% of rows are decided, 100% of them correctly',
			'75% of rows are answered correctly. Always answering “a” would give more: 100%',
			'A threshold of 0.35 raises the share of correct answers from 75% to 100%',
			'“a” is most often mistaken for “b”: 20 times',
		]);
		expect(textOf(page)).toContain('Evaluation: At a threshold of 0.35, 75% of rows are decided');
		expect(textOf(page)).toMatch(/0\.35 is the lowest threshold at which\s+these rows show/);
		expect(textOf(page)).toContain('Check this threshold on other rows');
	});

	test('no need for a threshold', async () => {
		const page = await pageOf([
			...repeat(98, right),
			...repeat(2, { topic: 'c', topic_confidence: 0.9, label: 'c' }),
		]);
		expect(headings(page).slice(0, 4)).toEqual([
			'No threshold is needed: 100% of rows are decided, 100% of them correctly',
			'100% of rows are answered correctly. Always answering “a” would give 98%: these rows do not show a clear difference',
			'The target of 90% is reached without a threshold',
			'No label is mistaken for another',
		]);
	});

	test('rows that cannot show a threshold, and how many it would take', async () => {
		const page = await pageOf(repeat(34, right));
		expect(headings(page)[0]).toBe(
			'These 34 rows cannot show a threshold at which 90% of decided rows are correct',
		);
		expect(headings(page)[2]).toBe(
			'At best, at a threshold of 0.00, at least 89.8% of decided rows are correct',
		);
		expect(textOf(page)).toContain('Even without a mistake, it takes 35 decided rows to show 90%.');
		expect(textOf(page)).not.toContain('Check this threshold');
		expect(textOf(await pageOf(repeat(34, right), choice, 1))).toContain('No number of rows can show');
		const enough = textOf(await pageOf([right, ...repeat(40, { ...wrong, topic_confidence: 0.8 })]));
		expect(enough).toContain('Improve the questions, add rows, or accept less than 90%.');
		expect(enough).not.toContain('Even without a mistake');
	});

	test('rows without confidence', async () => {
		const page = await pageOf(repeat(20, { topic: 'a', label: 'a' }));
		expect(headings(page)).toEqual([
			'None of these 20 rows has a confidence, so no threshold can be shown',
			'100% of rows are answered correctly. Always answering “a” would give 100%: these rows do not show a clear difference',
			'No label is mistaken for another',
		]);
	});

	test('answers that are better than always the same one', async () => {
		const page = await pageOf([...repeat(30, right), ...repeat(30, { ...right, topic: 'b', label: 'b' })]);
		expect(headings(page)[1]).toBe(
			'100% of rows are answered correctly. Always answering “a” would give 50%',
		);
	});

	test('answers that are worse than always giving the same one', async () => {
		const page = await pageOf([
			...repeat(40, wrong),
			...repeat(10, right),
			{ ...right, topic: 'b', label: 'b' },
		]);
		expect(headings(page)[1]).toBe(
			'22% of rows are answered correctly. Always answering “a” would give more: 98%',
		);
	});

	test('answers that share no label with the expected ones', async () => {
		const page = await pageOf(Array.from({ length: 24 }, (_, n) => ({ topic: `b${n}`, label: `a${n % 2}` })));
		expect(headings(page)).toEqual(['No expected label occurs among the answers']);
		expect(textOf(page)).toMatch(
			/Expected: “a0”, “a1”\. Answered: “b0”, .*“b17” and 14 more\. Check 'Answer/,
		);
		expect(textOf(page)).not.toContain('questions');
	});

	test('a single row', async () => {
		expect(headings(await pageOf([right])).slice(0, 2)).toEqual([
			'This row cannot show a threshold at which 90% of decided rows are correct',
			'This row is answered correctly',
		]);
		expect(headings(await pageOf([wrong]))[1]).toBe('This row is answered wrongly');
		const page = textOf(await pageOf([right], choice, 0.2));
		expect(page).toContain('0.00 is the lowest threshold at which this row shows');
		expect(page).not.toContain('these rows');
	});

	test('rows that all have an answer and an expected value', async () => {
		const page = textOf(await pageOf([right, wrong]));
		expect(page).toMatch(/\n2 rows\n/);
		expect(page).not.toContain('left out');
	});

	test('rows without answers', async () => {
		const page = await pageOf([{ label: 'a' }, { label: 'b' }, {}]);
		expect(headings(page)).toEqual(['None of these 2 rows has an answer']);
		expect(textOf(page)).toContain('has text in the field “topic”');
		expect(textOf(page)).toContain(
			'2 rows, 2 of them without an answer, 1 left out because they have no expected value',
		);
		expect(headings(await pageOf([{ label: 'a' }]))[0]).toBe('This row does not have an answer');
	});

	test('confidence that promises too much, and probabilities that promise too little', async () => {
		const overconfident = repeat(10, { topic: 'b', topic_confidence: 0.9, label: 'a' });
		expect(
			headings(await pageOf([...overconfident, ...repeat(10, { ...right, topic_confidence: 0.9 })])),
		).toContain('Confidence is 40 points too high: on average it is 90%, and 50% of answers are correct');
		const noul = { ...choice, answerType: 'noul', answerField: 'urgent' } as const;
		expect(headings(await pageOf(repeat(10, { urgent: 0.6, label: 'yes' }), noul))).toContain(
			'The probability of yes is 40 points too low: on average it is 60%, and 100% of expected answers are yes',
		);
	});
});

test('the first ten mistakes are shown with the text that they are about', async () => {
	const mistakes = Array.from({ length: 12 }, (_, index) => ({
		id: `row-${index}`,
		message: `Where is my card number ${index}?`,
		topic: 'b',
		topic_confidence: (index + 1) / 100,
		label: 'a',
	}));
	const text = textOf(await pageOf([...repeat(3, right), ...mistakes]));
	expect(text).toContain('Mistakes to read first: 10 of 12');
	expect(text).toContain('Where is my card number 11?\nanswered b at 0.12, expected a (item 14)');
	expect(text).toContain('Where is my card number 2?');
	expect(text).not.toContain('Where is my card number 1?');
});

test('text that many items share does not say what a mistake is about', async () => {
	const level = 'Angry: please help, this is unacceptable, all the money is gone';
	const mistakes = ['Where is my card?', 'My PIN is lost.', 'A fee?', 'The top-up failed, why is that?'].map(
		(message) => ({ message, level, topic: 'b', label: 'a' }),
	);
	const text = textOf(await pageOf([...mistakes, { level, topic: 'b', label: 'a' }, right]));
	for (const { message } of mistakes) expect(text).toContain(`${message}\nanswered b`);
	expect(text).toContain('Item 4\nanswered b');
	expect(text).not.toContain('Angry');
});

test('a matrix of few labels has its numbers, one of many has its most frequent mistakes instead', async () => {
	const few = await pageOf([...repeat(7, right), ...repeat(3, wrong), { label: 'a' }]);
	expect(textOf(few)).toMatch(/expected\na\nb\nno answer\nfound\na\n7\n3\n1\n64%\n/);
	const labels = Array.from({ length: 30 }, (_, index) => `label ${index}`);
	const items = labels.flatMap((label) => [
		{ topic: label, label },
		{ topic: label, label },
	]);
	const many = textOf(await pageOf([...items, ...repeat(2, { topic: 'label 3', label: 'label 4' })]));
	expect(many).toMatch(/label 4 answered as label 3\n2 of 4\n/);
});

test('of more labels than a page has room for, those with the fewest mistakes are left out', async () => {
	const labels = Array.from({ length: 65 }, (_, index) => `label ${index}.`);
	const items = labels.map((label, index) => ({ topic: labels[Math.max(1, index - (index % 2))], label }));
	const page = await pageOf(items);
	expect(textOf(page)).toContain('The 50 labels with the fewest mistakes are left out.');
	expect(page.match(/<th class="line">/g)).toHaveLength(15);
});

describe('the page is safe', () => {
	const tag = /<\/?[a-z0-9]+(?: (?:class|style)="[a-z0-9 %.,:;()+-]*")* ?\/?>/g;
	const inHead = /<!doctype html>|<html lang="en">|<meta (?:charset|name)="[^"]*"(?: content="[^"]*")? \/>/g;
	const hostile = fc.oneof(
		fc.string(),
		fc.string({ unit: 'binary' }),
		fc.constantFrom(
			'<script>alert(1)</script>',
			'"><img src=x onerror=alert(1)>',
			"';}</style><b>",
			'</title><svg/onload=alert(1)>',
			'&lt;b&gt;',
			'__proto__',
			'constructor',
			'${1}$&',
			'\u202egnp.exe',
			'x'.repeat(10_000),
		),
	);

	test('whatever the items contain: it has only its own tags, and only the attributes class and style', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.tuple(hostile, hostile, hostile, fc.double()), { maxLength: 20 }),
				async (texts) => {
					const items = texts.map(([topic, label, message, confidence]) => ({
						message,
						topic,
						label,
						topic_confidence: confidence,
					}));
					const page = await pageOf([right, ...items], { ...choice, ignoreCase: false });
					const withoutTags = page
						.replace(/<style>.*?<\/style>/s, '')
						.replace(inHead, '')
						.replace(tag, '');
					expect(withoutTags).not.toMatch(/[<>]/);
					expect(withoutTags).not.toMatch(/&(?!(?:amp|lt|gt|quot|#39);)/);
					if (!texts.flat().includes('NaN')) expect(page).not.toContain('NaN');
				},
			),
		);
	});

	test('field names are escaped as well', async () => {
		const fields = { ...choice, answerField: '<i>topic</i>' };
		expect(await pageOf([{ '<i>topic</i>': 'a', label: 'a' }], fields)).toContain('&lt;i&gt;topic&lt;');
	});

	test('it requests nothing from anywhere', async () => {
		expect(await pageOf([right, wrong])).not.toMatch(
			/<(?:script|link|img|svg|iframe|object)|url\(|@import|https?:|data:/i,
		);
	});

	test('marks that turn the direction of writing are left out, so that no label looks like another', async () => {
		expect(await pageOf([{ topic: '\u202egnp.exe', label: 'a' }])).not.toMatch(
			/[\u202a-\u202e\u2066-\u2069]/,
		);
	});
});

test('percentages say 0% or 100% only if it is exactly that', () => {
	const texts = [0, 0.0001, 0.004, 0.5, 0.996, 0.99999, 1].map(percent);
	expect(texts).toEqual(['0%', '0.1%', '0.4%', '50%', '99.6%', '99.9%', '100%']);
	expect(precisePercent(0.8999)).toBe('89.9%');
	expect(precisePercent(0.9)).toBe('90.0%');
});
