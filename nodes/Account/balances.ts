import { isMissing } from '../../client/values/records';
import { responseFailure } from '../../client/ServiceError';
import type { AccountData } from './accountRequest';

type BalanceField = keyof typeof BALANCE_NAMES;

const NUMBER_COLUMNS = ['balance', 'charge_balance', 'total_balance'] as const;

const BALANCE_NAMES = { totalBalance: 'total balance', balance: 'balance', chargeBalance: 'charge balance' };

/**
 * Returns the balances of an account as a row for a sheet, each as a number and as the text that the service sent. A missing
 * balance is null, and so is the number of a balance that is not numeric.
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

type BalanceColumns = ReturnType<typeof balanceColumns>;

/** Returns whether a balance is a text that is not numeric. */
export function hasTextWithoutNumber(columns: BalanceColumns): boolean {
	return NUMBER_COLUMNS.some((name) => columns[name] === null && !isMissing(columns[`${name}_text`]));
}

/** Returns whether none of the balances is there. */
export function hasNoBalance(columns: BalanceColumns): boolean {
	return NUMBER_COLUMNS.every((name) => isMissing(columns[`${name}_text`]));
}

/**
 * Returns a balance for a comparison with a threshold.
 * @throws CallFailure if the balance is missing or not a number, because otherwise a low balance could go unnoticed
 */
export function comparableBalance(data: AccountData, field: BalanceField): number {
	const amount = readAmount(data[field]);
	const number = numberOf(amount);
	if (number !== null) return number;
	throw responseFailure(
		amount === null
			? `The service's response has no ${BALANCE_NAMES[field]} to compare`
			: `The ${BALANCE_NAMES[field]} in the service's response is not a number: "${amount}"`,
	);
}

function readAmount(value: unknown): string | null {
	return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

/**
 * Returns null for text that is not a decimal number. `Number` alone would read "0x10" too. Adding 0 turns -0 into 0, because a
 * sheet would show the minus sign.
 */
function numberOf(amount: string | null): number | null {
	const number = amount !== null && /^[\d.e+-]+$/i.test(amount.trim()) ? Number(amount) : NaN;
	return Number.isFinite(number) ? number + 0 : null;
}
