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
		throw responseError(`The response answers a question that was not asked: "${added}"`);
	const { input_tokens: inputTokens, output_tokens: outputTokens } = asRecord(usage);
	return {
		answers: questions.map((question) => readAnswer(question, given)),
		model: typeof model === 'string' ? model : null,
		inputTokens: asNumber(inputTokens),
		outputTokens: asNumber(outputTokens),
	};
}

function readAnswer({ id, type }: Question, given: Record<string, unknown>): Answer {
	if (!Object.hasOwn(given, id)) throw responseError(`The response has no answer to question "${id}"`);
	const answer = asRecord(given[id]);
	if (answer.type !== type) {
		throw responseError(
			`The response answers question "${id}" with type "${String(answer.type)}" instead of "${type}"`,
		);
	}
	const confidence = asNumber(answer.confidence);
	const { noul, choice, score } = answer;
	if (type === 'noul' && typeof noul === 'number') return { type, noul };
	if (type === 'choice' && typeof choice === 'string') return { type, choice, confidence };
	if (type === 'score' && typeof score === 'number') return { type, score, confidence };
	throw responseError(`The response has an answer to question "${id}" without its value "${type}"`);
}

function asNumber(value: unknown): number | null {
	return typeof value === 'number' ? value : null;
}

function asRecord(value: unknown): Record<string, unknown> {
	return isRecord(value) ? value : {};
}
