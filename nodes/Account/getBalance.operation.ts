import { balanceColumns, comparableBalance } from './balances';
import { decisive } from '../shared/fields/expressionRules';
import { numberField, option, shownIf } from '../shared/fields/Field';
import { simplify } from '../shared/fields/sharedFields';
import { operation } from '../shared/node/Operation';
import { accountRequest } from './accountRequest';

const lowBelow = shownIf(
	option(
		decisive(
			numberField({
				displayName: 'Low Balance Below',
				name: 'lowBelow',
				default: 0,
				placeholder: 'e.g. 10',
				description: "Adds the field 'is_low', which says whether 'total_balance' is below this amount",
				hint: "In your account's currency. With 0, 'is_low' is true only below zero.",
			}),
		),
	),
	[simplify, true],
);

export const getBalance = operation({
	value: 'getBalance',
	name: 'Get Balance',
	description:
		"Retrieve the account's three balances, each as a number to calculate with, and as the text that the service wrote",
	action: 'Get account balances',
	fields: { lowBelow, simplify },
	run: async (item, values) => {
		const { result } = await item.call(
			accountRequest((data, account) => {
				if (!values.simplify) return account;
				const columns = balanceColumns(data);
				if (values.lowBelow === undefined) return columns;
				return { ...columns, is_low: comparableBalance(data, 'totalBalance') < values.lowBelow };
			}),
		);
		return { json: result };
	},
});
