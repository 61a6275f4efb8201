import { named } from '../../shared/fields/Field';
import { ParameterError } from '../../shared/fields/ParameterError';
import type { Execution } from '../../shared/run/Execution';
import { readStored, type StoredQuestion } from '../editor/storedDecision';
import { typedQuestions } from '../questions/typedQuestions';
import { routeQuestion } from './routingFields';

const FIXED =
	'must be a fixed value without "{{", because n8n computes the outputs of the node before it runs';

/**
 * n8n computes the outputs from the stored parameters, so nothing that they depend on may be an expression. It drops an
 * expression that would give a whole list or an entry, so that the list is incomplete, which is an error too.
 * @throws ParameterError
 */
export function checkFixed({ parameters, context }: Execution): void {
	if (isExpression(parameters.stored(routeQuestion))) throw new ParameterError(named(routeQuestion), FIXED);
	readStored(context.getNode().parameters).questions.forEach((question, index) => {
		const open = openPartOf(question);
		if (open === undefined) return;
		const { id } = question;
		const hasName = id !== '' && !isExpression(id);
		const subject = hasName ? `question "${id}"` : `${named(typedQuestions)}: question ${index + 1}`;
		throw new ParameterError(`${subject}: ${open}`, FIXED);
	});
}

/** The part of a question that an expression gives, if the outputs depend on it. */
function openPartOf({ id, type, entries }: StoredQuestion): string | undefined {
	if (isExpression(id)) return 'ID';
	if (isExpression(type)) return 'type';
	if (!entries.some(isExpression)) return undefined;
	if (type === 'choice') return "each option's name";
	return type === 'score' ? 'each level' : undefined;
}

/** In a parameter with `noDataExpression`, n8n removes the equals sign before the node sees it. */
function isExpression(value: unknown): boolean {
	return typeof value === 'string' && (value.startsWith('=') || value.includes('{{'));
}
