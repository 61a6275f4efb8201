import type { Account as AccountBody } from '../contract/types';

const FRACTION_DIGITS = 6;
const DECIMAL = new RegExp(`^(-?)(\\d+)(?:\\.(\\d{1,${FRACTION_DIGITS}}))?$`);

/** Describes which fields of an account can be set. Amounts are decimals with at most six digits after the point. */
export interface AccountChange {
	id?: string;
	balance?: string;
	chargeBalance?: string;
}

/** Represents the caller's account. Generated tokens cost a millionth each, first from `balance`, then from `chargeBalance`. */
export class Account {
	private id = 'user_000001';
	private balance = 5_000_000n;
	private chargeBalance = 95_000_000n;

	/** Sets the given fields, and keeps the others. Throws a TypeError when an amount is not a decimal. */
	set({ id = this.id, balance, chargeBalance }: AccountChange): void {
		const newBalance = balance === undefined ? this.balance : toMillionths(balance);
		const newChargeBalance = chargeBalance === undefined ? this.chargeBalance : toMillionths(chargeBalance);
		this.id = id;
		this.balance = newBalance;
		this.chargeBalance = newChargeBalance;
	}

	/** Deducts the price of this many tokens from the balances. */
	charge(tokens: number): void {
		const price = BigInt(tokens);
		const fromBalance = price < this.balance ? price : this.balance;
		this.balance -= fromBalance;
		this.chargeBalance -= price - fromBalance;
	}

	/** Returns the response body of GET /user/info. */
	describe(): AccountBody {
		return {
			code: 20000,
			message: 'OK',
			status: true,
			data: {
				id: this.id,
				name: 'Emulated User',
				image: 'https://service.invalid/avatar.png',
				email: 'user@example.com',
				isAdmin: false,
				balance: toDecimal(this.balance),
				status: 'normal',
				introduction: '',
				role: 'user',
				chargeBalance: toDecimal(this.chargeBalance),
				totalBalance: toDecimal(this.balance + this.chargeBalance),
			},
		};
	}
}

function toMillionths(decimal: string): bigint {
	const [matched, sign, whole, fraction = ''] = DECIMAL.exec(decimal) ?? [];
	if (matched === undefined) throw new TypeError(`${decimal} is not an amount such as 9.99`);
	const amount = BigInt(`${whole}${fraction.padEnd(FRACTION_DIGITS, '0')}`);
	return sign === '-' ? -amount : amount;
}

function toDecimal(millionths: bigint): string {
	const sign = millionths < 0n ? '-' : '';
	const digits = (millionths < 0n ? -millionths : millionths).toString().padStart(FRACTION_DIGITS + 1, '0');
	return `${sign}${digits.slice(0, -FRACTION_DIGITS)}.${digits.slice(-FRACTION_DIGITS)}`;
}
