import type { IDataObject } from 'n8n-workflow';

import { isRecord, type UnknownFields } from '../../../client/response/records';
import { numberOrNull } from '../../shared/text/numberOrNull';
import { missingError } from '../../../client/response/errors';
import { responseFailure } from '../../../client/ServiceError';
import type { Answer as WireAnswer, BadRequestError, DecisionResponse } from '../../../contract/types';
import type { Question } from '../questions/Question';

/** At or above this, a probability counts as yes. */
export const YES_AT_LEAST = 0.5;

/** By rounding, sums of probabilities may exceed the end of their scale by this much. */
const TOLERANCE = 1e-6;

/** The answer to a question, checked to be one that the question can have. */
export interface Answer {
	/** "yes" or "no", the option chosen, or the level nearest to the score. */
	label: string;
	/** The probability of yes, or the score; null for a choice. */
	number: number | null;
	/** Null for yes or no, and if the service gives none. */
	confidence: number | null;
	/** As the service gave them; null for yes or no, and if it gives none. */
	probabilities: IDataObject | null;
}

/**
 * Reads the answers of a decision response, in the order of the questions. The range of a confidence is not documented: any
 * number passes.
 * @param mayBeUnusable whether an impossible value makes the answer undefined: a probability outside 0 to 1, an option that
 * was not offered, a score outside its levels, a number given as text
 * @throws CallFailure of kind `response` if an answer is missing, too many, or of another type, and for an impossible
 * value, unless it may be unusable
 */
export function readAnswers(
	body: unknown,
	questions: Question[],
	mayBeUnusable: boolean,
): Array<Answer | undefined> {
	const decision = received<DecisionResponse & BadRequestError>(body);
	if (decision.answers === undefined && typeof decision.message === 'string') {
		throw missingError('answers', decision);
	}
	const given = received<DecisionResponse['answers']>(decision.answers);
	const asked = new Set(questions.map(({ id }) => id));
	const added = Object.keys(given).find((id) => !asked.has(id));
	if (added !== undefined) {
		throw responseFailure(`The response answers a question that was not asked: "${added}"`);
	}
	return questions.map((question) => {
		const { id, type } = question;
		if (!Object.hasOwn(given, id)) throw responseFailure(`The response has no answer to question "${id}"`);
		const wire = received<WireAnswer>(given[id]);
		if (wire.type !== type) {
			throw responseFailure(
				`The answer to question "${id}" has type "${String(wire.type)}" instead of "${type}"`,
			);
		}
		const answer = toAnswer(question, wire);
		if (answer || mayBeUnusable) return answer;
		throw responseFailure(`The response has an answer to question "${id}" ${problemOf(wire[type], type)}`);
	});
}

function toAnswer({ type, labels }: Question, wire: UnknownFields<WireAnswer>): Answer | undefined {
	const { noul, choice, score } = wire;
	const certainty = {
		confidence: numberOrNull(wire.confidence),
		probabilities: isRecord(wire.probabilities) ? (wire.probabilities as IDataObject) : null,
	};
	switch (type) {
		case 'noul': {
			if (!isWithin(noul, 1)) return undefined;
			const label = noul >= YES_AT_LEAST ? 'yes' : 'no';
			return { label, number: noul, confidence: null, probabilities: null };
		}
		case 'choice':
			if (typeof choice !== 'string' || !labels.includes(choice)) return undefined;
			return { label: choice, number: null, ...certainty };
		case 'score':
			if (!isWithin(score, labels.length - 1)) return undefined;
			return { label: labels[Math.round(score)]!, number: score, ...certainty };
	}
}

function isWithin(value: unknown, highest: number): value is number {
	return typeof value === 'number' && value >= -TOLERANCE && value <= highest + TOLERANCE;
}

function problemOf(value: unknown, type: Question['type']): string {
	if (value === undefined) return `that lacks its value "${type}"`;
	// JSON cannot express the infinity that 1e400 becomes.
	const text = typeof value === 'number' ? value : JSON.stringify(value);
	return `with an impossible value: ${type} is ${text}`;
}

/** An empty object for anything that is not an object. */
function received<Wire>(value: unknown): UnknownFields<Wire> {
	return isRecord(value) ? value : {};
}
