import type { Answer } from '../../answers/Answer';
import { checkReserved, UNCERTAIN_LABEL } from '../../routing/outputNames';
import { bandOf, nearestProbability } from '../../routing/thresholdBand';
import { checkOptions } from '../optionFields';
import type { Column, QuestionType, TypedQuestion } from '../Question';
import { isTagForRest } from '../restOption';
import { askNoul, isYes } from './noul';

/**
 * This is the label of the output for items to which no option applies. `editor/storedTypes.ts` repeats it, because n8n evaluates
 * its text.
 */
const NONE = 'None';

/** The service has no such type. It is asked one yes-or-no question for each option, all in the same request. */
export const tags: QuestionType<'tags'> = {
	value: 'tags',
	name: 'Tags',
	description:
		'Any number of options: several may apply, or none. Switching deletes levels, and the thresholds of options.',
	outputPart: "each option's name",
	fromFields: ({ id, instructions, options }, freeId) => {
		const names = options.map(({ name }) => name);
		checkOptions(id, names);
		const asked = options.map((option) =>
			askNoul(freeId(`${id}: ${option.name}`), {
				type: 'noul',
				instructions: instructionsFor(option, instructions),
			}),
		);
		return {
			id,
			asked,
			options: names,
			optionForNone: names.find(isTagForRest),
			answerOf: (given) => answerOf(names, given),
			columnsOf: (answer, includeProbabilities) => [
				[id, answer ? [...answer.labels] : null],
				[`${id}_text`, answer ? answer.labels.join(', ') : null],
				...(includeProbabilities
					? [[`${id}_probabilities`, answer ? { ...answer.probabilities } : null] satisfies Column]
					: []),
			],
			comparedNumber: 'probability',
			outputs: [NONE, ...names],
			mayTakeSeveral: true,
			ruleOf: (thresholds) => {
				checkReserved(id, names, 'an option named', [UNCERTAIN_LABEL, NONE]);
				const band = bandOf(thresholds);
				const probabilitiesIn = ({ probabilities }: Answer) =>
					names.map((name) => probabilities![name] as number);
				return {
					...nearestProbability(band),
					positionsOf: (answer) => {
						const probabilities = probabilitiesIn(answer);
						if (probabilities.every(band.isNo)) return [0];
						return probabilities.flatMap((probability, index) =>
							band.isYes(probability) ? [index + 1] : [],
						);
					},
					isNone: ([position]) => position === 0,
					// An uncertain answer has no yes, so its highest probability is the one that is not clear.
					nearMiss: (answer) => {
						const value = Math.max(...probabilitiesIn(answer));
						return { value, distance: band.distanceOf(value) };
					},
					advice:
						"Describe the options in more detail, or move 'Yes at or Above' and 'No Below' closer together.",
				};
			},
		};
	},
};

function answerOf(names: string[], given: Answer[]): Answer {
	return {
		labels: names.filter((_, index) => isYes(given[index]!)),
		number: null,
		confidence: null,
		probabilities: Object.fromEntries(names.map((name, index) => [name, given[index]!.number])),
	};
}

/** Of the wordings that were tried on joined messages of BANKING77, this one found the tags best. */
function instructionsFor({ name, description }: TypedQuestion['options'][number], question: string): string {
	const meaning = description.trim() === '' ? '' : ` (${description.trim()})`;
	return `${question.trim()} Is one of the answers "${name}"${meaning}?`;
}
