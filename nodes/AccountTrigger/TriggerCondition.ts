import type { BalanceField } from '../shared/http/balances';
import type { Decimal } from '../shared/text/decimal';

/** When a trigger starts the workflow. */
export interface TriggerCondition {
	event: 'balanceBelow' | 'balanceChanged';
	balanceField: BalanceField;
	/** Only for `balanceBelow`. */
	threshold?: Decimal;
}
