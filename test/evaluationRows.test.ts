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

const noul: EvaluatedFields = { ...choice, answerType: 'noul', answerField: 'urgent' };

async function read(item: object, fields: Partial<EvaluatedFields> = {}) {
	return (await readRows([item], { ...choice, ...fields })).rows[0]!;
}

describe('expected values', () => {
	test.each([undefined, null, '', '  '])('an item that expects %j is left out', async (label) => {
		const { rows, skipped } = await readRows(
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
		[true, 'yes'],
		[false, 'no'],
		[1, 'yes'],
		[0, 'no'],
		['1', 'yes'],
		['0', 'no'],
		['Yes', 'yes'],
		[' NO ', 'no'],
		['TRUE', 'yes'],
		['False', 'no'],
	])('%j is read as %s', async (label, expected) => {
		expect((await read({ urgent: 0.9, label }, { ...noul, ignoreCase: false })).expected).toBe(expected);
	});

	test.each(['maybe', 2, 0.5, [], {}, 'y', 'yes.'])(
		'%j is neither yes nor no, and the item is named',
		async (label) => {
			const items = [
				{ urgent: 1, label: 'yes' },
				{ urgent: 1, label },
			];
			await expect(readRows(items, noul)).rejects.toThrow(/\(expectedField\) must .* in item 1 it has /);
		},
	);

	test('an unreadable value is an error that says where it is, what it is, and what it must be', async () => {
		await expect(readRows([{ label: 'yes' }, { label: 'perhaps' }], noul)).rejects.toThrow(
			'must name a field with yes or no, true or false, or 1 or 0, but in item 1 it has "perhaps"',
		);
		await expect(readRows([{ label: { id: 7 } }], choice)).rejects.toThrow(
			'must name a field with text, but in item 0 it has {"id":7}',
		);
	});

	test('no item that expects anything is an error that names the field', async () => {
		const nothing = 'no item has a value in "label"';
		await expect(readRows([], choice)).rejects.toThrow(nothing);
		await expect(readRows([{ topic: 'a' }], choice)).rejects.toThrow(nothing);
	});
});

describe('answers', () => {
	test.each([undefined, null, '', ' ', {}, ['a']])('%j is not an answer', async (topic) => {
		expect(await read({ topic, topic_confidence: 0.9, label: 'a' })).toMatchObject({
			answer: null,
			confidence: null,
		});
	});

	test('a failed item has no answer', async () => {
		expect(await read({ error: { message: 'Down' }, label: 'a' })).toMatchObject({
			answer: null,
			confidence: null,
		});
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
	])('a probability of %j is a %s at %d', async (urgent, answer, confidence) => {
		expect(await read({ urgent, label: 'yes' }, noul)).toMatchObject({
			answer,
			confidence,
			probability: Number(urgent),
		});
	});

	test.each([1.01, -0.1, NaN, '', 'yes', true, null, '93 %'])('%j is not a probability', async (urgent) => {
		expect(await read({ urgent, label: 'yes' }, noul)).toMatchObject({
			answer: null,
			confidence: null,
			probability: null,
		});
	});
});

describe('labels', () => {
	test('are equal without case and surrounding white space, spelt as first expected', async () => {
		const { rows } = await readRows(
			[
				{ topic: ' refund', label: 'REFUND' },
				{ topic: 'REFUND ', label: 'Refund' },
			],
			choice,
		);
		expect(rows.map(({ expected, answer }) => [expected, answer])).toEqual([
			['REFUND', 'REFUND'],
			['REFUND', 'REFUND'],
		]);
	});

	test('are compared exactly when asked to', async () => {
		const row = await read({ topic: 'refund', label: 'Refund ' }, { ignoreCase: false });
		expect(row).toMatchObject({ expected: 'Refund ', answer: 'refund' });
	});

	test('may have names that JavaScript uses', async () => {
		const names = ['__proto__', 'constructor', 'hasOwnProperty'];
		const { rows } = await readRows(
			names.map((name) => ({ topic: name, label: name })),
			choice,
		);
		expect(rows.map(({ answer }) => answer)).toEqual(names);
	});
});

describe('confidence', () => {
	test.each([
		['beside a choice', { topic: 'a', topic_confidence: 0.8 }, {}, 0.8],
		['beside a level', { mood_level: 'a', mood_level_confidence: 0.8 }, { answerField: 'mood_level' }, 0.8],
		[
			'of the score of a level',
			{ mood_level: 'a', mood_confidence: 0.8 },
			{ answerField: 'mood_level' },
			0.8,
		],
		[
			'of the level before that of the score',
			{ mood_level: 'a', mood_level_confidence: 0.7, mood_confidence: 0.8 },
			{ answerField: 'mood_level' },
			0.7,
		],
		[
			'in the same object',
			{ answers: { topic: 'a', topic_confidence: 0.8 } },
			{ answerField: 'answers.topic' },
			0.8,
		],
		[
			'by a path in brackets',
			{ 'My Topic': 'a', 'My Topic_confidence': 0.8 },
			{ answerField: "['My Topic']" },
			0.8,
		],
		['of a literal name with a dot', { 'a.b': 'a', 'a.b_confidence': 0.8 }, { answerField: 'a.b' }, 0.8],
		['named', { topic: 'a', sure: 0.8, topic_confidence: 0.1 }, { confidenceField: 'sure' }, 0.8],
		['named by a path', { topic: 'a', meta: { sure: 0.8 } }, { confidenceField: 'meta.sure' }, 0.8],
		['as text', { topic: 'a', topic_confidence: '0.8' }, {}, 0.8],
		['named and missing', { topic: 'a', topic_confidence: 0.8 }, { confidenceField: 'sure' }, null],
		['null', { topic: 'a', topic_confidence: null }, {}, null],
		['in per cent', { topic: 'a', topic_confidence: 80 }, {}, null],
		['empty', { topic: 'a', topic_confidence: '' }, {}, null],
	])('%s', async (_, item, fields, confidence) => {
		expect(await read({ ...item, label: 'a' }, fields)).toMatchObject({ answer: 'a', confidence });
	});
});

test('the fields may be paths as the editor writes them', async () => {
	const item = { 'Your Topic': 'a', checked: { by: { label: 'a' } } };
	const row = await read(item, { answerField: "['Your Topic']", expectedField: 'checked.by.label' });
	expect(row).toMatchObject({ answer: 'a', expected: 'a' });
});

describe('labels that look the same are the same', () => {
	test.each([
		['accents in one part and in two', 'caf\u00e9', 'cafe\u0301'],
		['a no-break space', 'lost card', 'lost\u00a0card'],
		['a narrow no-break space', 'lost card', 'lost\u202fcard'],
		['a zero-width space', 'lost card', 'lost\u200b card'],
		['a byte order mark', 'card', '\ufeffcard'],
	])('%s', async (_, label, topic) => {
		for (const ignoreCase of [true, false]) {
			const { expected, answer } = await read({ topic, label }, { ignoreCase });
			expect(answer).toBe(expected);
		}
	});

	test('what looks empty is not an expected value', async () => {
		expect((await readRows([{ label: 'a' }, { label: '\u200b\u00a0' }], choice)).skipped).toBe(1);
	});

	test('a joiner is kept, because it changes how text looks', async () => {
		const { expected, answer } = await read({
			topic: '\u{1f468}\u200d\u{1f469}',
			label: '\u{1f468}\u{1f469}',
		});
		expect(answer).not.toBe(expected);
	});
});
