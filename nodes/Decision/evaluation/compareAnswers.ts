import type { Pause } from '../../shared/run/yieldRegularly';
import type { Row } from './Row';

/** Compares the answers in `answerField` with those in `compareField`. A missing answer counts as wrong. */
export interface Comparison {
	rows: number;
	/** Counts the rows that lack one of the two answers, or both. */
	incomplete: number;
	/** Counts the answers in `compareField` that are correct. */
	correct: number;
	/** Holds the share of the answers in `compareField` that are correct. */
	accuracy: number;
	both_correct: number;
	only_answer_correct: number;
	only_compared_correct: number;
	neither_correct: number;
	/** Holds the probability of a difference of at least this size if both were equally good. */
	p_value: number;
	verdict: 'better' | 'worse' | 'cannot tell';
}

/** What is less probable than this is not put down to chance. */
export const SIGNIFICANCE_LEVEL = 0.05;

/** Compares the two answers of each row. Returns null if the rows were read without a field to compare with. */
export async function compareAnswers(rows: Row[], pause: Pause): Promise<Comparison | null> {
	if (rows[0]?.compared === undefined) return null;
	const total = rows.length;
	let [both, onlyAnswer, onlyCompared, incomplete] = [0, 0, 0, 0];
	for (const { expected, answer, compared } of rows) {
		await pause();
		const isOtherCorrect = compared === expected;
		if (answer === expected && isOtherCorrect) both++;
		else if (answer === expected) onlyAnswer++;
		else if (isOtherCorrect) onlyCompared++;
		if (answer === null || compared === null) incomplete++;
	}
	const correct = both + onlyCompared;
	const pValue = mcNemarExact(onlyAnswer, onlyCompared);
	const better = onlyAnswer > onlyCompared ? 'better' : 'worse';
	return {
		rows: total,
		correct,
		accuracy: correct / total,
		both_correct: both,
		only_answer_correct: onlyAnswer,
		only_compared_correct: onlyCompared,
		neither_correct: total - both - onlyAnswer - onlyCompared,
		incomplete,
		p_value: pValue,
		verdict: pValue < SIGNIFICANCE_LEVEL ? better : 'cannot tell',
	};
}

/**
 * Returns the p-value of McNemar's exact test: the probability that a fair coin, tossed once for each pair that differs, falls at
 * least as unevenly.
 * @param onlyFirst the number of pairs in which only the first answer is correct
 * @param onlySecond the number of pairs in which only the second answer is correct
 * @see Q. McNemar, "Note on the sampling error of the difference between correlated proportions or percentages",
 * Psychometrika 12 (1947), 153-157
 */
export function mcNemarExact(onlyFirst: number, onlySecond: number): number {
	if (onlyFirst === onlySecond) return 1;
	const fewer = Math.min(onlyFirst, onlySecond);
	const differing = onlyFirst + onlySecond;
	let logProbability = -differing * Math.LN2;
	for (let n = 1; n <= fewer; n += 1) logProbability += Math.log((differing - fewer + n) / n);
	// The first probability may be too small for a floating-point number, so the others are added as multiples of it.
	let tail = 0;
	let share = 1;
	for (let n = fewer; n >= 0; n -= 1) {
		tail += share;
		share *= n / (differing - n + 1);
	}
	// Rounding may lift a probability of 1 a little above it.
	return Math.min(1, 2 * tail * Math.exp(logProbability));
}
