import type { AnswerRule } from './AnswerRule';

/**
 * Makes the rule of a choice and of a score: an answer with less confidence than its label needs, or with none, is not clear.
 * @param minConfidenceOf returns the confidence that an answer with this label needs. At 0, it needs none.
 */
export function confidenceRule(
	labels: string[],
	minConfidenceOf: (label: string) => number,
	texts: Pick<AnswerRule, 'nearestText' | 'advice'>,
): AnswerRule {
	return {
		...texts,
		positionsOf: ({ labels: [label], confidence }) => {
			const least = minConfidenceOf(label!);
			const isClear = least === 0 || (confidence !== null && confidence >= least);
			return isClear ? [labels.indexOf(label!)] : [];
		},
		canBeUncertain: labels.some((label) => minConfidenceOf(label) > 0),
		nearMiss: ({ labels: [label], confidence: value }) =>
			value === null ? undefined : { value, distance: minConfidenceOf(label!) - value },
	};
}

/** Begins the sentence about the nearest of the uncertain answers if all have the same threshold. */
export const BEST_CONFIDENCE = 'The best confidence was';
