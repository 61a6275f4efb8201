import type { Field } from '../../../shared/fields/Field';
import type { AnswerValue, Certainty } from '../Row';

/** One field of one item. */
export interface Cell {
	value: unknown;
	json: object;
	/** The index of the item. */
	index: number;
	/** The name of the field, as the node has it. */
	name: string;
	/** The parameter that names the field. */
	parameter: Field;
}

/** Reads the answers of one type. */
export interface AnswerReader {
	/** What the field with the expected answers must hold, for an error. */
	expectedRule: string;
	/** What the field to compare with must hold, for an error. */
	answerRule: string;
	/** Returns undefined if the value is no answer of this type. */
	readExpected(value: unknown): AnswerValue | undefined;
	/** Returns null if the cell has no answer. */
	readAnswer(cell: Cell): AnswerValue | null;
	/** Returns how certain the answer in a cell is. The cell has an answer. */
	certaintyOf(cell: Cell): Certainty;
}

export const NO_CERTAINTY: Certainty = { confidence: null, probability: null };
