import { limit, returnAll } from '../shared/fields/listFields';
import type { Operation } from '../shared/run/Operation';
import { simplify } from '../shared/fields/sharedFields';
import { decodeStyleList, decodeStyles, listStyles } from './styles';

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
