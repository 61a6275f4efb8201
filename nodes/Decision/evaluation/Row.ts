/**
 * Describes a label, or for `tags` the list of those that apply. Equal answers are the same value, so that `===` compares them.
 */
export type AnswerValue = string | readonly string[];

/** Describes the answer and the expected answer of one item. */
export interface Row extends Certainty {
	index: number;
	/** The expected answer is `yes` or `no` for the type `noul`. */
	expected: AnswerValue;
	/** The answer is null if the item has none. */
	answer: AnswerValue | null;
	/**
	 * Holds the answer in the field to compare with, or null if the item has none. It is undefined if no such field was chosen.
	 */
	compared?: AnswerValue | null;
}

export interface Certainty {
	/** The confidence is from 0 to 1. For `noul`, it is the probability of the given answer. It is null if the item has none. */
	confidence: number | null;
	/** Holds the probability of yes for `noul`, otherwise null. */
	probability: number | null;
}

export interface Rows {
	rows: Row[];
	/** Counts the items that were left out, because they have no expected value. */
	skipped: number;
	/** Counts the rows that a node has marked as failed, and that hold an answer all the same. */
	failedWithAnswer: number;
	/** Counts the rows that repeat another one, as far as this is most likely a mistake. */
	repeated: number;
	unreadable: UnreadableRows;
	/** Says whether the fields with the answers and the expected values are probably swapped. */
	isSwapped: boolean;
	/** Says whether Confidence Field names another field than the confidence of the answers. */
	hasOtherConfidence: boolean;
}

/** Describes the rows that count as unanswered, although their cell has a value: it is no answer of the chosen type. */
export interface UnreadableRows {
	count: number;
	/** Holds the first of these values, as text. It is undefined if there is none. */
	example?: string;
}

/** Returns the labels in an answer: itself, or the tags in it. */
export function labelsIn(value: AnswerValue): readonly string[] {
	return typeof value === 'string' ? [value] : value;
}

/** Returns the text that stands for an answer in tables, and by which answers are sorted. */
export function textOfAnswer(value: AnswerValue): string {
	return typeof value === 'string' ? value : value.join(', ');
}
