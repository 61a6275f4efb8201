import type { Pause } from '../../shared/run/yieldRegularly';
import type { CertainType } from './evaluatedFields';
import type { Row } from './Row';
import { wilsonInterval } from './wilsonInterval';

/** Describes the figures for a threshold, if only answers that reach it are used without a check. */
export interface ThresholdFigures {
	/** A threshold is from 0 to 1, with two decimals. */
	threshold: number;
	/** Counts the rows whose answer reaches the threshold. */
	acted_on: number;
	/** Holds the share of all rows whose answer reaches the threshold. */
	coverage: number;
	/** Holds the share of correct answers among those that reach the threshold. It is null if none does. */
	accuracy: number | null;
	/** Holds the lower bound of the 95% Wilson interval of the accuracy. It is null if there are no answers. */
	accuracy_low: number | null;
}

/** Thresholds are computed from whole numbers of steps, because adding 0.05 repeatedly gives 0.15000000000000002. */
const STEP_COUNT = 20;

/** For a probability of yes, thresholds begin at 0.5. Below that, an answer could be both a yes and a no. */
const FIRST_STEP: Record<CertainType, number> = { choice: 0, noul: STEP_COUNT / 2 };

/** Computes the figures of every threshold, the lowest first. A row without a confidence reaches no threshold. */
export async function measureThresholds(
	rows: Row[],
	answerType: CertainType,
	pause: Pause,
): Promise<ThresholdFigures[]> {
	const reached = new Array<number>(STEP_COUNT + 1).fill(0);
	const reachedCorrect = new Array<number>(STEP_COUNT + 1).fill(0);
	for (const row of rows) {
		await pause();
		const step = highestStep(row, answerType);
		if (step === undefined) continue;
		reached[step]! += 1;
		if (row.answer === row.expected) reachedCorrect[step]! += 1;
	}
	const figures: ThresholdFigures[] = [];
	let actedOn = 0;
	let correct = 0;
	for (let step = STEP_COUNT; step >= FIRST_STEP[answerType]; step -= 1) {
		actedOn += reached[step]!;
		correct += reachedCorrect[step]!;
		figures.push(figuresAt(step / STEP_COUNT, { actedOn, correct, total: rows.length }));
	}
	return figures.reverse();
}

/**
 * Computes the figures of one threshold from counts.
 * @param counts the rows that reach the threshold, those of them with a correct answer, and all rows
 */
function figuresAt(
	threshold: number,
	{ actedOn, correct, total }: Record<'actedOn' | 'correct' | 'total', number>,
): ThresholdFigures {
	return {
		threshold,
		acted_on: actedOn,
		coverage: actedOn / total,
		accuracy: actedOn === 0 ? null : correct / actedOn,
		accuracy_low: wilsonInterval(correct, actedOn)?.low ?? null,
	};
}

/**
 * Returns the lowest threshold at which the accuracy is at least the target with 95% confidence, or null if there is none. In
 * Route, 0 lets answers without a confidence through, so it is recommended only if every row has one.
 */
export function recommendThreshold(
	thresholds: ThresholdFigures[],
	targetAccuracy: number,
): ThresholdFigures | null {
	const shown = thresholds.find(
		({ threshold, coverage, accuracy_low: accuracyLow }) =>
			accuracyLow !== null && accuracyLow >= targetAccuracy && (threshold > 0 || coverage === 1),
	);
	return shown ?? null;
}

/** Returns the highest step that a row reaches. It reaches all lower steps too. */
function highestStep(row: Row, answerType: CertainType): number | undefined {
	for (let step = STEP_COUNT; step >= FIRST_STEP[answerType]; step -= 1) {
		if (reachesStep(row, step)) return step;
	}
	return undefined;
}

function reachesStep({ confidence, probability }: Row, step: number): boolean {
	const threshold = step / STEP_COUNT;
	if (probability === null) return confidence !== null && confidence >= threshold;
	// This is not written as `1 - threshold`, which is 0.30000000000000004 for 0.7.
	return probability >= threshold || probability < (STEP_COUNT - step) / STEP_COUNT;
}
