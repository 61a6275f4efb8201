import type { BalanceField } from '../shared/balances';
import type { Decimal } from '../shared/decimal';

/** What a trigger looks out for. */
export interface Watch {
	event: 'balanceBelow' | 'balanceChanged';
	balanceField: BalanceField;
	/** Only for `balanceBelow`. */
	threshold?: Decimal;
}
