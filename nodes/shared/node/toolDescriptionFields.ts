import { NodeHelpers, type INodeProperties, type INodePropertyOptions } from 'n8n-workflow';

import { field, type Field } from '../fields/Field';

/**
 * Since about 2.30, n8n resolves an expression in a tool's description. Older versions would give the agent the expression
 * itself, so there n8n's own parameter is kept, whose default is the node's description.
 */
const RESOLVES_EXPRESSIONS = NodeHelpers.getToolDescriptionForNode?.length >= 3;

/**
 * Makes the fields for the description that an agent gets of a tool: either the result of the expression `text`, or a text that a
 * person writes. n8n does not add its own fields to a node that has these. Returns no fields for versions that cannot use them.
 * @param automatic the dropdown's entry for `text`. Its value must not be `auto`, for which n8n would use the node's description.
 */
export function toolDescriptionFields(
	automatic: INodePropertyOptions & { value: string },
	{ text, placeholder }: { text: `={{ ${string} }}`; placeholder: string },
): Field[] {
	if (!RESOLVES_EXPRESSIONS) return [];
	const { value } = automatic;
	const manual = { name: 'Define Below', value: 'manual', description: 'Write your own description' };
	const shown = (property: INodeProperties, when?: Record<string, string[]>) =>
		field({ ...property, displayOptions: { show: { '@tool': [true], ...when } } }, String);
	const described = { displayName: 'Description', name: 'toolDescription' };
	return [
		shown({
			displayName: 'Tool Description',
			name: 'descriptionType',
			type: 'options',
			noDataExpression: true,
			options: [manual, automatic],
			default: value,
			description: 'The tool description that the agent reads: generated from the settings, or your own',
		}),
		shown({ ...described, type: 'hidden', default: text }, { descriptionType: [value] }),
		shown(
			{
				...described,
				type: 'string',
				typeOptions: { rows: 2 },
				default: '',
				placeholder,
				description: 'What the tool is for, and when to use it',
			},
			{ descriptionType: [manual.value] },
		),
	];
}
