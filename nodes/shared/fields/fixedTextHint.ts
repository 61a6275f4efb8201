import type { INodeParameters, NodeHint } from 'n8n-workflow';

/**
 * Whether a stored value, or one within it, contains `{{ … }}` although it is no expression. n8n evaluates the source text of this
 * function in its own sandbox, so the function calls nothing outside itself, and contains no two closing braces in a row.
 */
function hasFixedTemplate(parameters: INodeParameters): boolean {
	const holdsTemplate = (value: unknown): boolean => {
		if (typeof value === 'string') {
			const start = value.startsWith('=') ? -1 : value.indexOf('{{');
			return start !== -1 && value.includes('}'.repeat(2), start);
		}
		return typeof value === 'object' && value !== null && Object.values(value).some(holdsTemplate);
	};
	return holdsTemplate(parameters);
}

/**
 * Shown before a run of a node with a text such as `{{ $json.message }}` that was typed while the field's switch stood on
 * "Fixed". Nothing is refused, because a text may mean braces as they stand.
 */
export const fixedTextHint: NodeHint = {
	message:
		"A field contains {{ }} but is set to 'Fixed', so its text is used as it stands. To fill in values of the item, switch that field to 'Expression'.",
	type: 'info',
	location: 'outputPane',
	whenToDisplay: 'beforeExecution',
	// Unlike `$parameter`, `$rawParameter` holds expressions as they are stored.
	displayCondition: `={{ (${String(hasFixedTemplate)})($rawParameter) }}`,
};
