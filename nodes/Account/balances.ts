import { responseError } from '../../client/ServiceError';
import type { AccountData } from './accountRequest';
import { readDecimal, type Decimal } from './decimal';

export type BalanceField = keyof typeof WORDS;

const WORDS = { totalBalance: 'total balance', balance: 'balance', chargeBalance: 'charge balance' };

/**
 * The balances of an account, read now, as a row for a sheet: as numbers, and exactly as the service wrote them. A value that
 * is missing or not a number is null.
 */
export function balanceColumns({ balance, chargeBalance, totalBalance }: AccountData) {
	return {
		checked_at: new Date().toISOString(),
		balance: toNumber(readAmount(balance)),
		charge_balance: toNumber(readAmount(chargeBalance)),
		total_balance: toNumber(readAmount(totalBalance)),
		balance_text: readAmount(balance),
		charge_balance_text: readAmount(chargeBalance),
		total_balance_text: readAmount(totalBalance),
	};
}

/**
 * The balance to compare. If there is none, this throws, because an alert that cannot be checked must not look like one that
 * is not due.
 * @throws ServiceError if there is no decimal number
 */
export function comparableBalance(data: AccountData, field: BalanceField): Decimal {
	const amount = readAmount(data[field]);
	const decimal = readDecimal(amount ?? '');
	if (decimal) return decimal;
	throw responseError(
		amount === null
			? `The service's response has no ${WORDS[field]} to compare`
			: `The ${WORDS[field]} in the service's response is not a decimal number: "${amount}"`,
	);
}

function readAmount(value: unknown): string | null {
	return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

/** The nearest number, with zero unsigned: a sheet shows no minus for it. */
function toNumber(amount: string | null): number | null {
	return amount === null || !readDecimal(amount) ? null : Number(amount) + 0;
}
