import { NodeOperationError, type IDataObject, type INodeParameters } from 'n8n-workflow';

import { testWhere } from '../support/host';
import { nodeDriver, type NodeInput, wrongParameter } from '../support/nodeDriver';
import { nodeTypes, readErrorItem } from '../support/runNode';
import { useEmulator } from '../support/useEmulator';

const emulator = useEmulator();

const decision = nodeDriver('decision', emulator);

const fields = { operation: 'evaluate', answerField: 'team', expectedField: 'expected' };

const row = (team: string | undefined, expected: string | undefined, confidence?: number): IDataObject => ({
	...(team === undefined ? {} : { team }),
	...(expected === undefined ? {} : { expected }),
	...(confidence === undefined ? {} : { team_confidence: confidence }),
});

/** Of the rows with two labels, 30 are correct with a high confidence, and 10 are wrong with a low one. */
const rows = [
	...Array.from({ length: 20 }, () => row('cards', 'cards', 0.9)),
	...Array.from({ length: 10 }, () => row('fees', 'fees', 0.9)),
	...Array.from({ length: 10 }, () => row('fees', 'cards', 0.4)),
];

async function report(kind: string, items: IDataObject[] = rows, more: INodeParameters = {}) {
	const found = await decision.items({ ...fields, report: kind, ...more }, { items });
	expect(emulator.requests).toEqual([]);
	return found;
}

async function hintOf(
	items: IDataObject[],
	more: INodeParameters = {},
	input: NodeInput = {},
): Promise<string> {
	return await decision.hint({ ...fields, ...more }, { items, ...input });
}

/** Says on the page that a row has an error although it has an answer. */
const ERROR_ON_PAGE = 'with an error beside the answer';

async function pageOf(items: IDataObject[], more: INodeParameters = {}): Promise<string> {
	const [summary] = await report('summary', items, more);
	return Buffer.from(summary!.binary!.report!.data, 'base64').toString();
}

test.each<[name: string, items: IDataObject[], expected: string]>([
	['one', [{ ...row('cards', 'cards'), error: { message: 'overloaded' } }], '1 row has an error'],
	[
		'two, one of them without an answer',
		[
			...Array<IDataObject>(2).fill({ ...row('cards', 'fees'), error: { message: 'overloaded' } }),
			{ ...row(undefined, 'cards'), error: { message: 'overloaded' } },
		],
		'2 rows have an error',
	],
])('hint and page say that rows have an error beside an answer: %s', async (_, items, expected) => {
	expect(await hintOf(items)).toContain(`${expected} beside the answer, and the answer counts`);
	expect(await pageOf(items)).toContain(ERROR_ON_PAGE);
});

test('neither hint nor page takes a column called error for an error', async () => {
	const items = [{ ...row('cards', 'cards'), error: 'E17' }];
	expect(await hintOf(items)).not.toContain('an error');
	expect(await pageOf(items)).not.toContain(ERROR_ON_PAGE);
});

describe('the summary', () => {
	test('is one item with all figures, paired with every input item', async () => {
		const [item, ...others] = await report('summary', rows, { targetAccuracy: 0.85 });
		expect(others).toEqual([]);
		expect(item!.json).toEqual({
			rows: 40,
			skipped: 0,
			correct: 30,
			accuracy: 0.75,
			accuracy_low: expect.closeTo(0.598, 3),
			accuracy_high: expect.closeTo(0.858, 3),
			baseline: 0.75,
			recommended_threshold: 0.45,
			coverage: 0.75,
			coverage_accuracy: 1,
			classes: (await report('classes')).map(({ json }) => json),
			thresholds: (await report('thresholds')).map(({ json }) => json),
			confusion: (await report('confusion')).map(({ json }) => json),
			calibration: expect.arrayContaining([
				{ from: 0.3, to: 0.4, count: 10, predicted: expect.closeTo(0.4), observed: 0 },
				{ from: 0.8, to: 0.9, count: 30, predicted: expect.closeTo(0.9), observed: 1 },
			]),
		});
		expect(item!.pairedItem).toEqual(rows.map((_, index) => ({ item: index })));
	});

	test('recommends no threshold if the rows cannot show one', async () => {
		const [item] = await report('summary', rows, { targetAccuracy: 0.99 });
		expect(item!.json).toMatchObject({
			recommended_threshold: null,
			coverage: null,
			coverage_accuracy: null,
		});
	});

	test('has a page without scripts or requests', async () => {
		const [item] = await report('summary');
		expect(item!.binary).toEqual({
			report: expect.objectContaining({ mimeType: 'text/html', fileName: 'evaluation.html' }),
		});
		const page = Buffer.from(item!.binary!.report!.data, 'base64').toString();
		expect(page).toMatch(/^\s*<!doctype html>/);
		expect(page).not.toMatch(/<script|https?:|src=|url\(/i);
	});

	test('is described in a hint of the run', async () => {
		expect(await hintOf(rows, { targetAccuracy: 0.85 })).toBe(
			'30 of 40 rows are answered correctly (75%). Always giving the most frequent label would reach 75%.<br>At a threshold of 0.45, 75% of rows are decided, 100% of them correctly.',
		);
	});

	test('has a hint that counts the rows without a confidence that can be read', async () => {
		const sure = Array.from({ length: 40 }, () => row('cards', 'cards', 0.9));
		const items = [
			...sure,
			...sure.map((one) => ({ ...one, team_confidence: '0,9' })),
			{ ...sure[0], team_confidence: 'high' },
			row('cards', 'cards'),
		];
		expect(await hintOf(items)).toContain(
			'<br>At a threshold of 0.05, 98% of rows are decided, 100% of them correctly. 2 of 82 rows have no confidence that can be read: at every threshold above 0, they go to a person.',
		);
	});

	test.each(['sure', 'p < 1'])('names the Confidence Field that no item has: %s', async (confidenceField) => {
		const said = (name: string) => `No row has a confidence in ${name}, so no threshold can be shown.`;
		expect(await hintOf(rows, { confidenceField })).toContain(
			said(`<b>${confidenceField.replace('<', '&lt;')}</b>`),
		);
		expect(await pageOf(rows, { confidenceField })).toContain(
			said(`“<bdi>${confidenceField.replace('<', '&lt;')}</bdi>”`),
		);
		const without = rows.map(({ team, expected }) => ({ team: team!, expected: expected! }));
		expect(await hintOf(without)).toContain('No row has a confidence, so no threshold can be shown.');
	});

	test('has a hint that says how many more rows a threshold for each option decides', async () => {
		const items = [
			...Array.from({ length: 100 }, () => row('cards', 'cards', 0.4)),
			...Array.from({ length: 40 }, () => row('fees', 'fees', 0.8)),
			...Array.from({ length: 40 }, () => row('fees', 'cards', 0.4)),
		];
		expect(await hintOf(items)).toContain(
			'<br>At a threshold of 0.45, 22% of rows are decided, 100% of them correctly. With a threshold for each option, 78% of rows are decided instead of 22%, 100% of them correctly.',
		);
	});

	test('has a hint without thresholds for options if they decide less than one percent more', async () => {
		const items = [
			...Array.from({ length: 900 }, () => row('cards', 'cards', 0.8)),
			...Array.from({ length: 200 }, () => row('cards', 'fees', 0.35)),
			...Array.from({ length: 100 }, () => row('fees', 'fees', 0.8)),
			...Array.from({ length: 3 }, () => row('fees', 'fees', 0.3)),
		];
		expect(await hintOf(items)).not.toContain('threshold for each option');
	});

	testWhere('redaction')('is described by the number of rows only under redaction', async () => {
		const settings = { redactionPolicy: 'all' } as const;
		expect(await hintOf(rows, {}, { settings })).toBe('40 rows evaluated.');
	});

	test.each<[name: string, changed: INodeParameters, message: RegExp]>([
		['a field that no item has', { answerField: 'teem' }, /<br>No row has an answer in <b>teem<\/b>\. Check/],
		[
			'another field',
			{ answerField: 'note' },
			/<br>No expected label occurs among the answers\. Expected: <b>cards<\/b>\. Answered: <b>0\.26<\/b>\. Check 'Answer Field' and 'Expected Field', the 'Answer Type', and the names of the options\.$/,
		],
		[
			'yes or no in a field without probabilities',
			{ answerType: 'noul', expectedField: 'sure' },
			/<br>No row has a probability in <b>team<\/b>\. 10 rows have a value in <b>team<\/b>, such as <b>cards<\/b>, that is not a probability\. Check 'Answer Field' and 'Answer Type'\.$/,
		],
		[
			'answers that are all no',
			{ answerType: 'noul', answerField: 'note', expectedField: 'sure' },
			/<br>No expected label occurs among the answers\. Expected: <b>yes<\/b>\. Answered: <b>no<\/b>\./,
		],
		[
			'tags that are read as a choice',
			{ answerField: 'tags' },
			/<br>No row has an answer in <b>tags<\/b>\. 10 rows have a value in <b>tags<\/b>, such as <b>\[&quot;cards&quot;\]<\/b>, that is not an option or a level\. Check 'Answer Field' and 'Answer Type'\.$/,
		],
		[
			'objects that are read as tags',
			{ answerType: 'tags', answerField: 'object' },
			/<br>No row has an answer in <b>object<\/b>\. 10 rows have a value in <b>object<\/b>, such as <b>.*<\/b>, that is not a list of tags\./,
		],
		[
			'too few rows',
			{},
			/<br>10 rows cannot show .* Even without a mistake, it takes 35 decided rows to show 90%\./,
		],
	])('has a hint that names the problem of %s', async (_, changed, message) => {
		const items = Array.from({ length: 10 }, () => ({
			...row('cards', 'cards', 0.9),
			note: 0.26,
			sure: 'yes',
			tags: ['cards'],
			object: { tag: 'cards' },
		}));
		expect(await hintOf(items, changed)).toMatch(message);
	});
});

test('a number that cannot be read counts as no answer, and the hint shows it', async () => {
	const items = [
		{ p: 0.9, expected: 'yes' },
		{ p: '0.9.1', expected: 'yes' },
		{ p: 'high', expected: 'no' },
		{ p: '', expected: 'no' },
	];
	const asNoul = { answerType: 'noul', answerField: 'p' };
	expect(await hintOf(items, asNoul)).toContain(
		"3 rows without an answer count as wrong.<br>2 rows have a value in <b>p</b>, such as <b>0.9.1</b>, that is not a probability. Check 'Answer Field' and 'Answer Type'.<br>",
	);
	const [item] = await report('summary', items, asNoul);
	const page = Buffer.from(item!.binary!.report!.data, 'base64').toString();
	expect(page).toContain('4 rows, 3 of them without an answer, 2 with a value of another type');
});

describe('two answers to the same rows', () => {
	const compared = [
		...Array.from({ length: 20 }, () => ({ ...row('cards', 'cards', 0.9), before: 'fees' })),
		...Array.from({ length: 10 }, () => ({ ...row('fees', 'cards', 0.9), before: 'FEES' })),
		row('cards', 'cards', 0.9),
		{ ...row(undefined, 'cards'), before: 'Cards' },
		{ before: 'cards' },
	];
	const options = { compareField: 'before' };

	test('are compared in the summary', async () => {
		const [item] = await report('summary', compared, { options });
		expect(item!.json.compared).toEqual({
			rows: 32,
			correct: 1,
			accuracy: 1 / 32,
			both_correct: 0,
			only_answer_correct: 21,
			only_compared_correct: 1,
			neither_correct: 10,
			incomplete: 2,
			p_value: expect.closeTo((2 * 23) / 2 ** 22, 10),
			verdict: 'better',
		});
		const page = Buffer.from(item!.binary!.report!.data, 'base64').toString();
		expect(page).toMatch(/<h1>“<bdi>team<\/bdi>” is better than “<bdi>before<\/bdi>”<\/h1>/);
	});

	test('are compared in a hint, which counts the rows that lack either', async () => {
		expect(await hintOf(compared, { options })).toContain(
			'<br><b>team</b> is better than <b>before</b>: <b>team</b> is correct in 21 rows where <b>before</b> is wrong, and wrong in 1 where <b>before</b> is correct. 2 rows lack one of the two answers',
		);
	});

	test('are not compared in other reports, or without Compare with Field', async () => {
		const [named] = await report('classes', compared, { options: { compareField: 'no such field' } });
		expect(named!.json).toMatchObject({ label: 'cards' });
		const [item] = await report('summary', compared);
		expect(item!.json).not.toHaveProperty('compared');
	});
});

describe('the report', () => {
	test('Classes has an item for each label', async () => {
		const items = await report('classes');
		expect(items.map(({ json }) => json)).toEqual([
			{
				label: 'cards',
				support: 30,
				precision: 1,
				recall: expect.closeTo(2 / 3),
				f1: expect.closeTo(0.8),
				recommended_threshold: null,
			},
			{
				label: 'fees',
				support: 10,
				precision: 0.5,
				recall: 1,
				f1: expect.closeTo(2 / 3),
				recommended_threshold: null,
			},
		]);
	});

	test('Classes has the threshold of each option', async () => {
		const items = await report('classes', rows, { targetAccuracy: 0.7 });
		expect(items.map(({ json }) => json.recommended_threshold)).toEqual([0, 0.45]);
	});

	test.each(['classes', 'thresholds', 'confusion'])(
		'%s has items that are all paired with the first input item',
		async (kind) => {
			for (const { pairedItem } of await report(kind)) expect(pairedItem).toEqual({ item: 0 });
		},
	);

	test('Thresholds has an item for every 0.05', async () => {
		const items = await report('thresholds');
		expect(items.map(({ json }) => json.threshold)).toEqual(
			Array.from({ length: 21 }, (_, n) => (5 * n) / 100),
		);
		expect(items[9]!.json).toMatchObject({ threshold: 0.45, acted_on: 30, coverage: 0.75, accuracy: 1 });
	});

	test('Confusion has an item for every pair that occurs', async () => {
		const items = await report('confusion');
		expect(items.map(({ json }) => json)).toEqual(
			expect.arrayContaining([{ expected: 'cards', answer: 'fees', count: 10 }]),
		);
		expect(items).toHaveLength(3);
	});

	test('Mistakes has the input items, the most confident mistakes first', async () => {
		const items = [row('fees', 'cards', 0.4), row('cards', 'cards', 0.9), row('fees', 'cards', 0.8)];
		const found = await report('mistakes', items);
		expect(found.map(({ json, pairedItem }) => ({ json, pairedItem }))).toEqual([
			{
				json: { ...items[2], evaluation: { expected: 'cards', answer: 'fees', confidence: 0.8 } },
				pairedItem: { item: 2 },
			},
			{
				json: { ...items[0], evaluation: { expected: 'cards', answer: 'fees', confidence: 0.4 } },
				pairedItem: { item: 0 },
			},
		]);
	});

	test('Mistakes keeps the files of an item', async () => {
		const binary = { photo: { data: 'AAAA', mimeType: 'image/png', fileName: 'card.png' } };
		const [mistake] = await decision.items(
			{ ...fields, report: 'mistakes' },
			{ items: [{ json: row('fees', 'cards'), binary }] },
		);
		expect(mistake!.binary).toEqual(binary);
	});

	test('Mistakes keeps the error of an item that failed in an earlier node, as input_error', async () => {
		const [mistake] = await report('mistakes', [{ expected: 'cards', error: { message: 'overloaded' } }]);
		expect(mistake!.json).toEqual({
			expected: 'cards',
			input_error: { message: 'overloaded' },
			evaluation: { expected: 'cards', answer: null, confidence: null },
		});
	});
});

test('a probability is compared with yes or no', async () => {
	const items = [
		{ urgent: 0.9, expected: 'Yes' },
		{ urgent: 0.2, expected: false },
		{ urgent: 0.6, expected: 0 },
		{ urgent: 0.5, expected: '' },
	];
	const [item] = await report('summary', items, { answerType: 'noul', answerField: 'urgent' });
	expect(item!.json).toMatchObject({ rows: 3, skipped: 1, correct: 2 });
});

describe('the tags of an evaluation', () => {
	const tagged = { ...fields, answerType: 'tags', answerField: 'topics' };
	const items = [
		{ topics: ['refund', 'urgent'], expected: 'Urgent, refund' },
		{ topics: ['refund'], expected: ['urgent', 'refund'] },
		{ topics: ['praise'], expected: [] },
		{ topics: ['praise'], expected: ' ' },
		{ expected: 'refund' },
	];

	test('are correct if all of them are, in any order', async () => {
		const [item] = await report('summary', items, tagged);
		expect(item!.json).toMatchObject({
			rows: 4,
			skipped: 1,
			correct: 1,
			accuracy: 0.25,
			recommended_threshold: null,
			coverage: null,
			coverage_accuracy: null,
			thresholds: [],
			calibration: [],
		});
		expect(item!.json.classes).toMatchObject([
			{ label: 'refund', support: 3, precision: 1, recall: 2 / 3, recommended_threshold: null },
			{ label: 'Urgent', support: 2, precision: 1, recall: 0.5, recommended_threshold: null },
			{ label: 'praise', support: 0, precision: 0, recall: null, recommended_threshold: null },
		]);
	});

	test('are listed as missing and too many if they are wrong', async () => {
		const found = await report('mistakes', items, tagged);
		expect(found.map(({ json }) => json.evaluation)).toEqual([
			{
				expected: ['Urgent', 'refund'],
				answer: ['refund'],
				confidence: null,
				missing: ['Urgent'],
				too_many: [],
			},
			{ expected: [], answer: ['praise'], confidence: null, missing: [], too_many: ['praise'] },
			{ expected: ['refund'], answer: null, confidence: null, missing: ['refund'], too_many: [] },
		]);
	});

	test('are none where the answer or the expected tags are None', async () => {
		const routed = [
			{ topics: ['None'], expected: [] },
			{ topics: [], expected: 'none' },
			{ topics: 'None', expected: ['NONE'] },
			{ topics: ['None'], expected: 'refund' },
		];
		const [item] = await report('summary', routed, tagged);
		expect(item!.json).toMatchObject({ rows: 4, skipped: 0, correct: 3 });
		expect(item!.json.classes).toMatchObject([{ label: 'refund' }]);
	});

	test('are compared with those of Compare with Field', async () => {
		const compared = items.map((item) => ({ ...item, before: item.expected }));
		const [item] = await report('summary', compared, { ...tagged, options: { compareField: 'before' } });
		expect(item!.json.compared).toMatchObject({
			rows: 4,
			correct: 4,
			only_compared_correct: 3,
			incomplete: 1,
		});
	});

	test('are described in a hint of the run', async () => {
		expect(await hintOf(items, tagged)).toBe(
			'1 of 4 rows have exactly the expected tags (25%). Always giving the most frequent tags would reach 50%. Improve the questions before you use these answers. 1 row without an answer counts as wrong. 1 item without an expected value is left out.<br><b>refund</b> is most often missing: 1 time. <b>praise</b> is most often given wrongly: 1 time. Tags have no confidence, so no threshold is recommended.',
		);
	});
});

test('fields are found although their names have spaces that nobody sees', async () => {
	const items = rows.map(({ team, expected }) => ({ 'team ': team!, 'expected\u00a0team': expected! }));
	const [summary] = await report('summary', items, { expectedField: 'expected team' });
	expect(summary!.json).toMatchObject({ rows: 40, correct: 30 });
	const asked = { ...fields, expectedField: 'team ' };
	expect(await decision.refusal(asked, { items })).toContain('must name a different field from');
});

test('fields are found by the paths that the editor inserts', async () => {
	const items = [{ 'The Team': 'a', person: { said: 'a' } }];
	const [item] = await report('summary', items, {
		answerField: "['The Team']",
		expectedField: 'person.said',
	});
	expect(item!.json).toMatchObject({ rows: 1, correct: 1 });
});

describe('an answer and a column that Answer Questions derives from it', () => {
	const urgent = { urgent: 0.9, urgent_yes: true };
	const topics = { topics: ['refund', 'card'], topics_text: 'refund, card' };
	const upset = { upset: 1, upset_level: '1', upset_confidence: 0.9 };

	test.each<[answerType: string, one: string, other: string, item: IDataObject]>([
		['noul', 'urgent', 'urgent_yes', urgent],
		['noul', 'urgent_yes', 'urgent', { urgent: '0,9', urgent_yes: 'TRUE' }],
		['noul', 'urgent', 'urgent_yes', { urgent: 0.9, urgent_yes: 1 }],
		['noul', 'urgent', 'urgent_yes', { urgent: '7%', urgent_yes: 'No' }],
		['noul', 'result.urgent', 'result.urgent_yes', { result: urgent }],
		['tags', 'topics', 'topics_text', topics],
		['choice', 'upset_level', 'upset', upset],
		['choice', 'upset', 'upset_confidence', upset],
	])('of the type %s are refused as two answers: %s and %s', async (answerType, one, other, item) => {
		const failed = { [one]: null, [other]: null };
		const problem = 'are two forms of one answer';
		const items = [failed, item];
		const asExpected = { ...fields, answerType, answerField: one, expectedField: other };
		expect(await decision.refusal(asExpected, { items })).toContain(problem);
		const asCompared = {
			...fields,
			answerType,
			answerField: one,
			expectedField: 'person',
			options: { compareField: other },
		};
		expect(await decision.refusal(asCompared, { items })).toContain(problem);
	});

	test('are not confused with yes or no: a probability is refused, and Answer Type is named', async () => {
		const asked = { ...fields, answerField: 'urgent', expectedField: 'person' };
		const items = [
			{ person: 'yes', urgent: 1, urgent_yes: true },
			{ person: 'no', urgent: 0.007, urgent_yes: false },
		];
		expect(await decision.refusal(asked, { items })).toMatch(
			/must name an option or a level, not the probability of a yes, which is 0\.007: choose 'Yes or No' under "Answer Type"/,
		);
		// Without the other column of a yes-or-no question, a number may be the name of an option.
		const versions = items.map(({ person, urgent }) => ({ person, urgent }));
		await decision.run(asked, { items: versions });
	});

	test.each<[string, IDataObject]>([
		['upset', { upset: 1.2, upset_level: 'angry' }],
		['result.upset', { result: { upset: '1,2', upset_level: 'angry' } }],
	])(
		'are not confused: the rating %s is refused, because it is never equal to a level',
		async (name, item) => {
			const items = [
				{ person: 1, upset: 1, upset_level: 'angry' },
				{ person: 'angry', ...item },
			];
			const asked = { ...fields, answerField: name, expectedField: 'person' };
			expect(await decision.refusal(asked, { items })).toMatch(
				/must name the level of a score, not its rating, which is "?1[.,]2\b/,
			);
			const compared = { ...asked, answerField: 'upset_level', options: { compareField: name } };
			expect(await decision.refusal(compared, { items })).toContain(`choose "${name}_level"`);
		},
	);

	test.each<[answerType: string, one: string, other: string, item: IDataObject]>([
		['choice', 'priority_level', 'priority', { priority: 'high', priority_level: 'high' }],
		['choice', 'result.upset_level', 'upset', { result: upset, upset: '1', upset_confidence: 1 }],
		['choice', 'self', 'self_confidence', { self: 'low', self_confidence: 'low' }],
		['choice', 'team', 'team_text', { team: 'fees', team_text: 'fees' }],
		['noul', 'urgent_yes', 'urgent', { urgent: 'yes', urgent_yes: 0.9 }],
		['noul', 'urgent_yes', 'urgent', { urgent: 1, urgent_yes: 1 }],
		['tags', 'topics_text', 'topics', { topics: 'refund', topics_text: ['refund'] }],
	])('are told from two answers of the type %s: %s and %s', async (answerType, one, other, item) => {
		const more = { answerType, answerField: one, expectedField: other };
		const [summary] = await report('summary', [item], more);
		expect(summary!.json).toMatchObject({ rows: 1, correct: 1 });
	});
});

describe('an impossible evaluation', () => {
	const noRows = [row('cards', undefined)];

	test.each<[name: string, parameters: INodeParameters, message: string, items?: IDataObject[]]>([
		['no answer field', { answerField: '={{ "" }}' }, wrongParameter('answerField', 'must not be empty')],
		[
			'no expected field',
			{ expectedField: '={{ "" }}' },
			wrongParameter('expectedField', 'must not be empty'),
		],
		...[90, '={{ 90 }}', '=90%', '={{ "90 %" }}', '={{ "0,9" }}'].map(
			(targetAccuracy): [string, INodeParameters, string] => [
				`the target ${targetAccuracy}`,
				{ targetAccuracy },
				wrongParameter('targetAccuracy', 'must be a number from 0 to 1: write 0.9'),
			],
		),
		...[9, '={{ 9 }}'].map((targetAccuracy): [string, INodeParameters, string] => [
			`the target ${targetAccuracy}, which the editor makes of 0,9`,
			{ targetAccuracy },
			wrongParameter('targetAccuracy', 'must be a number from 0 to 1: write 0.9 for 90%, with a point'),
		]),
		[
			'the target 9%',
			{ targetAccuracy: '9%' },
			wrongParameter('targetAccuracy', 'must be a number from 0 to 1: write 0.09'),
		],
		...[-0.1, 101, '=high'].map((targetAccuracy): [string, INodeParameters, string] => [
			`the target ${targetAccuracy}`,
			{ targetAccuracy },
			wrongParameter('targetAccuracy', 'must be a number from 0 to 1'),
		]),
		[
			'no field to compare with',
			{ options: { compareField: 'before' } },
			wrongParameter('options.compareField', 'must name a field with other answers'),
		],
		[
			'the same field twice',
			{ expectedField: "['team']" },
			wrongParameter('expectedField', 'must name a different field from "Answer Field" (answerField)'),
		],
		...(['answerField', 'expectedField', 'compareField'] as const).map(
			(other): [string, INodeParameters, string, IDataObject[]] => [
				`a confidence from the field of ${other}`,
				{
					confidenceField: "['sure']",
					...(other === 'compareField' ? { options: { compareField: 'sure' } } : { [other]: 'sure' }),
				},
				wrongParameter('confidenceField', 'must name a different field from'),
				[{ team: 'a', expected: 'a', sure: '0.9' }],
			],
		),
		[
			'two forms of one answer',
			{ answerType: 'noul', answerField: 'urgent', expectedField: 'urgent_yes' },
			wrongParameter('expectedField', 'must name a different answer from "Answer Field" (answerField)'),
			[{ urgent: 0.9, urgent_yes: true }],
		],
		[
			'percentages',
			{ answerType: 'noul', answerField: 'sure' },
			wrongParameter('answerField', 'must name a field with numbers from 0 to 1, but in item 0 "sure" is 91'),
			[{ sure: 91, expected: 'yes' }],
		],
		['no rows', {}, '"Expected Field" (expectedField)', noRows],
	])(
		'is refused, and gives one failed item with On Error on Continue: %s',
		async (_, parameters, message, items = rows) => {
			await expect(decision.outputs({ ...fields, ...parameters }, { items })).rejects.toMatchObject({
				name: NodeOperationError.name,
				message: expect.stringContaining(message),
			});
			const outputs = await decision.outputs(
				{ ...fields, ...parameters },
				{ items, onError: 'continueRegularOutput' },
			);
			expect(outputs[0]).toHaveLength(1);
			expect(outputs[0]![0]!.pairedItem).toEqual({ item: 0 });
			expect(readErrorItem(outputs[0]![0]!.json).error).toMatchObject({
				message: expect.stringContaining(message),
				description: expect.stringMatching(
					/^(?:Correct the parameter|Name two different|Divide the numbers)/,
				),
			});
		},
	);
});

test('Evaluate Answers needs no credential, and has none of the parameters for requests', () => {
	const { credentials, properties } = nodeTypes['n8n-nodes-inference-service.decision']!.description;
	expect(credentials![0]!.displayOptions).toEqual({ hide: { operation: ['evaluate'] } });
	const shownFor = (property: { displayOptions?: { show?: Record<string, unknown> } }) =>
		property.displayOptions?.show?.['/operation'] ?? property.displayOptions?.show?.operation;
	const options = properties.find(({ name }) => name === 'options')!.options!;
	for (const name of ['concurrency', 'includeOtherFields', 'maxRetries', 'maxWait', 'timeout']) {
		const option = options.find((candidate) => candidate.name === name)!;
		expect(shownFor(option as object)).toEqual(['ask', 'route']);
	}
	const simplify = properties.find(({ name }) => name === 'simplify')!;
	expect(shownFor(simplify)).toEqual(['ask', 'route']);
});
