import { expressionOf, type StoredDecision } from './storedDecision';

/**
 * Returns the text below the node's name on the canvas, such as "Route by team".
 * n8n evaluates this function's source text, so it must use nothing outside it.
 */
function subtitleOf({ operation, isJson, questions, routeQuestion }: StoredDecision): string {
	if (operation === 'evaluate') return 'Evaluate answers';
	if (isJson) return 'Answer questions as JSON';
	const ids = questions.map(({ id }) => (id === '' ? '?' : id));
	if (operation === 'route') return `Route by ${routeQuestion || (ids[0] ?? '?')}`;
	const listed = ids.slice(0, 3).join(', ');
	return `Answer ${ids.length > 3 ? `${listed} and ${ids.length - 3} more` : listed || '?'}`;
}

export const SUBTITLE = expressionOf(subtitleOf);
