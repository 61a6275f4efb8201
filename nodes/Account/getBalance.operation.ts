import type { IDataObject } from 'n8n-workflow';

import { responseError } from '../../client/ServiceError';
import { field, named, option } from '../shared/Field';
import type { Operation } from '../shared/Operation';
import { ParameterError } from '../shared/ParameterError';
import { requestAccount, type AccountData } from './account';
import { isBelow, readDecimal, type Decimal } from './decimal';

/** A decimal as it was typed, undefined where none is given. */
const lowBelow = option(
	field(
		{
			displayName: 'Low Balance Below',
			name: 'lowBelow',
			type: 'number',
			typeOptions: { numberPrecision: 6 },
			default: 0,
			placeholder: 'e.g. 10',
			description: "Adds the field 'is_low', which tells whether the total balance is below this amount",
			displayOptions: { show: { '/simplify': [true] } },
		},
		(value, { subject }): Decimal | undefined => {
			if (value === undefined || value === null || String(value).trim() === '') return undefined;
			const limit = typeof value === 'object' ? undefined : readDecimal(String(value));
			if (!limit) throw new ParameterError(subject, 'must be a number');
			return limit;
		},
	),
);

export const getBalance: Operation = {
	value: 'getBalance',
	name: 'Get Balance',
	description: "Retrieve the account's balances as numbers and as exact text, with the time they were read",
	action: 'Get account balances',
	fields: [lowBelow],
	run: async (item) => {
		const limit = item.read(lowBelow);
		return await requestAccount(item, (data) => balancesOf(data, limit));
	},
};

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
			? `The service's response has no total balance to compare with ${named(lowBelow)}`
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
