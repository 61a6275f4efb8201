import type { INodeParameters } from 'n8n-workflow';

/** What stands below the node's name on the canvas, such as "Route · 3 questions". An expression, as `outputsOf` is. */
function subtitleOf(parameters: INodeParameters): string {
	if (parameters.operation === 'evaluate') return 'Evaluate';
	const operation = parameters.operation === 'route' ? 'Route' : 'Answer';
	if (parameters.questionsSource === 'json' && operation === 'Answer') {
		return `${operation} · questions as JSON`;
	}
	const stored = parameters.questions as { question?: unknown } | undefined;
	const list = stored ? stored.question : undefined;
	const count = stored === undefined ? 1 : Array.isArray(list) ? list.length : 0;
	return `${operation} · ${count} ${count === 1 ? 'question' : 'questions'}`;
}

/** As in the node's description. */
export const SUBTITLE = `={{ (${String(subtitleOf)})($parameter) }}`;
