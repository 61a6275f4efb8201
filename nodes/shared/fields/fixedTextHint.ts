import type { INodeParameters, NodeHint } from 'n8n-workflow';

/**
 * Returns whether a stored value, or a value within it, contains `{{ … }}` but is not an expression. n8n evaluates the source text
 * of this function in its sandbox. So the function must use nothing outside itself, and must not contain two closing braces in a
 * row, which would end the expression.
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
 * A hint before a run for a text such as `{{ $json.message }}` that was typed while the field was set to "Fixed". It is not an
 * error, because somebody may want to send the braces themselves.
 */
export const fixedTextHint: NodeHint = {
	message:
		"A field contains {{ }} but is set to 'Fixed', so its text is used as it stands. To fill in values of the item, switch that field to 'Expression'.",
	type: 'info',
	location: 'outputPane',
	whenToDisplay: 'beforeExecution',
	// In `$parameter`, n8n has already resolved the expressions. In `$rawParameter` they are as stored.
	displayCondition: `={{ (${String(hasFixedTemplate)})($rawParameter) }}`,
};
