import type { Field } from '../../../shared/fields/Field';
import type { AnswerValue, Certainty } from '../Row';

/** Describes a value of an item that may be an answer, and what an error about it names. */
export interface Cell {
	value: unknown;
	json: object;
	index: number;
	/** Holds the field's name or path, as a person filled it in. */
	name: string;
	/** Holds the parameter in which the name was filled in, such as Answer Field. */
	parameter: Field;
}

/** Reads the answers of one type. */
export interface AnswerReader {
	/** Says what the field with the expected answers must hold, for an error. */
	expectedRule: string;
	/** Says what the field to compare with must hold, for an error. */
	answerRule: string;
	/** Returns undefined if the value is no answer of this type. */
	readExpected(value: unknown): AnswerValue | undefined;
	/** Returns null if the cell has no answer. */
	readAnswer(cell: Cell): AnswerValue | null;
	/** Must be called only for a cell in which `readAnswer` has found an answer. */
	certaintyOf(cell: Cell): Certainty;
}

export const NO_CERTAINTY: Certainty = { confidence: null, probability: null };
