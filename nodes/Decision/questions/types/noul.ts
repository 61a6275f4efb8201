import { MIN_YES_PROBABILITY, toScale, type Answer } from '../../answers/Answer';
import { bandOf, nearestProbability } from '../../routing/thresholdBand';
import {
	askedAsItIs,
	type AskedQuestion,
	type NoulQuestion,
	type Question,
	type QuestionType,
} from '../Question';

const YES = 'yes';

export const noul: QuestionType<'noul'> = {
	value: 'noul',
	name: 'Yes or No',
	description:
		'A probability from 0 (no) to 1 (yes). Switching deletes options with their thresholds, and levels.',
	fromFields: ({ id, instructions }) => questionOf(id, { type: 'noul', instructions }),
	fromJson: ({ id, fields }) => questionOf(id, fields as unknown as NoulQuestion),
};

function questionOf(id: string, wire: NoulQuestion): Question {
	return {
		...askedAsItIs(askNoul(id, wire)),
		columnsOf: (answer) => [
			[id, answer?.number ?? null],
			[`${id}_yes`, answer ? isYes(answer) : null],
		],
		comparedNumber: 'probability',
		outputs: ['Yes', 'No'],
		ruleOf: (thresholds) => {
			const band = bandOf(thresholds);
			return {
				...nearestProbability(band),
				positionsOf: ({ number: probability }) => {
					if (band.isYes(probability!)) return [0];
					return band.isNo(probability!) ? [1] : [];
				},
				nearMiss: ({ number: value }) => ({ value: value!, distance: band.distanceOf(value!) }),
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
			const label = number >= MIN_YES_PROBABILITY ? YES : 'no';
			return { labels: [label], number, confidence: null, probabilities: null };
		},
	};
}

export function isYes({ labels }: Answer): boolean {
	return labels[0] === YES;
}
