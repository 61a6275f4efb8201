import { balanceColumns, comparableBalance } from './balances';
import { numberField, option } from '../shared/fields/Field';
import type { Operation } from '../shared/run/Operation';
import { requestAccount } from './requestAccount';

const lowBelow = option(
	numberField({
		displayName: 'Low Balance Below',
		name: 'lowBelow',
		default: 0,
		placeholder: 'e.g. 10',
		description: "Adds the field 'is_low', which says whether the total balance is below this amount",
		hint: "In your account's currency",
		displayOptions: { show: { '/simplify': [true] } },
	}),
);

export const getBalance: Operation = {
	value: 'getBalance',
	name: 'Get Balance',
	description: "Retrieve the account's balances as numbers and as exact text, with the time they were read",
	action: 'Get account balances',
	fields: [lowBelow],
	run: async (item) => {
		const limit = item.read(lowBelow);
		return await requestAccount(item, (data) => ({
			...balanceColumns(data),
			...(limit === undefined ? {} : { is_low: comparableBalance(data, 'totalBalance') < limit }),
		}));
	},
};
