import { optionsField, orDefault } from '../shared/fields/Field';
import { shareField } from '../shared/fields/shareField';
import type { RunContext } from '../shared/context/RunContext';
import { allItemsOperation, type ItemResult } from '../shared/node/Operation';
import { yieldRegularly, type Pause } from '../shared/run/yieldRegularly';
import { addColumns, otherFields } from '../shared/run/otherFields';
import { describeEvaluation } from './evaluation/describeEvaluation';
import { evaluatedFields, type EvaluatedFields } from './evaluation/evaluatedFields';
import { evaluateRows, type Figures } from './evaluation/evaluateRows';
import { evaluationPage } from './evaluation/page/evaluationPage';
import { readRows } from './evaluation/readRows';
import { labelsIn, type Row } from './evaluation/Row';
import { findSeenFields, type SeenFields } from './evaluation/seenFields';

const targetAccuracy = orDefault(
	shareField({
		displayName: 'Target Accuracy',
		name: 'targetAccuracy',
		default: 0.9,
		description: 'Minimum accuracy of the answers that you act on',
	}),
);

const report = orDefault(
	optionsField({
		displayName: 'Report',
		name: 'report',
		noDataExpression: true,
		options: [
			{ name: 'Classes', value: 'classes', description: 'Precision and recall of each label' },
			{
				name: 'Confusion',
				value: 'confusion',
				description: 'How often each answer was given for each expected label',
			},
			{ name: 'Mistakes', value: 'mistakes', description: 'The wrong answers, most confident first' },
			{ name: 'Summary', value: 'summary', description: 'All figures in one item, with an HTML report' },
			{ name: 'Thresholds', value: 'thresholds', description: 'Accuracy and coverage by threshold' },
		],
		default: 'summary',
		description: 'What to return',
	}),
);

export const evaluate = allItemsOperation({
	value: 'evaluate',
	name: 'Evaluate Answers',
	description: 'Compare the answers of all items with the expected ones, and find a threshold',
	action: 'Evaluate answers',
	fields: { ...evaluatedFields, targetAccuracy, report },
	notAsTool: true,
	run: async (run, values) => {
		const { report: kind } = values;
		const compared = kind === 'summary' ? values : { ...values, compareField: '' };
		const inputs = run.items.map(({ json }) => json);
		const turn = yieldRegularly();
		const pause: Pause = () => turn()?.then(() => run.signal.throwIfAborted());
		const rows = await readRows(inputs, compared, pause);
		const figures = await evaluateRows(rows, values, pause);
		const seen = await findSeenFields(run, compared, pause);
		return {
			items: await reportItems(kind, run, figures, compared, seen),
			summary: describeEvaluation(figures, compared, seen, run),
		};
	},
});

async function reportItems(
	kind: ReturnType<typeof report.parse>,
	run: RunContext,
	figures: Figures,
	fields: EvaluatedFields,
	seen: SeenFields[],
): Promise<ItemResult[]> {
	switch (kind) {
		case 'summary':
			return [await summaryItem(run, figures, evaluationPage(figures, fields, seen))];
		case 'mistakes':
			return figures.mistakes.map((row) => mistakeItem(run, row));
		default:
			return figures[kind].map((json) => ({ json }));
	}
}

async function summaryItem({ context }: RunContext, figures: Figures, page: string): Promise<ItemResult> {
	const { recommended, comparison } = figures;
	const json = {
		rows: figures.rows,
		skipped: figures.skipped,
		correct: figures.correct,
		accuracy: figures.accuracy,
		accuracy_low: figures.accuracyInterval.low,
		accuracy_high: figures.accuracyInterval.high,
		baseline: figures.baseline,
		recommended_threshold: recommended?.threshold ?? null,
		coverage: recommended?.coverage ?? null,
		coverage_accuracy: recommended?.accuracy ?? null,
		classes: figures.classes,
		thresholds: figures.thresholds,
		confusion: figures.confusion,
		calibration: figures.calibration,
		...(comparison ? { compared: comparison } : {}),
	};
	const report = await context.helpers.prepareBinaryData(Buffer.from(page), 'evaluation.html', 'text/html');
	return { json, binary: { report }, pairedItem: 'all' };
}

/** Returns the input item of a wrong answer, with the expected value, the answer and the confidence added. */
function mistakeItem({ items, replacedFields }: RunContext, row: Row): ItemResult {
	const { index, expected, answer, confidence } = row;
	const input = items[index]!;
	const evaluation = { expected, answer, confidence, ...differenceOf(row) };
	const { json, replaced } = addColumns(otherFields(input), { evaluation });
	replacedFields.addItem(replaced, ['evaluation']);
	return {
		json,
		binary: input.binary,
		pairedItem: index,
	};
}

/** Returns which tags are missing and which are too many. Returns nothing for answers that are no lists. */
function differenceOf({ expected, answer }: Row): { missing: string[]; too_many: string[] } | undefined {
	if (typeof expected === 'string') return undefined;
	const given = answer === null ? [] : labelsIn(answer);
	return {
		missing: expected.filter((tag) => !given.includes(tag)),
		too_many: given.filter((tag) => !expected.includes(tag)),
	};
}
