import { sortInTurns } from '../../shared/run/sortInTurns';
import type { Pause } from '../../shared/run/yieldRegularly';
import { measureCalibration, type CalibrationBin } from './calibration';
import { compareAnswers, type Comparison } from './compareAnswers';
import { countConfusion, describeLabels, type ConfusionPair, type LabelFigures } from './confusion';
import type { AnswerType } from './evaluatedFields';
import { measureOptions, type OptionThresholds } from './optionThresholds';
import type { AnswerValue, Row, Rows, UnreadableRows } from './Row';
import { measureThresholds, recommendThreshold, type ThresholdFigures } from './thresholds';
import { findUnusedLabels, type UnusedLabel } from './unusedLabels';
import { wilsonInterval, type Interval } from './wilsonInterval';

export interface Figures {
	answerType: AnswerType;
	targetAccuracy: number;
	/** Counts the items with an expected value. */
	rows: number;
	/** Counts the items without an expected value. They are left out. */
	skipped: number;
	/** Counts the rows without an answer. They count as wrong. */
	unanswered: number;
	/** Counts the unanswered rows that hold a value of another type. */
	unreadable: UnreadableRows;
	/** Counts the rows that a node has marked as failed, and that count by the answer that they hold all the same. */
	failedWithAnswer: number;
	/** Counts the rows that repeat another one, as far as this is most likely a mistake. */
	repeated: number;
	/** Says whether the fields with the answers and the expected values are probably swapped. */
	isSwapped: boolean;
	hasOtherConfidence: boolean;
	/** Counts the rows with an answer, but without a confidence that can be read. No threshold lets them through. */
	uncertain: number;
	correct: number;
	accuracy: number;
	/** Holds the Wilson interval that contains the true accuracy with 95% confidence. */
	accuracyInterval: Interval;
	mostExpected: AnswerValue;
	/** Holds the accuracy of giving `mostExpected` in every row. */
	baseline: number;
	/** Holds the first of `thresholds` that reaches the target accuracy with 95% confidence. It is null if none does. */
	recommended: ThresholdFigures | null;
	/** Holds the threshold of each option. It is null unless the answers are choices. */
	options: OptionThresholds | null;
	labels: LabelFigures[];
	/** Lists the expected labels that are probably no options. It is empty for yes or no, which have no spelling. */
	unusedLabels: UnusedLabel[];
	/** Lists the expected labels that are probably no options of the question to compare with. It is empty without a second field of answers. */
	unusedByCompared: UnusedLabel[];
	/** Holds the figures of each label, as a report shows them. */
	classes: ClassFigures[];
	/** Tags have no confidence, so this list is empty for them. */
	thresholds: ThresholdFigures[];
	confusion: ConfusionPair[];
	/** Tags have no confidence, so they have no bins. */
	calibration: CalibrationBin[];
	/** The comparison is null if there is no second field of answers. */
	comparison: Comparison | null;
	/** Holds the rows with a wrong answer, the most confident first. Rows without a confidence come last. */
	mistakes: Row[];
}

interface ClassFigures extends Omit<LabelFigures, 'missing' | 'tooMany'> {
	/**
	 * Holds the lowest threshold at which the answers with this label reach the target accuracy. It is null if these rows cannot
	 * show one.
	 */
	recommended_threshold: number | null;
}

/**
 * Computes all figures of an evaluation.
 * @param rows at least one row
 * @param targetAccuracy the accuracy, from 0 to 1, that the answers at or above the recommended threshold should have
 */
export async function evaluateRows(
	{ rows, skipped, failedWithAnswer, unreadable, repeated, isSwapped, hasOtherConfidence }: Rows,
	{ answerType, targetAccuracy }: { answerType: AnswerType; targetAccuracy: number },
	pause: Pause,
): Promise<Figures> {
	const confusion = await countConfusion(rows, pause);
	const labels = await describeLabels(confusion, pause);
	const hasConfidence = answerType !== 'tags';
	const thresholds = hasConfidence ? await measureThresholds(rows, answerType, pause) : [];
	const calibration = hasConfidence ? await measureCalibration(rows, answerType, pause) : [];
	const recommended = recommendThreshold(thresholds, targetAccuracy);
	const options =
		answerType === 'choice'
			? await measureOptions(rows, recommended?.threshold ?? null, targetAccuracy, pause)
			: null;
	const mistakes = await findMistakes(rows, pause);
	const correct = rows.length - mistakes.length;
	const { expected: mostExpected } = confusion[0]!;
	const mostExpectedRows = rows.filter(({ expected }) => expected === mostExpected).length;
	return {
		answerType,
		targetAccuracy,
		rows: rows.length,
		skipped,
		failedWithAnswer,
		unreadable,
		repeated,
		isSwapped,
		hasOtherConfidence,
		unanswered: mistakes.filter(({ answer }) => answer === null).length,
		uncertain: rows.filter(({ answer, confidence }) => answer !== null && confidence === null).length,
		correct,
		accuracy: correct / rows.length,
		accuracyInterval: wilsonInterval(correct, rows.length)!,
		mostExpected,
		baseline: mostExpectedRows / rows.length,
		recommended,
		options,
		labels,
		unusedLabels: answerType === 'noul' ? [] : await findUnusedLabels(confusion, labels, pause),
		unusedByCompared: answerType === 'noul' ? [] : await findUnusedByCompared(rows, pause),
		classes: await withThresholds(labels, options, pause),
		thresholds,
		confusion,
		calibration,
		comparison: await compareAnswers(rows, pause),
		mistakes,
	};
}

/** Finds the expected labels that are probably no options of the question whose answers stand in the field to compare with. */
async function findUnusedByCompared(rows: Row[], pause: Pause): Promise<UnusedLabel[]> {
	const compared = rows.flatMap((row) =>
		row.compared === undefined ? [] : [{ ...row, answer: row.compared }],
	);
	if (compared.length === 0) return [];
	const confusion = await countConfusion(compared, pause);
	const labels = await describeLabels(confusion, pause);
	const expected = labels.filter(({ support }) => support > 0);
	// Where nothing is answered as expected, no label is more improbable than the others.
	return expected.every(({ precision }) => precision === null)
		? expected.map(({ label, support }) => ({ label, rows: support, answered: undefined, alike: undefined }))
		: await findUnusedLabels(confusion, labels, pause);
}

async function withThresholds(
	labels: LabelFigures[],
	options: OptionThresholds | null,
	pause: Pause,
): Promise<ClassFigures[]> {
	const thresholdOf = new Map<string, number | null>();
	for (const { label, threshold } of options?.options ?? []) {
		await pause();
		thresholdOf.set(label, threshold);
	}
	const classes: ClassFigures[] = [];
	for (const { missing: _missing, tooMany: _tooMany, ...figures } of labels) {
		await pause();
		classes.push({ ...figures, recommended_threshold: thresholdOf.get(figures.label) ?? null });
	}
	return classes;
}

async function findMistakes(rows: Row[], pause: Pause): Promise<Row[]> {
	const wrong = rows.filter(({ expected, answer }) => expected !== answer);
	return await sortInTurns(wrong, (a, b) => (b.confidence ?? -1) - (a.confidence ?? -1), pause);
}
