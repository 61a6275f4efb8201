import type { EvaluatedFields } from '../../nodes/Decision/evaluation/evaluatedFields';
import { readRows } from '../../nodes/Decision/evaluation/readRows';
import type { Row, Rows } from '../../nodes/Decision/evaluation/Row';
import { choiceFields, noPause, noulFields, tagFields } from '../support/evaluatedFields';

async function rowsOf(items: object[], fields: EvaluatedFields): Promise<Rows> {
	return await readRows(items, fields, noPause);
}

async function read(item: object, fields: Partial<EvaluatedFields> = {}): Promise<Row> {
	const { rows } = await rowsOf([item], { ...choiceFields, ...fields });
	return rows[0]!;
}

describe('when rows are read,', () => {
	test.each([undefined, null, '', '  '])('an item that expects %j is left out', async (label) => {
		const { rows, skipped } = await rowsOf(
			[
				{ topic: 'a', label },
				{ topic: 'a', label: 'a' },
			],
			choiceFields,
		);
		expect(rows.map(({ index }) => index)).toEqual([1]);
		expect(skipped).toBe(1);
	});

	test.each([
		['yes', ['\u200bYes\u00a0', true, 1, '1', 'Yes', 'TRUE']],
		['no', [false, 0, '0', ' NO ', 'False']],
	])('the expected answer %s may be written in several ways', async (expected, labels) => {
		for (const label of labels) {
			expect((await read({ urgent: 0.9, label }, { ...noulFields, ignoreCase: false })).expected).toBe(
				expected,
			);
		}
	});

	test.each([
		['perhaps', noulFields, 'yes or no, true or false, or 1 or 0, but in item 1 it has "perhaps"'],
		[2, noulFields, 'but in item 1 it has 2'],
		[[], noulFields, 'but in item 1 it has []'],
		[{ id: 7 }, choiceFields, 'must name a field with text, but in item 1 it has {"id":7}'],
	])('an expected value that cannot be read is an error that names the item: %j', async (...row) => {
		const [label, fields, message] = row;
		await expect(rowsOf([{ label: 'yes' }, { label }], fields)).rejects.toThrow(message);
	});

	/** Holds the fields of an item that a node has marked as failed. */
	const FAILED = { label: 'yes', error: { message: 'No draft', item_index: 0 } };

	test.each<[name: string, fields: EvaluatedFields, item: object, answer: string | string[]]>([
		['a choice', choiceFields, { topic: 'a' }, 'a'],
		['a probability', noulFields, { urgent: 0.8 }, 'yes'],
		['tags', tagFields, { topics: ['a'] }, ['a']],
	])('an item with %s that failed in a later node counts by its answer', async (_, fields, item, answer) => {
		expect((await read({ ...item, ...FAILED }, fields)).answer).toEqual(answer);
	});

	test('an item that failed before it had an answer counts as unanswered', async () => {
		expect((await read(FAILED, choiceFields)).answer).toBeNull();
	});

	test.each([undefined, null, '', ' ', {}, ['a']])('%j is not an answer', async (topic) => {
		const none = { answer: null, confidence: null };
		expect(await read({ topic, topic_confidence: 0.9, label: 'a' })).toMatchObject(none);
	});

	test('numbers and booleans are labels by their text', async () => {
		expect(await read({ topic: 3, label: '3' })).toMatchObject({ answer: '3', expected: '3' });
		expect(await read({ topic: 'True', label: true })).toMatchObject({ answer: 'true', expected: 'true' });
	});

	test.each<[urgent: number | string, answer: string, confidence: number]>([
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
		expect(await read({ urgent, label: 'yes' }, noulFields)).toMatchObject({
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
			expect(await read({ urgent, label: 'yes' }, noulFields)).toMatchObject({
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
			expect(await read({ urgent, label: 'yes' }, noulFields)).toMatchObject(none);
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
			await expect(rowsOf(items, noulFields)).rejects.toThrow(
				`"Answer Field" (answerField) must name a field with numbers from 0 to 1, but ${said('urgent')}`,
			);
			const compared = { ...noulFields, answerField: 'before', compareField: 'urgent' };
			await expect(rowsOf(items, compared)).rejects.toThrow(/^"Compare with Field".* in item 1 "urgent" is/);
			const answered = items.map((item) => ({ ...item, topic: 'a' }));
			await expect(rowsOf(answered, choiceFields)).rejects.toThrow(
				`"Confidence Field" (confidenceField) must name a field with numbers from 0 to 1, but ${said('topic_confidence')}`,
			);
			const named = { ...choiceFields, confidenceField: 'urgent' };
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
				{ ...choiceFields, ignoreCase },
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
		const { rows, skipped } = await rowsOf(items, choiceFields);
		expect([rows.length, skipped, rows[0]!.answer]).toEqual([1, 1, null]);
	});

	test('labels that differ only in case and surrounding spaces are equal, and with Ignore Case off they are not', async () => {
		const { expected, answer } = await read({ topic: 'REFUND ', label: ' Refund' });
		expect([expected, answer]).toEqual(['Refund', 'Refund']);
		const exact = await read({ topic: 'refund', label: 'Refund ' }, { ignoreCase: false });
		expect(exact).toMatchObject({ expected: 'Refund ', answer: 'refund' });
	});

	test.each<[name: string, item: object, fields: Partial<EvaluatedFields>]>([
		['beside a choice', { topic: 'a', topic_confidence: 0.8 }, {}],
		['beside a level', { mood_level: 'a', mood_level_confidence: 0.8 }, { answerField: 'mood_level' }],
		['beside the score of a level', { mood_level: 'a', mood_confidence: 0.8 }, { answerField: 'mood_level' }],
		['in the same object', { in: { topic: 'a', topic_confidence: 0.8 } }, { answerField: 'in.topic' }],
		[
			'beside the end of a path',
			{ 'My Topic': 'a', 'My Topic_confidence': 0.8 },
			{ answerField: "['My Topic']" },
		],
		['beside a name with a dot', { 'a.b': 'a', 'a.b_confidence': 0.8 }, { answerField: 'a.b' }],
		['in Confidence Field', { topic: 'a', sure: 0.8, topic_confidence: 0.1 }, { confidenceField: 'sure' }],
		['by a path in Confidence Field', { topic: 'a', in: { sure: 0.8 } }, { confidenceField: 'in.sure' }],
		['as text', { topic: 'a', topic_confidence: '0.8' }, {}],
		['with a comma', { topic: 'a', topic_confidence: '0,8' }, {}],
		['in per cent', { topic: 'a', topic_confidence: '80 %' }, {}],
	])('the confidence is found %s', async (_, item, fields) => {
		expect(await read({ ...item, label: 'a' }, fields)).toMatchObject({ answer: 'a', confidence: 0.8 });
	});

	test.each<[name: string, item: object, fields: Partial<EvaluatedFields>]>([
		['Confidence Field names another field', { topic_confidence: 0.8 }, { confidenceField: 'sure' }],
		['it is not a number', { topic_confidence: 'high' }, {}],
	])('an answer has no confidence if %s', async (_, item, fields) => {
		expect(await read({ topic: 'a', ...item, label: 'a' }, fields)).toMatchObject({
			answer: 'a',
			confidence: null,
		});
	});
});

describe('two fields of an evaluation', () => {
	const e = { composed: '\u00e9quipe', decomposed: 'e\u0301quipe' };

	test.each<[name: string, fields: Partial<EvaluatedFields>, item: object]>([
		['the same name', { answerField: 'team', expectedField: 'team' }, { team: 'a' }],
		['a name and its path', { answerField: 'team', expectedField: "['team']" }, { team: 'a' }],
		['two paths', { answerField: "in['team']", expectedField: 'in.team' }, { in: { team: 'a' } }],
		['two forms', { answerField: e.composed, expectedField: e.decomposed }, { [e.composed]: 'a' }],
		[
			'two forms in paths',
			{ answerField: `in.${e.composed}`, expectedField: `in["${e.decomposed}"]` },
			{ in: { [e.decomposed]: 'a' } },
		],
	])('are refused if they are one: by %s', async (_, fields, item) => {
		await expect(rowsOf([{}, item], { ...choiceFields, ...fields })).rejects.toThrow(
			`"Expected Field" (expectedField) must name a different field from "Answer Field" (answerField), but both name "${fields.expectedField}"`,
		);
	});

	test.each<[keyof EvaluatedFields, string]>([
		['answerField', '"Answer Field" (answerField)'],
		['expectedField', '"Expected Field" (expectedField)'],
	])('are refused if they are one: Compare with Field and %s', async (name, subject) => {
		const fields = { ...choiceFields, compareField: `["${choiceFields[name]}"]` };
		await expect(rowsOf([{ topic: 'a', label: 'a' }], fields)).rejects.toThrow(
			`"Compare with Field" (options.compareField) must name a different field from ${subject}`,
		);
	});

	test('are accepted if they differ, though one looks like the path of the other', async () => {
		const item = { team: 'a', "['team']": 'b' };
		const fields = { answerField: 'team', expectedField: "['team']" };
		expect(await read(item, fields)).toMatchObject({ answer: 'a', expected: 'b' });
	});
});

describe('with the answer type Tags,', () => {
	const readTags = async (topics: unknown, label: unknown, more: Partial<EvaluatedFields> = {}) => {
		const { answer, expected } = await read({ topics, label }, { ...tagFields, ...more });
		return { answer, expected, isCorrect: answer === expected };
	};

	test.each<[name: string, topics: unknown, label: unknown]>([
		['in another order', ['a', 'b'], ['b', 'a']],
		['if one stands twice', ['a', 'b', 'a'], ['a', 'b']],
		['in text', 'a, b', ['a', 'b']],
		['in text on both sides', 'b,a', ' a , b '],
		['with empty parts', 'a,, b,', ['a', 'b', ' ']],
		['in another case', ['A', 'b'], 'a, B'],
		['with spaces around', [' a ', 'b'], ['a', 'b']],
		['in another form', ['\u00e9t\u00e9'], 'e\u0301te\u0301'],
		['as JSON text', '["a","b"]', ['a', 'b']],
		['as numbers', [1, true], '1, TRUE'],
		['if there are none', [], []],
		['if there are none, in text', '', '[]'],
		['if there are none, by the name that Route gives it', ['None'], []],
		['if there are none, by its name in text', '[]', 'none'],
		['if there are none, by its name on both sides', '["NONE"]', ' None\u200b '],
		['if they look the same', ['refund\u200b'], 'Refund, \u00ad'],
		[
			'although their names have commas',
			['Flights (Europe, Asia)', 'Hotels'],
			'Hotels, Flights (Europe, Asia)',
		],
		[
			'although their names have commas without spaces',
			['Flights (Europe, Asia)', 'b'],
			'flights (europe,asia), b',
		],
		['although one name begins with another', ['a, b, c', 'a, b'], 'a, b, c, a, b'],
		['with Chinese commas between them', ['退款', '换货'], '换货，退款'],
		['with Japanese commas between them', ['返金', '交換'], '交換、返金'],
		['with Arabic commas between them', ['استرداد', 'شحن'], 'شحن، استرداد'],
		['with commas of several kinds', ['a', 'b', 'c'], 'a, b，c'],
		['although their names have Japanese commas', ['返金、交換', '配送'], '配送、返金、交換'],
		['although their names have commas of another kind', ['返金、交換', '配送'], '返金，交換, 配送'],
	])('tags are equal %s', async (_, topics, label) => {
		expect(await readTags(topics, label)).toMatchObject({ isCorrect: true });
	});

	test.each<[name: string, topics: unknown, label: unknown, more?: Partial<EvaluatedFields>]>([
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
		['a part of a name with a Japanese comma', ['返金、交換'], '返金'],
		['a middle dot between words', ['返金', '交換'], '返金・交換'],
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
				tagFields,
			);
			expect([rows.length, skipped]).toEqual([1, 1]);
		},
	);

	test.each([{ a: true }, [{ name: 'a' }], [null]])('%j as the expected tags is an error', async (label) => {
		await expect(readTags([], label)).rejects.toThrow(
			'"Expected Field" (expectedField) must name a field with a list of tags, or text with commas between them, but in item 0 it has',
		);
	});
});

test.each([
	['a choice', choiceFields, [{ topic: 'a', label: 'a' }, { before: 'a' }], 'has an answer in "before"'],
	[
		'a probability',
		noulFields,
		[{ urgent: 0.7, before: true, label: 'yes' }],
		'has a probability from 0 to 1 in "before"',
	],
])(
	'Compare with Field is refused if no row has an answer in it that can be read: %s',
	async (_, type, items, message) => {
		await expect(rowsOf(items, { ...type, compareField: 'before' })).rejects.toThrow(
			`"Compare with Field" (options.compareField) must name a field with other answers, but no row with an expected value ${message}`,
		);
	},
);
