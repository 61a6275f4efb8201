import { expressionOf, type StoredDecision } from './storedDecision';

/** What stands below the node's name on the canvas, such as "Route · 3 questions". */
function subtitleOf({ operation, isJson, questions }: StoredDecision): string {
	if (operation === 'evaluate') return 'Evaluate';
	const verb = operation === 'route' ? 'Route' : 'Answer';
	if (isJson) return `${verb} · questions as JSON`;
	return `${verb} · ${questions.length} ${questions.length === 1 ? 'question' : 'questions'}`;
}

/** As in the node's description. */
export const SUBTITLE = expressionOf(subtitleOf);
