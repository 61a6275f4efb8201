import type { AnswerType } from './evaluatedFields';
import type { Row } from './readRows';
import { wilsonInterval } from './wilsonInterval';

/** What happens when only answers at or above a threshold are acted on. */
export interface ThresholdFigures {
	/** From 0 to 1, with two decimals. */
	threshold: number;
	acted_on: number;
	/** The share of all rows that reach it. */
	coverage: number;
	/** The share of these answers that are correct; null if there are none. */
	accuracy: number | null;
	/** The lower bound of the 95% Wilson interval of the accuracy. */
	accuracy_low: number | null;
}

/** A threshold is a number of these steps, counted in whole numbers so that none is 0.15000000000000002. */
const STEPS = 20;

/** For a probability, there are no thresholds below 0.5, where yes and no would overlap. */
const FIRST_STEP: Record<AnswerType, number> = { choice: 0, noul: STEPS / 2 };

/** The figures of every threshold, the lowest first. Rows without a confidence are never acted on. */
export function measureThresholds(rows: Row[], answerType: AnswerType): ThresholdFigures[] {
	const reached = new Array<number>(STEPS + 1).fill(0);
	const rightly = new Array<number>(STEPS + 1).fill(0);
	for (const row of rows) {
		const step = highestStep(row, answerType);
		if (step === undefined) continue;
		reached[step]! += 1;
		if (row.answer === row.expected) rightly[step]! += 1;
	}
	const figures: ThresholdFigures[] = [];
	let actedOn = 0;
	let right = 0;
	for (let step = STEPS; step >= FIRST_STEP[answerType]; step -= 1) {
		actedOn += reached[step]!;
		right += rightly[step]!;
		figures.push({
			threshold: step / STEPS,
			acted_on: actedOn,
			coverage: actedOn / rows.length,
			accuracy: actedOn === 0 ? null : right / actedOn,
			accuracy_low: wilsonInterval(right, actedOn)?.low ?? null,
		});
	}
	return figures.reverse();
}

/** The lowest threshold at which the answers acted on are shown to be correct often enough; null if these rows show none. */
export function recommendThreshold(
	thresholds: ThresholdFigures[],
	targetAccuracy: number,
): ThresholdFigures | null {
	const shown = thresholds.find(
		({ accuracy_low: accuracyLow }) => accuracyLow !== null && accuracyLow >= targetAccuracy,
	);
	return shown ?? null;
}

/** The highest step at which a row is acted on. It is acted on at all lower steps too. */
function highestStep(row: Row, answerType: AnswerType): number | undefined {
	for (let step = STEPS; step >= FIRST_STEP[answerType]; step -= 1) {
		if (isActedOn(row, step)) return step;
	}
	return undefined;
}

function isActedOn({ confidence, probability }: Row, step: number): boolean {
	const threshold = step / STEPS;
	if (probability === null) return confidence !== null && confidence >= threshold;
	// This is not written as 1 - threshold, which is 0.30000000000000004 for 0.7.
	return probability >= threshold || probability < (STEPS - step) / STEPS;
}
