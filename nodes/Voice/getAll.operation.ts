import type { IDataObject } from 'n8n-workflow';

import { decodeJsonObject } from '../../client/decodeJson';
import type { Operation } from '../shared/Operation';
import { decodeStyles, listStyles } from './styles';

export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	description: 'List your voice styles, one item for each',
	action: 'Get many voice styles',
	fields: [
		{
			displayName: 'Return All',
			name: 'returnAll',
			type: 'boolean',
			default: true,
			description: 'Whether to return all results or only up to a given limit',
			displayOptions: { show: { simplify: [true] } },
		},
		{
			displayName: 'Limit',
			name: 'limit',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 50,
			description: 'Max number of results to return',
			displayOptions: { show: { simplify: [true], returnAll: [false] } },
		},
	],
	optionFields: [],
	run: async (item) => {
		if (!item.boolean('simplify')) {
			const { result } = await item.call({ ...listStyles, decode: decodeJsonObject });
			return { json: result as IDataObject };
		}
		const limit =
			item.parameter('returnAll') === false
				? item.number('limit', { min: 1, max: Number.MAX_SAFE_INTEGER, integer: true }, 50)
				: undefined;
		const { result } = await item.call({ ...listStyles, decode: decodeStyles });
		return result.slice(0, limit).map((style) => ({ json: style }));
	},
};
