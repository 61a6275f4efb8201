import type { INodeProperties } from 'n8n-workflow';

import { decisive } from './expressionRules';
import { locatorField, textField, trimmed, type Field } from './Field';

/**
 * Makes a field for a model: its ID, or a choice from the list of the server's models. The ID comes first, because the service
 * documents no list, and because n8n shows a text that an older workflow stored under the first way of choosing.
 */
export function modelField({
	default: id = '',
	placeholder,
	...property
}: Omit<INodeProperties, 'type' | 'default' | 'name' | 'displayName'> & { default?: string }): Field<string> {
	const text = textField({
		displayName: 'Model',
		name: 'model',
		...property,
		type: 'resourceLocator',
		default: { mode: 'id', value: id },
		modes: [
			{ displayName: 'By ID', name: 'id', type: 'string', placeholder },
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: { searchListMethod: 'searchModels', searchable: true },
			},
		],
	});
	return locatorField(trimmed(decisive(text)));
}
