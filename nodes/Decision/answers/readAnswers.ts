import { hasErrorMessage, missingError } from '../../../client/response/errors';
import { isEmpty, isRecord, type UnknownFields } from '../../../client/values/records';
import { responseFailure } from '../../../client/ServiceError';
import type { Answer as WireAnswer, BadRequestError, DecisionResponse } from '../../../contract/types';
import { labelKey } from '../../shared/text/composed';
import type { AskedQuestion, Question } from '../questions/Question';
import type { Answer } from './Answer';

/**
 * Reads the answers of a decision response, in the order of the questions.
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
	const asked = new Set(questions.flatMap((question) => question.asked.map(({ id }) => labelKey(id))));
	const givenByKey = new Map<string, unknown>();
	for (const [id, answer] of Object.entries(given)) {
		const key = labelKey(id);
		if (!asked.has(key) || givenByKey.has(key)) {
			throw responseFailure(`The response answers a question that was not asked: "${id}"`);
		}
		givenByKey.set(key, answer);
	}
	return questions.map((question) => {
		const answers = question.asked.map((one) => readAnswer(givenByKey, one, mayBeUnusable));
		const usable = answers.filter((answer) => answer !== undefined);
		return usable.length === answers.length ? question.answerOf(usable) : undefined;
	});
}

function readAnswer(
	given: ReadonlyMap<string, unknown>,
	{ id, wire: { type }, read }: AskedQuestion,
	mayBeUnusable: boolean,
): Answer | undefined {
	const key = labelKey(id);
	if (!given.has(key)) throw responseFailure(`The response has no answer to question "${id}"`);
	const wire = toRecord<WireAnswer>(given.get(key));
	if (wire.type !== type) {
		const found = wire.type === undefined ? 'no type' : `type ${JSON.stringify(wire.type)}`;
		throw responseFailure(`The answer to question "${id}" must have type "${type}", but has ${found}`);
	}
	const answer = read(wire);
	if (answer || mayBeUnusable) return answer;
	throw responseFailure(`The response has an answer to question "${id}" ${problemOf(wire[type], type)}`);
}

function problemOf(value: unknown, type: string): string {
	if (value === undefined) return `that lacks its value "${type}"`;
	// JSON.stringify would turn the Infinity of a number such as 1e400 into null.
	const text = typeof value === 'number' ? value : JSON.stringify(value);
	return `with an impossible value: ${type} is ${text}`;
}

/** Returns an empty object for anything that is not an object. */
function toRecord<Wire>(value: unknown): UnknownFields<Wire> {
	return isRecord(value) ? value : {};
}
