import { evaluateRows } from '../nodes/Decision/evaluation/evaluateRows';
import { readRows } from '../nodes/Decision/evaluation/readRows';
import { reportItems, type Report } from '../nodes/Decision/evaluation/reports';

const items = [
	{ topic: 'a', topic_confidence: 0.9, label: 'a' },
	{ topic: 'b', topic_confidence: 0.8, label: 'a' },
	{ topic: 'b' },
	{ label: 'b' },
];

function report(name: Report) {
	const fields = {
		answerType: 'choice',
		answerField: 'topic',
		expectedField: 'label',
		confidenceField: '',
	} as const;
	const rows = readRows(items, { ...fields, ignoreCase: true, compareField: '' });
	return reportItems(name, evaluateRows(rows, { answerType: 'choice', targetAccuracy: 0.9 }));
}

test('the summary is one item paired with all, with these fields', () => {
	const [summary, ...others] = report('summary');
	expect(others).toEqual([]);
	expect(summary!.pairedItem).toBe('all');
	expect(summary!.json).toEqual({
		rows: 3,
		skipped: 1,
		correct: 1,
		accuracy: 1 / 3,
		// By hand: (1/3 + 0.64025 ± 1.96 · √(2/27 + 0.106708)) / 2.2805.
		accuracy_low: expect.closeTo(0.0615, 4) as number,
		accuracy_high: expect.closeTo(0.7923, 4) as number,
		baseline: 2 / 3,
		recommended_threshold: null,
		coverage: null,
		coverage_accuracy: null,
		classes: report('classes').map(({ json }) => json),
		thresholds: report('thresholds').map(({ json }) => json),
		confusion: report('confusion').map(({ json }) => json),
		calibration: expect.arrayContaining([
			{ from: 0.8, to: 0.9, count: 1, predicted: 0.9, observed: 1 },
			{ from: 0.7, to: 0.8, count: 1, predicted: 0.8, observed: 0 },
		]) as object[],
	});
});

test('a recommended threshold comes with its coverage and accuracy', () => {
	const many = Array.from({ length: 50 }, (_, index) => ({
		topic: 'a',
		topic_confidence: 0.7,
		label: index < 40 ? 'a' : '',
	}));
	const fields = {
		answerType: 'choice',
		answerField: 'topic',
		expectedField: 'label',
		confidenceField: '',
	} as const;
	const unsure = { topic: 'b', topic_confidence: 0.1, label: 'a' };
	const rows = readRows([...many, ...Array.from({ length: 10 }, () => unsure)], {
		...fields,
		ignoreCase: true,
		compareField: '',
	});
	const [summary] = reportItems('summary', evaluateRows(rows, { answerType: 'choice', targetAccuracy: 0.9 }));
	expect(summary!.json).toMatchObject({
		rows: 50,
		skipped: 10,
		recommended_threshold: 0.15,
		coverage: 0.8,
		coverage_accuracy: 1,
	});
});

test.each([
	[
		'classes',
		[
			{ label: 'a', support: 2, precision: 1, recall: 0.5, f1: 2 / 3 },
			{ label: 'b', support: 1, precision: 0, recall: 0, f1: 0 },
		],
	],
	[
		'confusion',
		[
			{ expected: 'a', answer: 'a', count: 1 },
			{ expected: 'a', answer: 'b', count: 1 },
			{ expected: 'b', answer: null, count: 1 },
		],
	],
] as const)('%s has an item for each, paired with the first input', (name, rows) => {
	expect(report(name)).toEqual(rows.map((json) => ({ json, pairedItem: 0 })));
});

test('thresholds have an item for each, paired with the first input', () => {
	const rows = report('thresholds');
	expect(rows).toHaveLength(21);
	expect(rows.every(({ pairedItem }) => pairedItem === 0)).toBe(true);
	expect(rows[17]!.json).toMatchObject({ threshold: 0.85, acted_on: 1, coverage: 1 / 3, accuracy: 1 });
});

test('mistakes are paired with their items', () => {
	expect(report('mistakes')).toEqual([
		{ json: { evaluation: { expected: 'a', answer: 'b', confidence: 0.8 } }, pairedItem: 1 },
		{ json: { evaluation: { expected: 'b', answer: null, confidence: null } }, pairedItem: 3 },
	]);
});
