import { subjectOf } from '../../shared/fields/Field';
import { isExpression } from '../../shared/fields/expressionText';
import { ParameterError } from '../../shared/fields/ParameterError';
import type { RunContext } from '../../shared/context/RunContext';
import { readStored, type StoredQuestion } from '../editor/storedDecision';
import { typeOf } from '../questions/questionTypes';
import { typedQuestions } from '../questions/typedQuestions';
import { routeQuestion } from './routingFields';

const FIXED_VALUE_RULE = 'must be a fixed value, because n8n computes the outputs of the node before it runs';

/**
 * Checks that no parameter that decides about the outputs is an expression, because n8n computes the outputs from the stored
 * parameters. An expression for a whole list or entry needs no check: n8n drops it, and the incomplete list is then an error.
 * @throws ParameterError
 */
export function checkFixed({ parameters, context }: RunContext): void {
	if (mayBeExpression(parameters.stored(routeQuestion))) {
		throw new ParameterError(subjectOf(routeQuestion), FIXED_VALUE_RULE);
	}
	readStored(context.getNode().parameters).questions.forEach((question, index) => {
		const expressionPart = expressionPartOf(question);
		if (expressionPart === undefined) return;
		const { id } = question;
		const hasName = id !== '' && !isExpression(id);
		const subject = hasName ? `question "${id}"` : `${subjectOf(typedQuestions)}: question ${index + 1}`;
		throw new ParameterError(`${subject}: ${expressionPart}`, FIXED_VALUE_RULE);
	});
}

/** Returns the part of a question that is an expression although the outputs depend on it, or undefined if there is none. */
function expressionPartOf({ id, storedType, entries }: StoredQuestion): string | undefined {
	if (isExpression(id)) return 'ID';
	if (mayBeExpression(storedType)) return 'type';
	return entries.some(isExpression) ? typeOf(storedType)?.outputPart : undefined;
}

/**
 * Returns whether the value of a parameter with `noDataExpression` was stored as an expression. n8n removes the equals sign of such
 * a value before the node sees it, so braces count too.
 */
function mayBeExpression(value: unknown): boolean {
	return isExpression(value) || (typeof value === 'string' && value.includes('{{'));
}
