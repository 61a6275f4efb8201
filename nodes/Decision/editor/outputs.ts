import type { INodeOutputConfiguration } from 'n8n-workflow';

import { expressionOf, type StoredDecision } from './storedDecision';

/**
 * Returns the outputs of a node. For `route`, these are "Uncertain" and one for each answer of the question that chooses the
 * output.
 *
 * The editor deletes the connections of an output that disappears, and it computes the outputs again at each letter that a person
 * types into an ID. So while the ID matches no question, there are as many outputs as the question with the most answers needs.
 * n8n evaluates this function's source text, so it must use nothing outside it.
 */
export function outputsOf({
	operation,
	questions,
	routeQuestion,
}: StoredDecision): INodeOutputConfiguration[] {
	if (operation !== 'route') return [{ type: 'main' }];
	const named = routeQuestion === '' ? questions[0] : questions.find(({ id }) => id === routeQuestion);
	const labels = (named ? [named] : questions)
		.map(({ type, entries }) => type.outputsOf(entries))
		.reduce((longest, candidate) => (candidate.length > longest.length ? candidate : longest), []);
	return ['Uncertain'].concat(labels).map((displayName) => ({ type: 'main', displayName }));
}

export const OUTPUTS = expressionOf(outputsOf);
