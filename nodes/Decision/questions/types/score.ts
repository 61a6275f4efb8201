import { isBlank, visibleText } from '../../../shared/text/composed';
import { firstDuplicate } from '../../../shared/values/firstDuplicate';
import { certaintyOf, toScale } from '../../answers/Answer';
import { certaintyColumns } from '../../answers/certaintyColumns';
import { BEST_CONFIDENCE, confidenceRule } from '../../routing/confidenceRule';
import { checkReserved } from '../../routing/outputNames';
import { MAX_LEVELS, MIN_LEVELS } from '../levelFields';
import { levelsOf } from '../criteria';
import { askedAsItIs, type ScoreQuestion, type Question, type QuestionType } from '../Question';
import { questionError } from '../questionError';

export const score: QuestionType<'score'> = {
	value: 'score',
	name: 'Score',
	description: 'A rating on a scale of levels. Switching deletes options with their thresholds.',
	outputPart: 'each level',
	fromFields: ({ id, instructions, levels }) => {
		const criteria = levels.map(({ description }) => description);
		const empty = criteria.findIndex(isBlank);
		if (empty !== -1) {
			throw questionError(id, `must have a description for every level: level ${empty + 1} has none`);
		}
		return questionOf(id, { type: 'score', instructions, criteria });
	},
	fromJson: ({ id, fields }) => {
		const criteria = levelsOf(fields.criteria);
		if (!criteria) {
			throw questionError(id, 'must have criteria: a list with a description for each level');
		}
		return questionOf(id, { ...fields, criteria } as ScoreQuestion);
	},
};

function questionOf(id: string, wire: ScoreQuestion): Question {
	const { criteria: labels } = wire;
	if (labels.length < MIN_LEVELS || labels.length > MAX_LEVELS) {
		throw questionError(id, `must have ${MIN_LEVELS} to ${MAX_LEVELS} levels, but has ${labels.length}`);
	}
	const highest = labels.length - 1;
	return {
		...askedAsItIs({
			id,
			wire,
			read: (answer) => {
				const number = toScale(answer.score, highest);
				if (number === null) return undefined;
				return { labels: [labels[Math.round(number)]!], number, ...certaintyOf(answer) };
			},
		}),
		levels: labels,
		columnsOf: (answer, includeProbabilities) => [
			[id, answer?.number ?? null],
			[`${id}_level`, answer?.labels[0] ?? null],
			...certaintyColumns(id, answer, includeProbabilities),
		],
		comparedNumber: 'confidence',
		outputs: labels,
		ruleOf: (thresholds) => {
			const duplicate = firstDuplicate(labels.map(visibleText));
			if (duplicate !== undefined) {
				throw questionError(id, `must not have two levels "${duplicate}", because each is an output`);
			}
			checkReserved(id, labels, 'a level');
			return confidenceRule(labels, () => thresholds.minConfidence, {
				nearestText: BEST_CONFIDENCE,
				advice: "Describe the levels in more detail, or lower 'Minimum Confidence'.",
			});
		},
		scale: `from 0 to ${highest}`,
	};
}
