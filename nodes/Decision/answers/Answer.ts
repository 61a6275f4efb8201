import type { IDataObject } from 'n8n-workflow';

import { isEmpty, isRecord, type UnknownFields } from '../../../client/response/records';
import { numberOrNull } from '../../shared/text/numberOrNull';
import { hasErrorMessage, missingError } from '../../../client/response/errors';
import { responseFailure } from '../../../client/ServiceError';
import type { Answer as WireAnswer, BadRequestError, DecisionResponse } from '../../../contract/types';
import type { Question } from '../questions/Question';

/** A probability of at least this counts as yes. */
export const MIN_YES_PROBABILITY = 0.5;

/** A number may be outside its scale by this much, because the service may compute it as a sum and round. */
const ROUNDING_TOLERANCE = 1e-6;

/** A valid answer to a question. */
export interface Answer {
	/** "yes" or "no", the chosen option, or the level that is nearest to the score. */
	label: string;
	/** The probability of yes, from 0 to 1, or the score, within its levels. Null for a choice. */
	number: number | null;
	/** The confidence as the service sent it. Null for a yes-or-no question, and if it sends none. */
	confidence: number | null;
	/** The probabilities as the service sent them. Null for a yes-or-no question, and if it sends none. */
	probabilities: IDataObject | null;
}

/**
 * Reads the answers of a decision response, in the order of the questions. A confidence may be any number, because the service
 * does not document its range.
 * @param mayBeUnusable whether an answer with an impossible value becomes undefined instead of an error. Impossible are a
 * probability outside 0 to 1, an option that was not offered, a score outside its levels, and a number sent as text.
 * @throws CallFailure of kind `response` if an answer is missing, of another type, or to a question that was not asked, or if it
 * has an impossible value and `mayBeUnusable` is false
 */
export function readAnswers(
	body: unknown,
	questions: Question[],
	mayBeUnusable: boolean,
): Array<Answer | undefined> {
	const decision = toRecord<DecisionResponse & BadRequestError>(body);
	if (isEmpty(decision.answers) && hasErrorMessage(decision)) {
		throw missingError('answers', decision);
	}
	const given = toRecord<DecisionResponse['answers']>(decision.answers);
	const asked = new Set(questions.map(({ id }) => id));
	const added = Object.keys(given).find((id) => !asked.has(id));
	if (added !== undefined) {
		throw responseFailure(`The response answers a question that was not asked: "${added}"`);
	}
	return questions.map((question) => {
		const { id, type } = question;
		if (!Object.hasOwn(given, id)) throw responseFailure(`The response has no answer to question "${id}"`);
		const wire = toRecord<WireAnswer>(given[id]);
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
			const number = toScale(noul, 1);
			if (number === null) return undefined;
			const label = number >= MIN_YES_PROBABILITY ? 'yes' : 'no';
			return { label, number, confidence: null, probabilities: null };
		}
		case 'choice':
			if (typeof choice !== 'string' || !labels.includes(choice)) return undefined;
			return { label: choice, number: null, ...certainty };
		case 'score': {
			const number = toScale(score, labels.length - 1);
			if (number === null) return undefined;
			return { label: labels[Math.round(number)]!, number, ...certainty };
		}
	}
}

/**
 * Reads a number on a scale from 0. A number that rounding put outside the scale becomes its end. Returns null for anything else.
 */
export function toScale(value: unknown, highest: number): number | null {
	if (typeof value !== 'number') return null;
	const isOnScale = value >= -ROUNDING_TOLERANCE && value <= highest + ROUNDING_TOLERANCE;
	return isOnScale ? Math.min(Math.max(value, 0), highest) : null;
}

function problemOf(value: unknown, type: Question['type']): string {
	if (value === undefined) return `that lacks its value "${type}"`;
	// JSON.stringify would turn the Infinity of a number such as 1e400 into null.
	const text = typeof value === 'number' ? value : JSON.stringify(value);
	return `with an impossible value: ${type} is ${text}`;
}

/** Returns an empty object for anything that is not an object. */
function toRecord<Wire>(value: unknown): UnknownFields<Wire> {
	return isRecord(value) ? value : {};
}
