import { simplify } from '../shared/fields/sharedFields';
import { operation } from '../shared/node/Operation';
import { accountRequest } from './accountRequest';

export const get = operation({
	value: 'get',
	name: 'Get',
	description: "Retrieve the account's name, email address, role, status and balances",
	action: 'Get account',
	fields: { simplify },
	run: async (item, values) => {
		const { result } = await item.call(accountRequest((data, account) => (values.simplify ? data : account)));
		return { json: result };
	},
});
