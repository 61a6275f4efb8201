import { increase } from '../../shared/text/increase';
import type { Row } from './readRows';

export interface ConfusionPair {
	expected: string;
	/** The answered label. Null for rows without an answer. */
	answer: string | null;
	count: number;
}

/** The precision and recall of one label. A figure is null if it would be a division by zero. */
export interface LabelFigures {
	label: string;
	/** The number of rows in which the label is expected. */
	support: number;
	precision: number | null;
	recall: number | null;
	f1: number | null;
}

/** Counts the pairs that occur. The label that is expected most comes first, and within a label the most frequent pair. */
export function countConfusion(rows: Row[]): ConfusionPair[] {
	const support = new Map<string, number>();
	const counts = new Map<string, Map<string | null, number>>();
	for (const { expected, answer } of rows) {
		increase(support, expected);
		let answers = counts.get(expected);
		if (!answers) counts.set(expected, (answers = new Map<string | null, number>()));
		increase(answers, answer);
	}
	const pairs: ConfusionPair[] = [];
	for (const [expected, answers] of counts) {
		for (const [answer, count] of answers) pairs.push({ expected, answer, count });
	}
	return pairs.sort(
		(a, b) =>
			support.get(b.expected)! - support.get(a.expected)! ||
			compareLabels(a.expected, b.expected) ||
			b.count - a.count ||
			compareLabels(a.answer ?? '', b.answer ?? ''),
	);
}

/**
 * Returns the figures of every label that is expected or answered, in the order of the pairs. Precision, recall and F1 are
 * defined like scikit-learn's `precision_recall_fscore_support`, but with null instead of its `zero_division`.
 */
export function describeLabels(confusion: ConfusionPair[]): LabelFigures[] {
	const support = new Map<string, number>();
	const answered = new Map<string, number>();
	const right = new Map<string, number>();
	for (const { expected, answer, count } of confusion) {
		increase(support, expected, count);
		if (answer === null) continue;
		increase(answered, answer, count);
		if (answer === expected) increase(right, answer, count);
	}
	const labels = new Set([...support.keys(), ...[...answered.keys()].sort(compareLabels)]);
	return [...labels].map((label) => {
		const truePositives = right.get(label) ?? 0;
		const precision = share(truePositives, answered.get(label) ?? 0);
		const recall = share(truePositives, support.get(label) ?? 0);
		return {
			label,
			support: support.get(label) ?? 0,
			precision,
			recall,
			f1: harmonicMean(precision, recall),
		};
	});
}

function harmonicMean(precision: number | null, recall: number | null): number | null {
	if (precision === null || recall === null) return null;
	return precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
}

function share(part: number, whole: number): number | null {
	return whole === 0 ? null : part / whole;
}

/** Compares code units, so that the order does not depend on the language of the machine. */
function compareLabels(a: string, b: string): number {
	if (a === b) return 0;
	return a < b ? -1 : 1;
}
