import type { BalanceField } from '../shared/http/balances';
import type { Decimal } from '../shared/text/decimal';

/** What a trigger looks out for. */
export interface Watch {
	event: 'balanceBelow' | 'balanceChanged';
	balanceField: BalanceField;
	/** Only for `balanceBelow`. */
	threshold?: Decimal;
}
