import { sentText } from '../../shared/fields/expressionRules';
import { entriesField, trimmed } from '../../shared/fields/Field';
import { routeHint, sortableList } from './sortableList';

export const MIN_LEVELS = 2;
export const MAX_LEVELS = 10;

export const levels = entriesField(
	{
		displayName: 'Levels',
		name: 'levels',
		...sortableList('Add Level', 'description'),
		default: {},
		description: `${MIN_LEVELS} to ${MAX_LEVELS} levels of the scale, the lowest first`,
		hint: routeHint('a level'),
		displayOptions: { show: { type: ['score'] } },
	},
	{
		displayName: 'Level',
		name: 'level',
		fields: {
			description: trimmed(
				sentText({
					displayName: 'Level',
					name: 'description',
					placeholder: 'e.g. Slightly annoyed',
					description: 'What this level of the scale means',
				}),
			),
		},
		nameOf: (_, position, { subject }) => `${subject}: level ${position}`,
	},
);
