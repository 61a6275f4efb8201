import { increase } from '../../shared/text/increase';
import type { Row } from './readRows';

export interface ConfusionPair {
	expected: string;
	/** Null for items without an answer. */
	answer: string | null;
	count: number;
}

/** How well one label is distinguished from the others. A value that would be a division by zero is null. */
export interface LabelFigures {
	label: string;
	support: number;
	precision: number | null;
	recall: number | null;
	f1: number | null;
}

/** The pairs that occur. Those of the label expected most come first, and of them the most frequent. */
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
 * The figures of every label that is expected or answered, in the order of the pairs. Precision, recall and F1 as
 * scikit-learn's `precision_recall_fscore_support` defines them, but null instead of its `zero_division`.
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

/** Sorts the same on every machine, whatever its language. */
function compareLabels(a: string, b: string): number {
	if (a === b) return 0;
	return a < b ? -1 : 1;
}
