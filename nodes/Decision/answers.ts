import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../client/isRecord';
import { responseError } from '../../client/ServiceError';
import type { Question } from './questions';

/** A question's answer as the service gave it, checked to be of the question's type. */
export type Answer =
	| { type: 'noul'; noul: number }
	| { type: 'choice'; choice: string; confidence: number | null }
	| { type: 'score'; score: number; confidence: number | null };

export interface Decision {
	/** In the order of the questions. */
	answers: Answer[];
	model: string | null;
	inputTokens: number | null;
	outputTokens: number | null;
}

/** From here on a probability counts as yes. */
const YES_AT_LEAST = 0.5;

/**
 * Reads a decision response.
 * @throws ServiceError of kind `response` when an answer is missing, too many, or of another type
 */
export function readDecision(body: unknown, questions: Question[]): Decision {
	const { answers, model, usage } = asRecord(body);
	const given = asRecord(answers);
	const asked = new Set(questions.map(({ id }) => id));
	const added = Object.keys(given).find((id) => !asked.has(id));
	if (added !== undefined)
		throw responseError(`The service's answer answers a question that was not asked: "${added}"`);
	const { input_tokens: inputTokens, output_tokens: outputTokens } = asRecord(usage);
	return {
		answers: questions.map((question) => readAnswer(question, given)),
		model: typeof model === 'string' ? model : null,
		inputTokens: asNumber(inputTokens),
		outputTokens: asNumber(outputTokens),
	};
}

/** The columns of a question in the simplified output. They depend on the question alone, never on its answer. */
export function columnsOf({ id, type }: Question): string[] {
	if (type === 'noul') return [id, `${id}_yes`];
	return type === 'choice' ? [id, `${id}_confidence`] : [id, `${id}_level`, `${id}_confidence`];
}

/** The values of `columnsOf`, in its order. */
export function valuesOf(question: Question, answer: Answer): Array<IDataObject[string]> {
	if (answer.type === 'noul') return [answer.noul, answer.noul >= YES_AT_LEAST];
	if (answer.type === 'choice') return [answer.choice, answer.confidence];
	return [answer.score, nearestLevel(question, answer.score), answer.confidence];
}

function nearestLevel({ labels }: Question, score: number): string {
	return labels[Math.min(Math.max(Math.round(score), 0), labels.length - 1)]!;
}

function readAnswer({ id, type }: Question, given: Record<string, unknown>): Answer {
	if (!Object.hasOwn(given, id))
		throw responseError(`The service's answer has no answer to question "${id}"`);
	const answer = asRecord(given[id]);
	if (answer.type !== type) {
		throw responseError(
			`The service's answer answers question "${id}" with type "${String(answer.type)}" instead of "${type}"`,
		);
	}
	const confidence = asNumber(answer.confidence);
	const { noul, choice, score } = answer;
	if (type === 'noul' && typeof noul === 'number') return { type, noul };
	if (type === 'choice' && typeof choice === 'string') return { type, choice, confidence };
	if (type === 'score' && typeof score === 'number') return { type, score, confidence };
	throw responseError(`The service's answer has an answer to question "${id}" without its value "${type}"`);
}

function asNumber(value: unknown): number | null {
	return typeof value === 'number' ? value : null;
}

function asRecord(value: unknown): Record<string, unknown> {
	return isRecord(value) ? value : {};
}
