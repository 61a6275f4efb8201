import { responseFailure } from '../../client/ServiceError';
import type { AccountData } from './accountRequest';

export type BalanceField = keyof typeof WORDS;

const WORDS = { totalBalance: 'total balance', balance: 'balance', chargeBalance: 'charge balance' };

/**
 * The balances of an account, read now, as a row for a sheet: as numbers, and exactly as the service wrote them. A value that
 * is missing or not a number is null.
 */
export function balanceColumns({ balance, chargeBalance, totalBalance }: AccountData) {
	return {
		checked_at: new Date().toISOString(),
		balance: numberOf(readAmount(balance)),
		charge_balance: numberOf(readAmount(chargeBalance)),
		total_balance: numberOf(readAmount(totalBalance)),
		balance_text: readAmount(balance),
		charge_balance_text: readAmount(chargeBalance),
		total_balance_text: readAmount(totalBalance),
	};
}

/**
 * The balance to compare. If there is none, this throws, because an alert that cannot be checked must not look like one that
 * is not due.
 * @throws CallFailure if there is no number
 */
export function comparableBalance(data: AccountData, field: BalanceField): number {
	const amount = readAmount(data[field]);
	const number = numberOf(amount);
	if (number !== null) return number;
	throw responseFailure(
		amount === null
			? `The service's response has no ${WORDS[field]} to compare`
			: `The ${WORDS[field]} in the service's response is not a number: "${amount}"`,
	);
}

function readAmount(value: unknown): string | null {
	return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

/** Null for text that is no number. Adding 0 makes -0 a plain 0, because a sheet would show its minus. */
function numberOf(amount: string | null): number | null {
	const number = amount === null || amount.trim() === '' ? NaN : Number(amount);
	return Number.isFinite(number) ? number + 0 : null;
}
