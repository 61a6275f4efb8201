import { measureCalibration, type CalibrationBin } from './calibration';
import { compareAnswers, type Comparison } from './compareAnswers';
import { countConfusion, describeLabels, type ConfusionPair, type LabelFigures } from './confusion';
import type { AnswerType } from './evaluatedFields';
import type { Row, Rows } from './readRows';
import { measureThresholds, recommendThreshold, type ThresholdFigures } from './thresholds';
import { wilsonInterval, type Interval } from './wilsonInterval';

export interface Figures {
	answerType: AnswerType;
	targetAccuracy: number;
	/** How many items have an expected value. */
	rows: number;
	/** How many have none and were left out. */
	skipped: number;
	/** How many of the rows have no answer; they count as wrong. */
	unanswered: number;
	correct: number;
	accuracy: number;
	/** The range that contains the true accuracy with 95% confidence, by Wilson. */
	accuracyInterval: Interval;
	/** The accuracy of always answering the label that is expected most. */
	baseline: number;
	/** The first of `thresholds` that shows the target accuracy; null if these rows show none. */
	recommended: ThresholdFigures | null;
	classes: LabelFigures[];
	thresholds: ThresholdFigures[];
	confusion: ConfusionPair[];
	calibration: CalibrationBin[];
	/** Null if there is nothing to compare with. */
	comparison: Comparison | null;
	/** The rows answered wrongly, the most confident first; those without a confidence last. */
	mistakes: Row[];
}

/**
 * @param rows at least one
 * @param targetAccuracy from 0 to 1, what the answers that are acted on should reach
 */
export function evaluateRows(
	{ rows, skipped }: Rows,
	{ answerType, targetAccuracy }: { answerType: AnswerType; targetAccuracy: number },
): Figures {
	const confusion = countConfusion(rows);
	const classes = describeLabels(confusion);
	const thresholds = measureThresholds(rows, answerType);
	const mistakes = findMistakes(rows);
	const correct = rows.length - mistakes.length;
	const calibration = measureCalibration(rows, answerType);
	const comparison = compareAnswers(rows);
	return {
		answerType,
		targetAccuracy,
		rows: rows.length,
		skipped,
		unanswered: mistakes.filter(({ answer }) => answer === null).length,
		correct,
		accuracy: correct / rows.length,
		accuracyInterval: wilsonInterval(correct, rows.length)!,
		baseline: classes[0]!.support / rows.length,
		recommended: recommendThreshold(thresholds, targetAccuracy),
		classes,
		thresholds,
		confusion,
		calibration,
		comparison,
		mistakes,
	};
}

function findMistakes(rows: Row[]): Row[] {
	return rows
		.filter(({ expected, answer }) => expected !== answer)
		.sort((a, b) => (b.confidence ?? -1) - (a.confidence ?? -1));
}
