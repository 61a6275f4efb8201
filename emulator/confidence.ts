/*
 * Confidences as Kev, the service's model, is published to compute them: 0 for chance, 1 for certainty.
 */

/** The largest probability, where chance is 0. */
export function confidenceOfChoice(probabilities: readonly number[]): number {
	const chance = 1 / probabilities.length;
	return chance === 1 ? 1 : Math.max(0, (Math.max(...probabilities) - chance) / (1 - chance));
}

/** 1 minus the mean distance from the most likely level, relative to the length of the scale. */
export function confidenceOfScore(probabilities: readonly number[]): number {
	const mode = probabilities.indexOf(Math.max(...probabilities));
	const distance = probabilities.reduce((sum, p, level) => sum + p * Math.abs(level - mode), 0);
	return 1 - distance / (probabilities.length - 1);
}
