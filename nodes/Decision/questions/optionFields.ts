import { sentText } from '../../shared/fields/expressionRules';
import { entriesField, trimmed } from '../../shared/fields/Field';
import { labelKey } from '../../shared/text/composed';
import { firstDuplicate } from '../../shared/text/firstDuplicate';
import { questionError } from './questionError';
import { routeHint, sortableList } from './sortableList';

export const options = entriesField(
	{
		displayName: 'Answer Options',
		name: 'options',
		...sortableList('Add Answer Option', 'name'),
		default: {},
		description: 'The options that the model may choose from',
		hint: routeHint('an option'),
		displayOptions: { show: { type: ['choice'] } },
	},
	{
		displayName: 'Answer Option',
		name: 'option',
		fields: {
			name: trimmed(
				sentText({
					displayName: 'Name',
					name: 'name',
					placeholder: 'e.g. billing',
					description: 'The answer if the model chooses this option',
				}),
			),
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
	const nameless = names.indexOf('');
	if (nameless !== -1) {
		throw questionError(id, `must have a name for every option: option ${nameless + 1} has none`);
	}
	const duplicate = firstDuplicate(names.map(labelKey));
	if (duplicate !== undefined) throw questionError(id, `must not have two options named "${duplicate}"`);
}
