import { numberField, optionsField, orDefault, required } from '../shared/fields/Field';
import { plainProperties } from '../shared/run/nodeProperties';
import { callOptions } from '../shared/fields/sharedFields';

export const event = orDefault(
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

export const balanceField = orDefault(
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
		description: 'Which balance to watch',
	}),
);

export const threshold = required(
	numberField({
		displayName: 'Threshold',
		name: 'threshold',
		required: true,
		default: 10,
		description:
			'The workflow starts once when the balance falls below this amount. It starts again only after the balance has recovered and fallen again.',
		hint: "In your account's currency",
		displayOptions: { show: { event: ['balanceBelow'] } },
	}),
);

export const options = callOptions({ timeout: 60_000 });

export const TRIGGER_PROPERTIES = plainProperties([
	event,
	balanceField,
	threshold,
	...Object.values(options),
]);
