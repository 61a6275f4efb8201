import type { INodeOutputConfiguration } from 'n8n-workflow';

import { expressionOf, type StoredDecision, type StoredQuestion } from './storedDecision';

/**
 * The outputs of a node: for `route`, "Uncertain" and then those of the question routed by.
 *
 * The editor deletes the connections of an output that disappears, and it computes the outputs while a person types an ID.
 * As long as the ID matches no question, all items go to "Uncertain" anyway, so there are as many outputs as any question
 * needs.
 */
export function outputsOf({
	operation,
	questions,
	routeQuestion,
}: StoredDecision): INodeOutputConfiguration[] {
	const labelsOf = ({ type, entries }: StoredQuestion): string[] => {
		if (type === 'noul') return ['Yes', 'No'];
		if (type !== 'choice' && type !== 'score') return [];
		return entries.map((label, index) => label || `${type === 'choice' ? 'Option' : 'Level'} ${index + 1}`);
	};
	if (operation !== 'route') return [{ type: 'main' }];
	const named = routeQuestion === '' ? questions[0] : questions.find(({ id }) => id === routeQuestion);
	const labels = (named ? [named] : questions)
		.map(labelsOf)
		.reduce((longest, candidate) => (candidate.length > longest.length ? candidate : longest), []);
	return ['Uncertain'].concat(labels).map((displayName) => ({ type: 'main', displayName }));
}

export const OUTPUTS = expressionOf(outputsOf);
