import { sentText } from '../../shared/fields/expressionRules';
import { entriesField } from '../../shared/fields/Field';
import { firstDuplicate } from '../../shared/text/firstDuplicate';
import { questionError } from './questionError';
import { ROUTE_HINT, sortableList } from './sortableList';

export const options = entriesField(
	{
		displayName: 'Answer Options',
		name: 'options',
		...sortableList('Add Answer Option', 'name'),
		default: {},
		description: 'The options that the model may choose from',
		hint: ROUTE_HINT,
		displayOptions: { show: { type: ['choice'] } },
	},
	{
		displayName: 'Answer Option',
		name: 'option',
		fields: {
			name: sentText({
				displayName: 'Name',
				name: 'name',
				placeholder: 'e.g. billing',
				description: 'The answer if the model chooses this option',
			}),
			description: sentText({
				displayName: 'Description',
				name: 'description',
				typeOptions: { rows: 2 },
				placeholder: 'e.g. Invoices and refunds',
				description:
					'When this option fits, in words that your items use. Helps the model tell similar options apart.',
			}),
		},
		nameOf: (_, position, { subject }) => `${subject}: option ${position}`,
	},
);

/** @throws ParameterError unless each option has a name of its own */
export function checkOptions(id: string, names: string[]): void {
	if (names.length === 0) throw questionError(id, 'must have at least one option');
	if (names.some((name) => name.trim() === '')) {
		throw questionError(id, 'must have a name for every option');
	}
	const duplicate = firstDuplicate(names);
	if (duplicate !== undefined) throw questionError(id, `must not have two options named "${duplicate}"`);
}
