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
 * Returns whether a stored value, or a value within it, contains something like `$json.message` outside an expression's braces. The
 * rules for the function above apply to this one too.
 */
function hasBareExpression(parameters: INodeParameters): boolean {
	const isBare = (text: string) => {
		const outsideBraces = text.split('{{').map((part) => part.split('}'.repeat(2)).pop());
		const plain = text.startsWith('=') ? outsideBraces.join(' ') : text;
		return /\$(json|input|node|binary|vars|env|execution|workflow|prevNode)(\?\.|\.|\[)|\$(fromAI)?\(\s*['"]/.test(
			plain,
		);
	};
	const holdsBare = (value: unknown): boolean => {
		if (typeof value === 'string') return isBare(value);
		// The names of fields to send may be written so.
		return (
			typeof value === 'object' &&
			value !== null &&
			Object.entries(value).some(([name, inner]) => name !== 'stateFields' && holdsBare(inner))
		);
	};
	return holdsBare(parameters);
}

/**
 * Returns whether a stop sequence is fixed text in which somebody typed a line break or a tab as a backslash and a letter. The rules
 * for the first function apply to this one too.
 */
function hasTypedEscape({ operation, options }: INodeParameters): boolean {
	const sequences = (options as INodeParameters | undefined)?.stopSequences;
	const isTyped = (text: unknown) =>
		typeof text === 'string' && !text.startsWith('=') && /\\[nrt]/.test(text);
	return operation !== 'chat' && Array.isArray(sequences) && sequences.some(isTyped);
}

/**
 * This is a hint before a run for a text such as `{{ $json.message }}` that was typed while the field was set to "Fixed". It is
 * not an error, because somebody may want to send the braces themselves.
 */
export const fixedTextHint = hintIf(
	hasFixedTemplate,
	'beforeExecution',
	"A field contains {{ }} but is set to 'Fixed', so its text is used as it stands. To fill in values of the item, switch that field to 'Expression'.",
);

/**
 * This is a hint for an expression that was typed without its braces, which nobody wants to send. So it is also visible above the
 * output of an earlier run, while a person changes the node.
 */
export const bareExpressionHint = hintIf(
	hasBareExpression,
	'always',
	"A field contains an expression without {{ }}, such as $json.message, so its text is used as it stands. To fill in values of the item, write {{ $json.message }}, and switch the field to 'Expression'.",
);

/** Tells before a run of a stop sequence that never matches. It is not an error, because code has such texts. */
export const typedEscapeHint = hintIf(
	hasTypedEscape,
	'beforeExecution',
	'A stop sequence has \\n, \\r or \\t in fixed text, which is sent as a backslash and a letter. For a line break, switch it to \'Expression\', and write {{ "\\n" }}.',
);

export const fixedTextHints = [fixedTextHint, bareExpressionHint];

function hintIf(
	holds: (parameters: INodeParameters) => boolean,
	whenToDisplay: NodeHint['whenToDisplay'],
	message: string,
): NodeHint {
	return {
		message,
		type: whenToDisplay === 'always' ? 'warning' : 'info',
		location: 'outputPane',
		whenToDisplay,
		// In `$parameter`, n8n has already resolved the expressions. In `$rawParameter` they are as stored.
		displayCondition: `={{ (${String(holds)})($rawParameter) }}`,
	};
}
