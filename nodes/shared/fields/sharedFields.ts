import { decisive } from './expressionRules';
import { booleanField, integerField, numberField, option, orDefault } from './Field';
import { billingFields, type BillingRules } from './billingFields';

export interface ItemDefaults {
	timeoutMs: number;
	includeOtherFields: boolean;
	concurrency: number;
	/** The rules are undefined for a node whose requests cost nothing. */
	billing?: BillingRules;
}

export type CallOptions = ReturnType<typeof callOptions>;

export type ItemOptions = ReturnType<typeof itemOptions>;

const INCLUDE_OTHER_FIELDS = {
	displayName: 'Include Other Input Fields',
	name: 'includeOtherFields',
	default: false,
	description:
		"Whether to include the input item's fields and files in the output. If names clash, the node's field is kept, and the hint after the run says so.",
	// This is not written as `show`, because operations without "Simplify" have this option too.
	displayOptions: { hide: { '/simplify': [false] } },
};

export const simplify = decisive(
	booleanField({
		displayName: 'Simplify',
		name: 'simplify',
		default: true,
		description: 'Whether to return a simplified version of the response instead of the raw data',
	}),
);

export function callOptions({ timeoutMs }: Pick<ItemDefaults, 'timeoutMs'>) {
	return {
		maxRetries: option(
			orDefault(
				decisive(
					integerField({
						displayName: 'Max Retries',
						name: 'maxRetries',
						typeOptions: { minValue: 0, maxValue: 10 },
						default: 3,
						description:
							'How many times to retry a request after a temporary failure. 0 turns off all retries, including those for rate limits.',
					}),
				),
			),
		),
		maxWaitSeconds: option(
			orDefault(
				decisive(
					numberField({
						displayName: 'Max Wait (Seconds)',
						name: 'maxWait',
						typeOptions: { minValue: 0 },
						default: 300,
						description:
							'Maximum total time that an item may wait for rate limits, and for a service that takes no requests',
					}),
				),
			),
		),
		timeoutMs: option(
			orDefault(
				decisive(
					integerField({
						displayName: 'Timeout (Milliseconds)',
						name: 'timeout',
						typeOptions: { minValue: 1, maxValue: 3_600_000 },
						default: timeoutMs,
						description:
							"Maximum time to wait for a response, or for its next chunk: 1 to 3600000. With 'Reuse Connections' in the credential: up to 300000.",
					}),
				),
			),
		),
	};
}

export function itemOptions({ includeOtherFields, concurrency, billing, ...defaults }: ItemDefaults) {
	const options = {
		...callOptions(defaults),
		concurrency: option(
			orDefault(
				decisive(
					integerField({
						displayName: 'Concurrency',
						name: 'concurrency',
						typeOptions: { minValue: 1, maxValue: 64 },
						default: concurrency,
						description: 'Maximum number of concurrent requests, from 1 to 64',
					}),
				),
			),
		),
		includeOtherFields: option(booleanField({ ...INCLUDE_OTHER_FIELDS, default: includeOtherFields })),
	};
	return { ...options, ...(billing ? billingFields : {}) };
}
