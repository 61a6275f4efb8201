import type { AnswerRule } from './AnswerRule';
import type { Thresholds } from './routingFields';

/** Makes the rule of a choice and of a score: an answer with less than this confidence, or with none, is not clear. */
export function confidenceRule(labels: string[], { minConfidence }: Thresholds, advice: string): AnswerRule {
	const isClear = (given: number | null) => minConfidence === 0 || (given !== null && given >= minConfidence);
	return {
		positionOf: ({ label, confidence }) => (isClear(confidence) ? labels.indexOf(label) : undefined),
		canBeUncertain: minConfidence > 0,
		nearMiss: ({ confidence: value }) =>
			value === null ? undefined : { value, distance: minConfidence - value },
		nearestText: 'The best confidence among them was',
		advice,
	};
}
