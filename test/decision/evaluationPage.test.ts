import fc from 'fast-check';

import type { EvaluatedFields } from '../../nodes/Decision/evaluation/evaluatedFields';
import { evaluateRows } from '../../nodes/Decision/evaluation/evaluateRows';
import { evaluationPage } from '../../nodes/Decision/evaluation/page/evaluationPage';
import { percent, precisePercent } from '../../nodes/Decision/evaluation/page/html';
import { readRows } from '../../nodes/Decision/evaluation/readRows';
import { choiceFields, noPause, noulFields, tagFields } from '../support/evaluatedFields';

async function pageOf(
	items: object[],
	fields: EvaluatedFields = choiceFields,
	targetAccuracy = 0.9,
): Promise<string> {
	const { answerType } = fields;
	const rows = await readRows(items, fields, noPause);
	const figures = await evaluateRows(rows, { answerType, targetAccuracy }, noPause);
	return evaluationPage(figures, fields, []);
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

function axisTitles(page: string): string[] {
	return [...page.matchAll(/<div class="axis-title[^>]*>(.*?)<\/div>/gs)].map(([, title]) => textOf(title!));
}

const right = { topic: 'a', topic_confidence: 0.8, label: 'a' };
const wrong = { topic: 'b', topic_confidence: 0.3, label: 'a' };
const otherRight = { topic: 'b', topic_confidence: 0.8, label: 'b' };

describe('the page of a choice', () => {
	const items = [...repeat(60, right), ...repeat(20, wrong), ...repeat(4, otherRight)];

	test('states the findings in its titles, and no comparison if there is none', async () => {
		const page = await pageOf(items);
		expect(headings(page)).toEqual([
			'64 of 84 rows are answered correctly',
			'76% are correct; always answering “a” gives 95%',
			'Accuracy and coverage by threshold',
			'A threshold for each option decides no more rows than one for all',
			'“a” is most often mistaken for “b”: 20 times',
			'The mean confidence is 68%, and 76% of answers are correct',
		]);
		expect(textOf(page)).toContain('Evaluation: 64 of 84 rows are answered correctly');
		expect(textOf(page)).toContain(
			'At a threshold of 0.35, 76% of rows are decided, 100% of them correctly.',
		);
		expect(page).not.toContain('McNemar');
	});

	test('has plots with ticks and titles on their axes', async () => {
		const page = await pageOf(items);
		// Only the last plot has a diagonal: on it, the confidence equals the accuracy.
		expect(page.split('class="plot diagonal"')).toHaveLength(2);
		expect(textOf(page)).toContain('\n60%\n70%\n80%\n90%\n100%\ntarget 90%\n0.35\n');
		// Of each plot, the vertical axis comes first.
		expect(axisTitles(page)).toEqual([
			'Share of decided rows that are correct. Lines end at what is shown with 95% confidence.',
			'Share of rows that are decided. Each dot is a threshold.',
			'Share of answers that are correct',
			'Mean confidence. Each dot is a tenth of the scale.',
		]);
	});
});

test('the title of the calibration of yes or no speaks of its probability', async () => {
	expect(headings(await pageOf(repeat(10, { urgent: 0.6, label: 'yes' }), noulFields)).at(-1)).toBe(
		'The mean probability of yes is 60%, and 100% of expected answers are yes',
	);
});

/** Returns the text of a page behind its heading. */
async function findingsOf(items: object[], target = 0.9): Promise<string> {
	return textOf(await pageOf(items, choiceFields, target)).split('expected answers in “label”\n')[1]!;
}

test('the page says that no threshold is needed if all of 98 rows are correct', async () => {
	expect(await findingsOf(repeat(98, right))).toMatch(
		/^98 of 98 rows are .*^No threshold is needed: 100% of rows are decided/ms,
	);
});

test('marks a threshold only if one is recommended', async () => {
	const pages = [await pageOf(repeat(34, right)), await pageOf([...repeat(60, right), ...repeat(20, wrong)])];
	const marks = pages.map((page) => [
		page.includes('<tr class="chosen">'),
		page.includes('It was chosen from'),
	]);
	expect(marks).toEqual([
		[false, false],
		[true, true],
	]);
});

test('says which thresholds of Route a recommended one of yes or no stands for', async () => {
	const items = [
		...repeat(60, { urgent: 0.9, label: 'yes' }),
		...repeat(40, { urgent: 0.2, label: 'no' }),
		...repeat(40, { urgent: 0.55, label: 'no' }),
	];
	expect(textOf(await pageOf(items, noulFields))).toMatch(
		/In Route, set\s'Yes at or Above' to 0\.60\sand 'No Below' to\s0\.40\./,
	);
	expect(textOf(await pageOf(repeat(60, right)))).not.toContain("set 'Yes at or Above'");
});

test.each<[name: string, items: object[], target: number, said: RegExp]>([
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
		/^41 rows cannot show .*Improve the questions, add rows, or set 'Target Accuracy' below 90%\./ms,
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
		/^No row has an answer in “topic”\n2 rows, 2 of them without an answer, 1 left out because it has no/,
	],
])('the page names the problem of %s', async (_, items, target, said) => {
	expect(await findingsOf(items, target)).toMatch(said);
});

describe('the matrix', () => {
	test('has a row for each expected label, a column for each answer, and the recall', async () => {
		const page = await pageOf([...repeat(7, right), ...repeat(3, wrong), { label: 'a' }]);
		expect(textOf(page)).not.toMatch(/left out/i);
		expect(textOf(page)).toMatch(/expected\na\nb\nno answer\nfound\na\n7\n3\n1\n64%\n/);
	});

	test('leaves out the labels with the fewest mistakes if there are more than 15', async () => {
		const labels = Array.from({ length: 65 }, (_, index) => `label ${index}.`);
		const items = labels.map((label, index) => ({ topic: labels[Math.max(51, index)], label }));
		const page = textOf(await pageOf(items));
		expect(page).toContain('Left out: 50 labels with the fewest mistakes.');
		expect(page).toContain('label 51.');
		expect(page).not.toContain('label 60.');
	});
});

describe('the thresholds of options', () => {
	const row = (label: string, topic: string, confidence: number | null) => ({
		label,
		topic,
		topic_confidence: confidence,
	});
	const rows = [
		...repeat(100, row('a', 'a', 0.4)),
		...repeat(40, row('b', 'b', 0.8)),
		...repeat(40, row('a', 'b', 0.4)),
		...repeat(5, row('c', 'c', 0.9)),
		...repeat(15, row('a', 'c', 0.3)),
	];

	test('stand beside the one for all, with the rows that each way decides', async () => {
		const page = await pageOf(rows);
		expect(headings(page)).toContain(
			'With a threshold for each option, 73% of rows are decided instead of 23%, 100% of them correctly',
		);
		expect(textOf(page)).toContain(
			'\nOne threshold for all: 0.45\n23%, 100% of them correct\nA threshold for each option\n73%, 100% of them correct\n',
		);
		expect(textOf(page)).toContain(
			'\nOption\nThreshold\nDecided with one for all\nWith its own\na\n0.00\n0%\n100%\nb\n0.45\n50%\n50%\nc\n–\n25%\n25%\n',
		);
		expect(textOf(page)).toContain('The others use the threshold of the node, 0.45.');
	});

	test('are shown without one for all, if these rows cannot show one', async () => {
		const page = textOf(await pageOf([...rows, ...repeat(30, row('a', 'b', 0.95))]));
		expect(page).toContain(
			'\nWith a threshold for each option, 43% of rows are decided, 100% of them correctly\n',
		);
		expect(page).toContain('\nOne threshold for all: these rows cannot show one\n0%\n');
		expect(page).toContain("The others go to a person: set the node's 'Minimum Confidence' to 1.");
	});

	test('leave out the options with the fewest answers if there are more than 50', async () => {
		const rare = Array.from({ length: 3 }, (_, index) => row(`rare ${index}`, `rare ${index}`, 0.2));
		const others = Array.from({ length: 47 }, (_, index) => row(`other ${index}.`, `other ${index}.`, 0.2));
		const page = await pageOf([...rare, ...rows, ...others, ...others]);
		const section = textOf(page.split('</section>').find((part) => part.includes('With its own'))!);
		expect(section).toContain('Left out: 3 options with the fewest answers.');
		expect(section).toContain('other 46.');
		expect(section).not.toContain('rare');
	});

	test('are not shown if they are the same', async () => {
		const page = textOf(await pageOf(repeat(60, row('a', 'a', 0.8))));
		expect(page).not.toContain('for each option');
	});
});

test('the page counts rows without a confidence that can be read', async () => {
	const items = [...repeat(60, right), { ...right, topic_confidence: 'high' }];
	expect(textOf(await pageOf(items))).toContain(
		'1 of 61 rows has no confidence that can be read: at every threshold above 0, it goes to a person.',
	);
	expect(textOf(await pageOf(repeat(60, right)))).not.toContain('no confidence');
});

describe('the page of tags', () => {
	const items = [
		...repeat(6, { topics: ['refund', 'urgent'], label: 'refund, urgent' }),
		...repeat(3, { topics: ['refund'], label: ['refund', 'urgent'] }),
		{ topics: ['praise'], label: [] },
	];

	test('states the findings in its titles, has a bar for each tag, and says which is missing and which is given wrongly', async () => {
		const page = await pageOf(items, tagFields);
		expect(headings(page)).toEqual([
			'6 of 10 rows have exactly the expected tags',
			'60% are correct; always answering “refund, urgent” gives 90%',
			'How well each tag is found',
		]);
		expect(textOf(page)).toContain('Always answering “refund, urgent”');
		expect(textOf(page)).toMatch(
			/“urgent” is most often missing: 3 times\. “praise” is most often given wrongly: 1 time\./,
		);
		expect(textOf(page)).toContain(
			'\nTag\nRows\nFound\nRight\nrefund\n9\n100%\n100%\nurgent\n9\n67%\n100%\npraise\n0\n–\n0%\n',
		);
		expect(page.split('class="bar"')).toHaveLength(1 + 2 + 3);
	});

	test('leaves out the tags with the fewest rows if there are more than 50', async () => {
		const rowWith = (tag: string) => ({ topics: [tag], label: [tag] });
		const rare = Array.from({ length: 3 }, (_, index) => rowWith(`rare ${index}`));
		const others = Array.from({ length: 50 }, (_, index) => rowWith(`other ${index}.`));
		const page = textOf(await pageOf([...rare, ...others, ...others], tagFields));
		expect(page).toContain('Left out: 3 tags with the fewest rows.');
		expect(page).toContain('other 49.');
		expect(page).not.toContain('rare');
	});

	test('counts that no tag applies as an answer like others', async () => {
		const page = await pageOf(repeat(9, { topics: [], label: [] }), tagFields);
		expect(headings(page)[0]).toBe('9 of 9 rows have exactly the expected tags');
		expect(textOf(page)).toContain('Always answering that none applies');
	});

	test('says so if no expected tag is answered', async () => {
		const page = await pageOf(repeat(9, { topics: [], label: 'refund' }), tagFields);
		expect(textOf(page)).toContain(
			"No expected label occurs among the answers. Expected: “refund”. Answered: none. Check 'Answer Field'",
		);
	});
});

describe('the page of two answers to the same rows', () => {
	const fields = { ...choiceFields, compareField: 'before' };
	const row = (topic: string, before: string) => ({ topic, before, label: 'a' });

	async function compared(gained: number, lost: number, more: object[] = []): Promise<string> {
		const rows = [
			...repeat(80, row('a', 'a')),
			...repeat(gained, row('a', 'b')),
			...repeat(lost, row('b', 'a')),
		];
		return textOf(await pageOf([...rows, ...more], fields)).split('expected answers in “label”\n')[1]!;
	}

	test.each<[gained: number, lost: number, said: RegExp]>([
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
	])('begins with the verdict: %d against %d', async (gained, lost, said) => {
		const page = await compared(gained, lost);
		expect(page).toMatch(said);
		expect(page).not.toContain('lack');
	});

	test('says after the verdict how many rows lack either answer', async () => {
		const page = await compared(20, 0, [
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

const TAG = /<\/?[a-z0-9]+(?: (?:class|style)="[a-z0-9 %.,:;()+-]*")* ?\/?>/g;
const TAGS_IN_HEAD =
	/<!doctype html>|<html lang="en">|<meta (?:charset|name)="[^"]*"(?: content="[^"]*")? \/>/g;
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

test('the page has only its own tags, and only class and style, whatever the items and the names of fields', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.tuple(hostile, hostile, fc.double({ min: 0, max: 1 })), { maxLength: 20 }),
			hostile.filter((name) => name !== 'label'),
			async (texts, answerField) => {
				const items = texts.map(([answer, label, confidence]) => ({
					...Object.fromEntries([
						[answerField, answer],
						[`${answerField}_confidence`, confidence],
					]),
					label,
				}));
				const page = await pageOf([{ label: 'a' }, ...items], {
					...choiceFields,
					answerField,
					ignoreCase: false,
				});
				const rest = page
					.replace(/<style>.*?<\/style>/s, '')
					.replace(TAGS_IN_HEAD, '')
					.replace(TAG, '');
				expect(rest).not.toMatch(/[<>]/);
				expect(rest).not.toMatch(/&(?!(?:amp|lt|gt|quot|#39);)/);
				// Marks that change the direction of writing would make one label look like another.
				expect(rest).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
				if (!texts.flat().includes('NaN')) expect(page).not.toContain('NaN');
			},
		),
	);
});

test('a percentage is 0% or 100% only if it is exactly that', () => {
	const texts = [0, 0.0001, 0.004, 0.5, 0.996, 0.99999, 1].map(percent);
	expect(texts).toEqual(['0%', '0.1%', '0.4%', '50%', '99.6%', '99.9%', '100%']);
	expect(precisePercent(0.8999)).toBe('89.9%');
	expect(precisePercent(0.9)).toBe('90.0%');
});
