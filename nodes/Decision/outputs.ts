import type { INodeOutputConfiguration, INodeParameters } from 'n8n-workflow';

/**
 * The outputs of a node with these stored parameters: for `route`, "Uncertain" and then those of the question routed by.
 *
 * n8n computes outputs by an expression, in the server and in the editor, and this function's source text is that
 * expression. So it uses nothing outside itself, and contains no two closing braces in a row, which would end the
 * expression. It never throws, for then the node would have no outputs at all: parameters may be missing, or be
 * expressions, and n8n resolves one that stands at the top level while it is read here, where there is no item.
 *
 * The editor deletes the wires of an output that goes away, and it asks while an ID is being typed. As long as the ID
 * names no question, no item gets further than "Uncertain" anyway, so there are as many outputs as any question needs.
 */
export function outputsOf(parameters: INodeParameters): INodeOutputConfiguration[] {
	const read = (source: unknown, name: string): unknown => {
		try {
			return (source as Record<string, unknown>)[name];
		} catch {
			return undefined;
		}
	};
	const textOf = (value: unknown): string =>
		['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
	const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? Array.from(value) : []);
	const labelsOf = (question: unknown): string[] => {
		const type = read(question, 'type');
		if (type === undefined || type === 'noul') return ['Yes', 'No'];
		const isChoice = type === 'choice';
		if (!isChoice && type !== 'score') return [];
		const names = textOf(isChoice ? read(question, 'optionNames') : '')
			.split(',')
			.map((name) => name.trim())
			.filter((name) => name !== '');
		if (names.length > 0) return names;
		const list = isChoice
			? read(read(question, 'options'), 'option')
			: read(read(question, 'levels'), 'level');
		return listOf(list).map((entry, index) => {
			const label = textOf(read(entry, isChoice ? 'name' : 'description'));
			return label || `${isChoice ? 'Option' : 'Level'} ${index + 1}`;
		});
	};
	if (read(parameters, 'operation') !== 'route') return [{ type: 'main' }];
	const stored = read(parameters, 'questions');
	const questions = stored === undefined ? [{ type: 'noul' }] : listOf(read(stored, 'question'));
	const id = textOf(read(parameters, 'routeQuestion'));
	const named = id === '' ? questions[0] : questions.find((question) => textOf(read(question, 'id')) === id);
	const labels = (named ? [named] : questions)
		.map(labelsOf)
		.reduce((longest, candidate) => (candidate.length > longest.length ? candidate : longest), []);
	return ['Uncertain'].concat(labels).map((displayName) => ({ type: 'main', displayName }));
}

/** As in a node's description. */
export const OUTPUTS = `={{ (${String(outputsOf)})($parameter) }}` as const;
