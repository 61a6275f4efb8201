import { numberField, optionsField, orDefault } from '../shared/fields/Field';
import type { ItemContext } from '../shared/run/ItemContext';
import type { ItemResult, Operation } from '../shared/run/Operation';
import { mapWithPauses, yieldRegularly } from '../shared/run/yieldRegularly';
import { otherFields } from '../shared/run/otherFields';
import { evaluatedFields } from './evaluation/evaluatedFields';
import { evaluateRows } from './evaluation/evaluateRows';
import { evaluationPage } from './evaluation/page/evaluationPage';
import { readRows } from './evaluation/readRows';
import { reportItems } from './evaluation/reports';
import { describeEvaluation, type EvaluationRun } from './evaluation/summarizeEvaluation';

const targetAccuracy = orDefault(
	numberField({
		displayName: 'Target Accuracy',
		name: 'targetAccuracy',
		typeOptions: { minValue: 0, maxValue: 1, numberPrecision: 2 },
		default: 0.9,
		description: 'The accuracy, from 0 to 1, that the answers you act on should reach',
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
				description: 'How often each answer was given for each label',
			},
			{ name: 'Mistakes', value: 'mistakes', description: 'The wrong answers, the most confident first' },
			{ name: 'Summary', value: 'summary', description: 'All figures in one item, with a page to read' },
			{ name: 'Thresholds', value: 'thresholds', description: 'Accuracy and coverage by threshold' },
		],
		default: 'summary',
		description: 'What to return',
	}),
);

export const evaluate: Operation<EvaluationRun> = {
	value: 'evaluate',
	name: 'Evaluate Answers',
	description: 'Compare the answers of all items with the expected ones, and find a threshold',
	action: 'Evaluate answers',
	fields: [
		evaluatedFields.answerType,
		evaluatedFields.answerField,
		evaluatedFields.expectedField,
		evaluatedFields.confidenceField,
		targetAccuracy,
		report,
		evaluatedFields.ignoreCase,
		evaluatedFields.compareField,
	],
	notAsTool: true,
	alwaysSimple: true,
	overAllItems: true,
	summarize: describeEvaluation,
	begin: () => ({}),
	run: async (item, run) => {
		const kind = item.read(report);
		const given = item.readEach(evaluatedFields);
		const compared = kind === 'summary' ? given : { ...given, compareField: '' };
		const { items } = item.execution;
		const inputs = items.map(({ json }) => json);
		const pause = yieldRegularly();
		const figures = await evaluateRows(
			await readRows(inputs, compared, pause),
			{ answerType: compared.answerType, targetAccuracy: item.read(targetAccuracy) },
			pause,
		);
		run.result = { figures, fields: compared };
		const results = reportItems(kind, figures) as ItemResult[];
		if (kind === 'mistakes') {
			return await mapWithPauses(results, (result) => withInput(item, result), pause);
		}
		return kind === 'summary'
			? await withPage(item, results, evaluationPage(figures, inputs, compared))
			: results;
	},
};

/** A mistake is the input item itself, with the expected value added. */
function withInput({ execution }: ItemContext, { json, pairedItem }: ItemResult): ItemResult {
	const input = execution.items[Number(pairedItem)]!;
	return { json: { ...otherFields(input), ...json }, binary: input.binary, pairedItem };
}

async function withPage(
	{ context }: ItemContext,
	results: ItemResult[],
	page: string,
): Promise<ItemResult[]> {
	const file = await context.helpers.prepareBinaryData(Buffer.from(page), 'evaluation.html', 'text/html');
	return results.map((result) => ({ ...result, binary: { report: file } }));
}
