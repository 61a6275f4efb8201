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

export interface AnswerReader {
	/** Says what the field with the expected answers must hold, for an error. */
	expectedRule: string;
	/** Says what the field to compare with must hold, for an error. */
	answerRule: string;
	/** Reads an expected answer. It returns undefined for a value that is none, which `readRows` then reports as an error. */
	readExpected(value: unknown): AnswerValue | undefined;
	/**
	 * Reads an answer. It returns null for a cell that is empty, and for one whose value is no answer of this type: both count as
	 * unanswered.
	 * @throws ParameterError for a probability outside 0 to 1
	 */
	readAnswer(cell: Cell): AnswerValue | null;
	/**
	 * Reads how sure an answer is. This must be called only for a cell in which `readAnswer` has found an answer.
	 * @throws ParameterError for a confidence outside 0 to 1
	 */
	certaintyOf(cell: Cell): Certainty;
}

export const NO_CERTAINTY: Certainty = { confidence: null, probability: null };
