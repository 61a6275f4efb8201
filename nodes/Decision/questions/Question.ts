import type { Question as WireQuestion } from '../../../contract/types';
import { ParameterError } from '../../shared/fields/ParameterError';

export const MIN_LEVELS = 2;
export const MAX_LEVELS = 10;

/** A question as the user wrote it. */
export interface Question {
	id: string;
	type: WireQuestion['type'];
	/** The option names of a choice, or the levels of a score from low to high. Empty for yes or no. */
	labels: string[];
	/** The question in the service's format. */
	wire: WireQuestion;
}

/** Returns the questions in the service's format, by ID. `Object.fromEntries` makes an ordinary key even of `__proto__`. */
export function toWire(questions: Question[]): Record<string, WireQuestion> {
	return Object.fromEntries(questions.map(({ id, wire }) => [id, wire]));
}

/**
 * Checks the rules that apply to typed questions and to JSON alike, and returns the question.
 * @throws ParameterError with the ID of the question
 */
export function checkQuestion(question: Question): Question {
	const { id, type, labels, wire } = question;
	if (wire.instructions.trim() === '') throw questionError(id, 'must have instructions');
	if (type === 'choice') {
		if (labels.length === 0) throw questionError(id, 'must have at least one option');
		if (labels.some((name) => name.trim() === '')) {
			throw questionError(id, 'must have a name for every option');
		}
	}
	if (type === 'score' && (labels.length < MIN_LEVELS || labels.length > MAX_LEVELS)) {
		throw questionError(id, `must have ${MIN_LEVELS} to ${MAX_LEVELS} levels, but has ${labels.length}`);
	}
	return question;
}

export function questionError(id: string, rule: string): ParameterError {
	return new ParameterError(`question "${id}"`, rule);
}
