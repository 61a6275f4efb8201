import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { responseError } from '../../client/ServiceError';
import type { ItemCall } from '../shared/ItemCall';
import type { Operation } from '../shared/Operation';
import { ParameterError } from '../shared/ParameterError';
import { requestAccount, type AccountData } from './account';
import { isBelow, readDecimal, type Decimal } from './decimal';

const lowBelow: INodeProperties = {
	displayName: 'Low Below',
	name: 'lowBelow',
	type: 'number',
	typeOptions: { numberPrecision: 6 },
	default: 0,
	placeholder: 'e.g. 10',
	description: "Adds the field 'is_low', which tells whether the total balance is below this amount",
	displayOptions: { show: { '/simplify': [true] } },
};

export const getBalance: Operation = {
	value: 'getBalance',
	name: 'Get Balance',
	description: "Retrieve the account's balances as numbers and as exact text, with the time they were read",
	action: 'Get account balances',
	fields: [],
	optionFields: [lowBelow],
	run: async (item) => {
		const limit = readLimit(item);
		return await requestAccount(item, (data) => balancesOf(data, limit));
	},
};

function readLimit(item: ItemCall): Decimal | undefined {
	const text = item.text('options.lowBelow').trim();
	if (text === '') return undefined;
	const limit = readDecimal(text);
	if (!limit) throw new ParameterError('options.lowBelow', 'must be a number');
	return limit;
}

function balancesOf(
	{ balance, chargeBalance, totalBalance }: AccountData,
	limit: Decimal | undefined,
): IDataObject {
	const total = readAmount(totalBalance);
	return {
		checked_at: new Date().toISOString(),
		balance: toNumber(readAmount(balance)),
		charge_balance: toNumber(readAmount(chargeBalance)),
		total_balance: toNumber(total),
		balance_text: readAmount(balance),
		charge_balance_text: readAmount(chargeBalance),
		total_balance_text: total,
		...(limit ? { is_low: isLow(total, limit) } : {}),
	};
}

/** An alert that cannot be judged must not look like one that is not due. */
function isLow(total: string | null, limit: Decimal): boolean {
	const amount = readDecimal(total ?? '');
	if (amount) return isBelow(amount, limit);
	throw responseError(
		total === null
			? "The service's answer has no total balance to compare with options.lowBelow"
			: `The total balance in the service's answer is not a decimal number: "${total}"`,
	);
}

function readAmount(value: unknown): string | null {
	return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

/** The nearest number, with zero unsigned: a sheet shows no minus for it. */
function toNumber(amount: string | null): number | null {
	return amount === null || !readDecimal(amount) ? null : Number(amount) + 0;
}
