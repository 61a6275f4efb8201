import type { Account as AccountBody } from '../contract/types';

const fractionDigits = 6;

function decimal(millionths: bigint): string {
	const sign = millionths < 0n ? '-' : '';
	const digits = (millionths < 0n ? -millionths : millionths).toString().padStart(fractionDigits + 1, '0');
	return `${sign}${digits.slice(0, -fractionDigits)}.${digits.slice(-fractionDigits)}`;
}

/** The caller's account. Generated tokens cost a millionth each, first from `balance`, then from `chargeBalance`. */
export class Account {
	private balance = 5_000_000n;
	private chargeBalance = 95_000_000n;

	/** Takes the price of so many tokens off the balances. */
	charge(tokens: number): void {
		const price = BigInt(tokens);
		const fromBalance = price < this.balance ? price : this.balance;
		this.balance -= fromBalance;
		this.chargeBalance -= price - fromBalance;
	}

	/** The body of GET /user/info. */
	describe(): AccountBody {
		return {
			code: 20000,
			message: 'OK',
			status: true,
			data: {
				id: 'user_000001',
				name: 'Emulated User',
				image: 'https://service.invalid/avatar.png',
				email: 'user@example.com',
				isAdmin: false,
				balance: decimal(this.balance),
				status: 'normal',
				introduction: '',
				role: 'user',
				chargeBalance: decimal(this.chargeBalance),
				totalBalance: decimal(this.balance + this.chargeBalance),
			},
		};
	}
}
