import { sentText } from '../../shared/fields/expressionRules';
import { entriesField, trimmed, type Field } from '../../shared/fields/Field';
import { shareField } from '../../shared/fields/shareField';
import { isBlank, visibleText } from '../../shared/text/composed';
import { firstDuplicate } from '../../shared/values/firstDuplicate';
import { questionError } from './questionError';
import { routeHint, sortableList } from './sortableList';

const nameAndDescription = {
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
};

const minConfidence = shareField({
	displayName: 'Minimum Confidence',
	name: 'minConfidence',
	default: '',
	description:
		"For this option, instead of the one under 'Thresholds'. Leave empty to use that one. At 0, it has no effect for this option.",
	displayOptions: { show: { '/operation': ['route'] } },
});

const ofChoice = optionsOf('choice', 'The options that the model may choose from', {
	...nameAndDescription,
	minConfidence,
});

const ofTags = optionsOf('tags', 'The options of which several may apply, or none', nameAndDescription);

/** Two properties are stored under this name: the options of a choice, and those of a question whose options may apply together. */
export const options: typeof ofChoice = {
	...ofChoice,
	properties: [...ofChoice.properties, ...ofTags.properties],
};

function optionsOf<Fields extends Record<string, Field>>(type: string, description: string, fields: Fields) {
	return entriesField(
		{
			displayName: 'Answer Options',
			name: 'options',
			...sortableList('Add Answer Option', 'name'),
			default: {},
			description,
			hint: routeHint('an option'),
			displayOptions: { show: { type: [type] } },
		},
		{
			displayName: 'Answer Option',
			name: 'option',
			fields,
			nameOf: (_, position, { subject }) => `${subject}: option ${position}`,
		},
	);
}

/**
 * Checks the names of options before anything is sent, because an answer is recognized by its name.
 * @throws ParameterError unless there is an option, and each has a name that looks like no other's
 */
export function checkOptions(id: string, names: string[]): void {
	if (names.length === 0) throw questionError(id, 'must have at least one option');
	const nameless = names.findIndex(isBlank);
	if (nameless !== -1) {
		throw questionError(id, `must have a name for every option: option ${nameless + 1} has none`);
	}
	const duplicate = firstDuplicate(names.map(visibleText));
	if (duplicate !== undefined) throw questionError(id, `must not have two options named "${duplicate}"`);
}
