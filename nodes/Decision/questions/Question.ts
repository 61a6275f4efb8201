import type { IDataObject } from 'n8n-workflow';

import type { UnknownFields } from '../../../client/values/records';
import type { Answer as WireAnswer, Question as WireQuestion } from '../../../contract/types';
import type { Answer } from '../answers/Answer';
import type { AnswerRule, ComparedNumber } from '../routing/AnswerRule';
import type { Thresholds } from '../routing/routingFields';

export type NoulQuestion = Extract<WireQuestion, { type: 'noul' }>;
export type ChoiceQuestion = Extract<WireQuestion, { type: 'choice' }>;
export type ScoreQuestion = Extract<WireQuestion, { type: 'score' }>;

/** Describes a question as the user wrote it. Each file in `types/` makes the questions of one type. */
export interface Question {
	id: string;
	/** Holds what the service is asked for the question: one question, or for tags one about each option. */
	asked: AskedQuestion[];
	/** Holds the names of the question's options. It is undefined for a type without options. */
	options?: string[];
	/** Holds the texts of the question's levels, the lowest first. It is undefined for a type without levels. */
	levels?: string[];
	/** Makes the question's answer out of the answers to what was asked, which are in the same order. */
	answerOf(given: Answer[]): Answer;
	/** Returns the columns of the simplified output. Without an answer, they are the same, and each is null. */
	columnsOf(answer: Answer | undefined, includeProbabilities: boolean): Column[];
	/** Says which number of an answer "Route" compares with thresholds. The thresholds for the other number have no effect. */
	comparedNumber: ComparedNumber;
	/** Holds the labels of the outputs that "Route" has for the question, without "Uncertain". */
	outputs: string[];
	/**
	 * Returns the rule by which the question's answers choose an output.
	 * @throws ParameterError if the outputs would be ambiguous, or the thresholds contradict each other
	 */
	ruleOf(thresholds: Thresholds): AnswerRule;
	/**
	 * Counts those of its options whose own Minimum Confidence is above 0. It is undefined for a type whose options have none.
	 */
	ownThresholds?: number;
	/** Says whether "Route" may send an item to several outputs, and then names them in a list. */
	mayTakeSeveral?: true;
	/** Names the option for a text to which no other one applies, of a question whose options may apply together. */
	optionForNone?: string | undefined;
	/** Says in the hint between which numbers those of the answers are, for a type whose numbers have a mean that says something. */
	scale?: string;
}

/** Describes a question in the service's format, and how its answer is read. */
export interface AskedQuestion {
	/** Holds the name under which the request has the question, and the response its answer. */
	id: string;
	wire: WireQuestion;
	/** Reads the answer. It returns undefined for an impossible value. */
	read(answer: UnknownFields<WireAnswer>): Answer | undefined;
}

export type Column = [name: string, value: IDataObject[string]];

/** Describes a question from the fields of the editor. */
export interface TypedQuestion {
	id: string;
	instructions: string;
	options: Array<{ name: string; description: string; minConfidence?: number }>;
	levels: Array<{ description: string }>;
}

/** Describes a question in JSON, in the service's format as far as it has been checked. */
interface JsonQuestion {
	id: string;
	/** Holds all fields of the question, which are sent as they are. */
	fields: Record<string, unknown>;
}

/** Describes one of the choices under "Type". */
export interface QuestionType<Value extends string = string> {
	/** Workflows store this value, so it must never change. */
	value: Value;
	name: string;
	description: string;
	/** Names the parts of a question that decide about the outputs, in an error. */
	outputPart?: string;
	/**
	 * Makes a question from the fields that a person filled in.
	 * @param freeId returns the ID itself, or a similar one if another question of the node has it
	 * @throws ParameterError with the ID of the question
	 */
	fromFields(typed: TypedQuestion, freeId: (id: string) => string): Question;
	/**
	 * The function is undefined for a type that the service does not have.
	 * @throws ParameterError with the ID of the question
	 */
	fromJson?(json: JsonQuestion): Question;
}

/** Returns the questions in the service's format, by ID. `Object.fromEntries` makes an ordinary key even of `__proto__`. */
export function toWire(questions: Question[]): Record<string, WireQuestion> {
	return Object.fromEntries(questions.flatMap(({ asked }) => asked.map(({ id, wire }) => [id, wire])));
}

/** Makes what a type of the service itself has in common: it asks one question, whose answer is the question's own. */
export function askedAsItIs(asked: AskedQuestion): Pick<Question, 'id' | 'asked' | 'answerOf'> {
	return { id: asked.id, asked: [asked], answerOf: ([answer]) => answer! };
}
