import { isRecord } from '../../../../client/response/records';
import { certaintyOf } from '../../answers/Answer';
import { certaintyColumns } from '../../answers/certaintyColumns';
import { confidenceRule } from '../../routing/confidenceRule';
import { checkReserved } from '../../routing/outputNames';
import { checkOptions } from '../optionFields';
import { isTexts, nullsAsText } from '../criteria';
import { askedAsItIs, type ChoiceQuestion, type Question, type QuestionType } from '../Question';
import { questionError } from '../questionError';

export const choice: QuestionType<'choice'> = {
	value: 'choice',
	name: 'Choice',
	description: "One of several options. Switching deletes a score's levels.",
	outputPart: "each option's name",
	fromFields: ({ id, instructions, options }) => {
		const criteria = Object.fromEntries(options.map(({ name, description }) => [name, description]));
		// The keys of the criteria cannot be used: JavaScript moves keys that look like integers to the front.
		const labels = options.map(({ name }) => name);
		return questionOf(id, labels, { type: 'choice', instructions, criteria });
	},
	fromJson: ({ id, fields }) => {
		const criteria = nullsAsText(fields.criteria);
		if (!isRecord(criteria) || !isTexts(criteria)) {
			throw questionError(id, 'must have criteria: an object with a description for each option');
		}
		return questionOf(id, Object.keys(criteria), { ...fields, criteria } as ChoiceQuestion);
	},
};

function questionOf(id: string, labels: string[], wire: ChoiceQuestion): Question {
	checkOptions(id, labels);
	return {
		...askedAsItIs({
			id,
			wire,
			read: (answer) => {
				const { choice: label } = answer;
				if (typeof label !== 'string' || !labels.includes(label)) return undefined;
				return { label, number: null, ...certaintyOf(answer) };
			},
		}),
		columnsOf: (answer, withProbabilities) => [
			[id, answer?.label ?? null],
			...certaintyColumns(id, answer, withProbabilities),
		],
		outputs: labels,
		ruleOf: (thresholds) => {
			checkReserved(id, labels, 'an option named');
			const advice =
				"Describe the options in more detail, add one for everything else, or lower 'Minimum Confidence'.";
			return confidenceRule(labels, thresholds, advice);
		},
	};
}
