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
	/** The number of items with an expected value. */
	rows: number;
	/** The number of items without an expected value. They are left out. */
	skipped: number;
	/** The number of rows without an answer. They count as wrong. */
	unanswered: number;
	correct: number;
	accuracy: number;
	/** The Wilson interval that contains the true accuracy with 95% confidence. */
	accuracyInterval: Interval;
	/** The accuracy of always giving the label that is expected most often. */
	baseline: number;
	/** The first of `thresholds` that reaches the target accuracy with 95% confidence. Null if none does. */
	recommended: ThresholdFigures | null;
	classes: LabelFigures[];
	thresholds: ThresholdFigures[];
	confusion: ConfusionPair[];
	calibration: CalibrationBin[];
	/** Null if there is no second field of answers. */
	comparison: Comparison | null;
	/** The rows with a wrong answer, the most confident first. Rows without a confidence come last. */
	mistakes: Row[];
}

/**
 * Computes all figures of an evaluation.
 * @param rows at least one row
 * @param targetAccuracy the accuracy, from 0 to 1, that the answers at or above the recommended threshold should have
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
