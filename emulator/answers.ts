import type { ChoiceAnswer, NoulAnswer, ScoreAnswer } from '../contract/types';

export function noulAnswer(probability: number): NoulAnswer {
	return { type: 'noul', noul: rounded(probability) };
}

export function choiceAnswer(options: readonly string[], weights: readonly number[]): ChoiceAnswer {
	const probabilities = probabilitiesOf(weights);
	return {
		type: 'choice',
		choice: options[probabilities.indexOf(Math.max(...probabilities))]!,
		probabilities: Object.fromEntries(options.map((option, index) => [option, probabilities[index]!])),
		confidence: rounded(confidenceOfChoice(probabilities)),
	};
}

export function scoreAnswer(levels: readonly string[], weights: readonly number[]): ScoreAnswer {
	const probabilities = probabilitiesOf(weights);
	return {
		type: 'score',
		score: rounded(probabilities.reduce((sum, probability, level) => sum + probability * level, 0)),
		legend: Object.fromEntries(levels.entries()),
		probabilities: Object.fromEntries(probabilities.entries()),
		confidence: rounded(confidenceOfScore(probabilities)),
	};
}

/**
 * Computes the confidence of a choice by the published formula of the service's model Kev: the largest probability, scaled so that
 * equal probabilities give 0.
 */
export function confidenceOfChoice(probabilities: readonly number[]): number {
	const chance = 1 / probabilities.length;
	return chance === 1 ? 1 : Math.max(0, (Math.max(...probabilities) - chance) / (1 - chance));
}

/** Computes the confidence of a score by Kev's formula: 1 minus the mean distance from the most likely level, in scale lengths. */
export function confidenceOfScore(probabilities: readonly number[]): number {
	const mode = probabilities.indexOf(Math.max(...probabilities));
	const distance = probabilities.reduce((sum, p, level) => sum + p * Math.abs(level - mode), 0);
	return 1 - distance / (probabilities.length - 1);
}

/** Turns weights into probabilities with three decimals that add up to exactly 1. The most probable one gets the rounding rest. */
function probabilitiesOf(weights: readonly number[]): number[] {
	const total = weights.reduce((sum, weight) => sum + weight, 0);
	const shares = weights.map((weight) => Math.floor((1000 * weight) / total));
	shares[weights.indexOf(Math.max(...weights))]! += 1000 - shares.reduce((sum, share) => sum + share, 0);
	return shares.map((share) => share / 1000);
}

function rounded(value: number): number {
	return Math.round(value * 1000) / 1000;
}
