import { MIN_YES_PROBABILITY, toScale } from '../../answers/Answer';
import { bandOf } from '../../routing/thresholdBand';
import {
	askedAsItIs,
	type AskedQuestion,
	type NoulQuestion,
	type Question,
	type QuestionType,
} from '../Question';

export const noul: QuestionType<'noul'> = {
	value: 'noul',
	name: 'Yes or No',
	description: 'A probability from 0 (no) to 1 (yes). Switching deletes options and levels.',
	fromFields: ({ id, instructions }) => questionOf(id, { type: 'noul', instructions }),
	fromJson: ({ id, fields }) => questionOf(id, fields as unknown as NoulQuestion),
};

function questionOf(id: string, wire: NoulQuestion): Question {
	return {
		...askedAsItIs(askNoul(id, wire)),
		columnsOf: (answer) => [
			[id, answer?.number ?? null],
			[`${id}_yes`, answer ? answer.label === 'yes' : null],
		],
		outputs: ['Yes', 'No'],
		ruleOf: (thresholds) => {
			const { isYes, isNo, hasRoom, distanceOf } = bandOf(thresholds);
			return {
				positionOf: ({ number: probability }) => {
					if (isYes(probability!)) return 0;
					return isNo(probability!) ? 1 : undefined;
				},
				canBeUncertain: hasRoom,
				nearMiss: ({ number: value }) => ({ value: value!, distance: distanceOf(value!) }),
				nearestText: 'The probability nearest to a threshold was',
				advice:
					"Say in the question what counts as a yes, or move 'Yes at or Above' and 'No Below' closer together.",
			};
		},
	};
}

/** Asks for the probability of a yes. */
export function askNoul(id: string, wire: NoulQuestion): AskedQuestion {
	return {
		id,
		wire,
		read: ({ noul: given }) => {
			const number = toScale(given, 1);
			if (number === null) return undefined;
			const label = number >= MIN_YES_PROBABILITY ? 'yes' : 'no';
			return { label, number, confidence: null, probabilities: null };
		},
	};
}
