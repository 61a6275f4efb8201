import type { IDataObject } from 'n8n-workflow';

import { labelKey } from '../../../shared/text/composed';
import { certaintyOf } from '../../answers/Answer';
import { certaintyColumns } from '../../answers/certaintyColumns';
import { BEST_CONFIDENCE, confidenceRule } from '../../routing/confidenceRule';
import { checkReserved } from '../../routing/outputNames';
import { checkOptions } from '../optionFields';
import { optionsOf } from '../criteria';
import { askedAsItIs, type ChoiceQuestion, type Question, type QuestionType } from '../Question';
import { questionError } from '../questionError';
import { isForRest } from '../restOption';

export const choice: QuestionType<'choice'> = {
	value: 'choice',
	name: 'Choice',
	description: "One of several options. Switching deletes a score's levels.",
	outputPart: "each option's name",
	fromFields: ({ id, instructions, options }) => {
		const criteria = Object.fromEntries(options.map(({ name, description }) => [name, description]));
		// The keys of the criteria cannot be used: JavaScript moves keys that look like integers to the front.
		const labels = options.map(({ name }) => name);
		const ownLeast = new Map(options.map(({ name, minConfidence }) => [name, minConfidence]));
		return questionOf(id, labels, { type: 'choice', instructions, criteria }, ownLeast);
	},
	fromJson: ({ id, fields }) => {
		const options = optionsOf(fields.criteria);
		if (!options) {
			throw questionError(id, 'must have criteria: an object with a description for each option');
		}
		const labels = options.map(([name]) => name);
		return questionOf(id, labels, { ...fields, criteria: Object.fromEntries(options) } as ChoiceQuestion);
	},
};

/**
 * Makes a question from options, however they were given.
 * @param ownLeast the minimum confidence of each option that has one of its own
 */
function questionOf(
	id: string,
	labels: string[],
	wire: ChoiceQuestion,
	ownLeast: ReadonlyMap<string, number | undefined> = new Map(),
): Question {
	checkOptions(id, labels);
	const spelling = new Map(labels.map((label) => [labelKey(label), label]));
	const respelt = (probabilities: IDataObject) =>
		Object.fromEntries(
			Object.entries(probabilities).map(([name, value]) => [spelling.get(labelKey(name)) ?? name, value]),
		);
	return {
		...askedAsItIs({
			id,
			wire,
			read: (answer) => {
				const label = typeof answer.choice === 'string' ? spelling.get(labelKey(answer.choice)) : undefined;
				if (label === undefined) return undefined;
				const { confidence, probabilities } = certaintyOf(answer);
				return {
					labels: [label],
					number: null,
					confidence,
					probabilities: probabilities && respelt(probabilities),
				};
			},
		}),
		options: labels,
		columnsOf: (answer, includeProbabilities) => [
			[id, answer?.labels[0] ?? null],
			...certaintyColumns(id, answer, includeProbabilities),
		],
		comparedNumber: 'confidence',
		outputs: labels,
		ownThresholds: [...ownLeast.values()].filter((least) => (least ?? 0) > 0).length,
		ruleOf: ({ minConfidence }) => {
			const hasOwn = [...ownLeast.values()].some((least) => least !== undefined);
			checkReserved(id, labels, 'an option named');
			const hasRest = Object.entries(wire.criteria).some((option) => isForRest(...option));
			const advice = [
				'Describe the options in more detail',
				...(hasRest ? [] : ['add one for everything else']),
				hasOwn
					? "or lower 'Minimum Confidence' (that of an option, or the one under 'Thresholds')."
					: "or lower 'Minimum Confidence'.",
			];
			return confidenceRule(labels, (label) => ownLeast.get(label) ?? minConfidence, {
				nearestText: hasOwn ? 'The confidence nearest to its threshold was' : BEST_CONFIDENCE,
				advice: advice.join(', '),
			});
		},
	};
}
