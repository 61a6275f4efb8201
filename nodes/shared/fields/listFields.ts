import { booleanField, integerField, orDefault } from './Field';

/** How many entries of a list to return; n8n prescribes these texts. */
export const returnAll = booleanField({
	displayName: 'Return All',
	name: 'returnAll',
	default: true,
	description: 'Whether to return all results or only up to a given limit',
	displayOptions: { show: { simplify: [true] } },
});

export const limit = orDefault(
	integerField({
		displayName: 'Limit',
		name: 'limit',
		typeOptions: { minValue: 1 },
		default: 50,
		description: 'Max number of results to return',
		displayOptions: { show: { simplify: [true], returnAll: [false] } },
	}),
);
