import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../../client/isRecord';
import { numberOrNull } from '../../../client/numberOrNull';
import type { Received } from '../../../client/Received';
import { missingError } from '../../../client/reportedError';
import { responseError } from '../../../client/ServiceError';
import type { Answer as WireAnswer, BadRequestError, DecisionResponse, Usage } from '../../../contract/types';
import type { Question } from '../questions/questions';

/** At or above this, a probability counts as yes. */
export const YES_AT_LEAST = 0.5;

/** By rounding, sums of probabilities may exceed the end of their scale by this much. */
const TOLERANCE = 1e-6;

/** A question's answer as the service gave it, checked to be one that the question can have. */
export type Answer =
	| { type: 'noul'; noul: number }
	| ({ type: 'choice'; choice: string } & Certainty)
	| ({ type: 'score'; score: number } & Certainty);

/** Null if the service gives none. */
interface Certainty {
	confidence: number | null;
	/** The probabilities as the service gave them. */
	probabilities: IDataObject | null;
}

export interface Decision<AnswerOrNone> {
	answers: AnswerOrNone[];
	model: string | null;
	inputTokens: number | null;
	outputTokens: number | null;
}

/**
 * Reads a decision response. An answer with an impossible value is undefined: a probability outside 0 to 1, an option that was
 * not offered, a score off its scale, a number given as text. The range of a confidence is not documented: any number passes.
 * @throws ServiceError of kind `response` when an answer is missing, too many, or of another type
 */
export function readDecision(body: unknown, questions: Question[]): Decision<Answer | undefined> {
	const decision = received<DecisionResponse & BadRequestError>(body);
	const { answers, model } = decision;
	if (answers === undefined && typeof decision.message === 'string') throw missingError('answers', decision);
	const given = received<DecisionResponse['answers']>(answers);
	const asked = new Set(questions.map(({ id }) => id));
	const added = Object.keys(given).find((id) => !asked.has(id));
	if (added !== undefined) {
		throw responseError(`The response answers a question that was not asked: "${added}"`);
	}
	const [inputTokens, outputTokens] = tokensOf(body);
	return {
		answers: questions.map((question) => readAnswer(question, given)),
		model: typeof model === 'string' ? model : null,
		inputTokens: numberOrNull(inputTokens),
		outputTokens: numberOrNull(outputTokens),
	};
}

/** The input and output tokens of a decision, null if the service does not report them. */
export function tokensOf(body: unknown): [input: number | null, output: number | null] {
	const { input_tokens: input, output_tokens: output } = received<Usage>(
		received<DecisionResponse>(body).usage,
	);
	return [numberOrNull(input), numberOrNull(output)];
}

/**
 * The same, with every value checked.
 * @throws ServiceError of kind `response` for an impossible value, too
 */
export function readUsableDecision(body: unknown, questions: Question[]): Decision<Answer> {
	const decision = readDecision(body, questions);
	return {
		...decision,
		answers: decision.answers.map((answer, index) => {
			if (answer) return answer;
			const question = questions[index]!;
			const { id, type } = question;
			const { answers } = received<DecisionResponse>(body);
			const given = received<WireAnswer>(received<DecisionResponse['answers']>(answers)[id]);
			const value = given[type];
			const problem =
				value === undefined
					? `that lacks its value "${type}"`
					: // JSON cannot express the infinity that 1e400 becomes.
						`with an impossible value: ${type} is ${typeof value === 'number' ? value : JSON.stringify(value)}`;
			throw responseError(`The response has an answer to question "${id}" ${problem}`);
		}),
	};
}

/**
 * The index of the level that is nearest to a score.
 * @param score of an answer, so on the scale of its question
 */
export function levelIndex(score: number): number {
	return Math.round(score);
}

function readAnswer(question: Question, given: Received<DecisionResponse['answers']>): Answer | undefined {
	const { id, type } = question;
	if (!Object.hasOwn(given, id)) throw responseError(`The response has no answer to question "${id}"`);
	const answer = received<WireAnswer>(given[id]);
	if (answer.type !== type) {
		throw responseError(
			`The answer to question "${id}" has type "${String(answer.type)}" instead of "${type}"`,
		);
	}
	const value = readValue(question, answer);
	if (!value || value.type === 'noul') return value;
	const { confidence, probabilities } = answer;
	return {
		...value,
		confidence: numberOrNull(confidence),
		probabilities: isRecord(probabilities) ? (probabilities as IDataObject) : null,
	};
}

/** The value without its confidence; undefined for an impossible one. */
function readValue({ type, labels }: Question, { noul, choice, score }: Received<WireAnswer>) {
	switch (type) {
		case 'noul':
			return isWithin(noul, 1) ? { type, noul } : undefined;
		case 'choice':
			return typeof choice === 'string' && labels.includes(choice) ? { type, choice } : undefined;
		case 'score':
			return isWithin(score, labels.length - 1) ? { type, score } : undefined;
	}
}

function isWithin(value: unknown, highest: number): value is number {
	return typeof value === 'number' && value >= -TOLERANCE && value <= highest + TOLERANCE;
}

/** An empty object for anything that is not an object. */
function received<Wire>(value: unknown): Received<Wire> {
	return isRecord(value) ? value : {};
}
