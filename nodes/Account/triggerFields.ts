import { decisive } from '../shared/fields/expressionRules';
import {
	numberField,
	optionsField,
	orDefault,
	required,
	shownIf,
	type ValuesOf,
} from '../shared/fields/Field';
import { plainProperties } from '../shared/node/nodeProperties';
import { callOptions } from '../shared/fields/sharedFields';

const event = orDefault(
	optionsField({
		displayName: 'Event',
		name: 'event',
		noDataExpression: true,
		options: [
			{
				name: 'Balance Below Threshold',
				value: 'balanceBelow',
				description: 'Once, when the balance falls below the threshold',
			},
			{
				name: 'Balance Changed',
				value: 'balanceChanged',
				description: 'Whenever the balance changes',
			},
		],
		default: 'balanceBelow',
	}),
);

const balanceField = orDefault(
	optionsField({
		displayName: 'Balance',
		name: 'balanceField',
		noDataExpression: true,
		options: [
			{ name: 'Balance', value: 'balance' },
			{ name: 'Charge Balance', value: 'chargeBalance' },
			{ name: 'Total Balance', value: 'totalBalance' },
		],
		default: 'totalBalance',
		description:
			"Which of the account's three balances to watch. 'Low Balance Below' of the Inference Account node looks at the total balance.",
	}),
);

const threshold = shownIf(
	required(
		decisive(
			numberField({
				displayName: 'Threshold',
				name: 'threshold',
				required: true,
				default: 10,
				description:
					'The workflow starts once when the balance falls below this amount. It starts again only after the balance has recovered and fallen again.',
				hint: "In your account's currency",
			}),
		),
	),
	[event, 'balanceBelow'],
);

export const conditionFields = { event, balanceField, threshold };

/** Describes the condition under which a trigger starts the workflow. The threshold is undefined for `balanceChanged`. */
export type TriggerCondition = ValuesOf<typeof conditionFields>;

export const options = callOptions({ timeoutMs: 60_000 });

export const TRIGGER_PROPERTIES = plainProperties([
	...Object.values(conditionFields),
	...Object.values(options),
]);
