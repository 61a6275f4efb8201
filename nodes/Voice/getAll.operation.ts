import { booleanField, integerField, orDefault } from '../shared/fields/Field';
import type { Operation } from '../shared/run/Operation';
import { simplify } from '../shared/fields/sharedFields';
import { decodeStyleList, decodeStyles, listStyles } from './styles';

/** How many entries of a list to return; n8n prescribes these texts. */
const returnAll = booleanField({
	displayName: 'Return All',
	name: 'returnAll',
	default: true,
	description: 'Whether to return all results or only up to a given limit',
	displayOptions: { show: { simplify: [true] } },
});

const limit = orDefault(
	integerField({
		displayName: 'Limit',
		name: 'limit',
		typeOptions: { minValue: 1 },
		default: 50,
		description: 'Max number of results to return',
		displayOptions: { show: { simplify: [true], returnAll: [false] } },
	}),
);

export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	description: 'List your voice styles, one item for each',
	action: 'Get many voice styles',
	fields: [returnAll, limit],
	run: async (item) => {
		if (!item.read(simplify)) {
			const { result } = await item.call({ ...listStyles, decode: decodeStyleList });
			return { json: result };
		}
		const count = item.read(returnAll) ? undefined : item.read(limit);
		const { result } = await item.call({ ...listStyles, decode: decodeStyles });
		return result.slice(0, count).map((style) => ({ json: style }));
	},
};
