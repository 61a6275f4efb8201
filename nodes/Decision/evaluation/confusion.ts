import { increase } from '../../shared/values/increase';
import { sortInTurns } from '../../shared/run/sortInTurns';
import type { Pause } from '../../shared/run/yieldRegularly';
import { labelsIn, textOfAnswer, type AnswerValue, type Row } from './Row';

export interface ConfusionPair {
	expected: AnswerValue;
	/** The answer is null for rows without one. */
	answer: AnswerValue | null;
	count: number;
}

/** Describes the precision and recall of one label. A figure is null if it would be a division by zero. */
export interface LabelFigures {
	label: string;
	/** Counts the rows in which the label is expected. */
	support: number;
	/** Counts the rows in which the label is expected, but not answered. */
	missing: number;
	/** Counts the rows in which the label is answered, but not expected. */
	tooMany: number;
	precision: number | null;
	recall: number | null;
	f1: number | null;
}

/** Describes the rows in which a label is expected, in which it is answered, and in which it is both. */
interface LabelCounts {
	label: string;
	support: number;
	answered: number;
	right: number;
}

/** Counts the answers that were given where the same one was expected. */
interface ExpectedAnswer {
	value: AnswerValue;
	support: number;
	answers: Map<AnswerValue | null, number>;
}

/** Counts the pairs that occur. The answer that is expected most comes first, and within it the most frequent pair. */
export async function countConfusion(rows: Row[], pause: Pause): Promise<ConfusionPair[]> {
	const byExpected = new Map<AnswerValue, ExpectedAnswer>();
	for (const { expected, answer } of rows) {
		await pause();
		const known = byExpected.get(expected) ?? { value: expected, support: 0, answers: new Map() };
		byExpected.set(expected, known);
		known.support++;
		increase(known.answers, answer);
	}
	const sorted = await sortInTurns(
		[...byExpected.values()],
		(a, b) => b.support - a.support || byCodeUnits(a.value, b.value),
		pause,
	);
	const pairs: ConfusionPair[] = [];
	for (const { value: expected, answers } of sorted) {
		await pause();
		const counts = [...answers].sort(
			([a, aCount], [b, bCount]) => bCount - aCount || byCodeUnits(a ?? '', b ?? ''),
		);
		for (const [answer, count] of counts) pairs.push({ expected, answer, count });
	}
	return pairs;
}

/**
 * Returns the figures of every label that is expected or answered: the label that is expected most comes first. Precision, recall
 * and F1 are defined like scikit-learn's `precision_recall_fscore_support`, but with null instead of its `zero_division`.
 */
export async function describeLabels(confusion: ConfusionPair[], pause: Pause): Promise<LabelFigures[]> {
	const counted = new Map<string, LabelCounts>();
	const countsOf = (label: string): LabelCounts => {
		const counts = counted.get(label) ?? { label, support: 0, answered: 0, right: 0 };
		counted.set(label, counts);
		return counts;
	};
	for (const { expected, answer, count } of confusion) {
		await pause();
		const wanted = labelsIn(expected);
		for (const label of wanted) countsOf(label).support += count;
		for (const label of answer === null ? [] : labelsIn(answer)) {
			const counts = countsOf(label);
			counts.answered += count;
			if (wanted.includes(label)) counts.right += count;
		}
	}
	const figures: LabelFigures[] = [];
	for (const { label, support, answered, right } of counted.values()) {
		await pause();
		const precision = share(right, answered);
		const recall = share(right, support);
		figures.push({
			label,
			support,
			missing: support - right,
			tooMany: answered - right,
			precision,
			recall,
			f1: harmonicMean(precision, recall),
		});
	}
	return await sortInTurns(figures, (a, b) => b.support - a.support || byCodeUnits(a.label, b.label), pause);
}

function harmonicMean(precision: number | null, recall: number | null): number | null {
	if (precision === null || recall === null) return null;
	return precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
}

function share(part: number, whole: number): number | null {
	return whole === 0 ? null : part / whole;
}

/** Compares code units, so that the order does not depend on the language of the machine. */
function byCodeUnits(one: AnswerValue, other: AnswerValue): number {
	const [a, b] = [textOfAnswer(one), textOfAnswer(other)];
	if (a === b) return 0;
	return a < b ? -1 : 1;
}
