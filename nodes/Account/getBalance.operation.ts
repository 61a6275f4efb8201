import { balanceColumns, comparableBalance, hasNoBalance, hasTextWithoutNumber } from './balances';
import { decisive } from '../shared/fields/expressionRules';
import { numberField, option, shownIf } from '../shared/fields/Field';
import { simplify } from '../shared/fields/sharedFields';
import { operation } from '../shared/node/Operation';
import { inItems } from '../shared/text/wording';
import { present } from '../shared/values/present';
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
	begin: () => ({ notNumeric: 0, withoutAny: 0 }),
	run: async (item, values, counts) => {
		const { result } = await item.call(
			accountRequest((data, account) => {
				if (!values.simplify) return { json: account };
				const columns = balanceColumns(data);
				if (values.lowBelow === undefined) return { json: columns, columns };
				const isLow = comparableBalance(data, 'totalBalance') < values.lowBelow;
				return { json: { ...columns, is_low: isLow }, columns };
			}),
		);
		const { json, columns } = result;
		if (columns && hasTextWithoutNumber(columns)) counts.notNumeric++;
		if (columns && hasNoBalance(columns)) counts.withoutAny++;
		return { json };
	},
	summarize: ({ notNumeric, withoutAny }, { items }) =>
		present([
			notNumeric > 0 &&
				`A balance is null ${inItems(notNumeric, items.length)}, because the service sent a text that is not a number: look at the columns whose names end in _text.`,
			withoutAny > 0 && `The service sent no balance ${inItems(withoutAny, items.length)}.`,
		]).join(' ') || undefined,
});
