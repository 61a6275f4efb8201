import { decisive } from '../shared/fields/expressionRules';
import { booleanField, integerField, orDefault, shownIf } from '../shared/fields/Field';
import { operation } from '../shared/node/Operation';
import { simplify } from '../shared/fields/sharedFields';
import { checkStyleList, listStyles, readStyles } from './styles';

/** n8n prescribes the texts of Return All and Limit. */
const returnAll = shownIf(
	decisive(
		booleanField({
			displayName: 'Return All',
			name: 'returnAll',
			default: true,
			description: 'Whether to return all results or only up to a given limit',
		}),
	),
	[simplify, true],
);

const limit = shownIf(
	orDefault(
		decisive(
			integerField({
				displayName: 'Limit',
				name: 'limit',
				typeOptions: { minValue: 1 },
				default: 50,
				description: 'Max number of results to return',
			}),
		),
	),
	[simplify, true],
	[returnAll, false],
);

export const getAll = operation({
	value: 'getAll',
	name: 'Get Many',
	description: 'List your voice styles, one item for each',
	action: 'Get many voice styles',
	fields: { returnAll, limit, simplify },
	run: async (item, values) => {
		if (!values.simplify) {
			const { result } = await item.call({ ...listStyles, read: checkStyleList });
			return { json: result };
		}
		const { result } = await item.call({ ...listStyles, read: readStyles });
		return result.slice(0, values.limit).map((style) => ({ json: style }));
	},
});
