import { booleanField, integerField, numberField, option, orDefault } from './Field';
import { paidOnceFields, type PaidOnce } from './paidOnceFields';

interface CallDefaults {
	/** In milliseconds. */
	timeout: number;
}

export interface ItemDefaults extends CallDefaults {
	includeOtherFields: boolean;
	concurrency: number;
	/** Only for a node whose requests cost money. */
	paidOnce?: PaidOnce;
}

export type CallOptions = ReturnType<typeof callOptions>;

export type ItemOptions = ReturnType<typeof itemOptions>;

const INCLUDE_OTHER_FIELDS = {
	displayName: 'Include Other Input Fields',
	name: 'includeOtherFields',
	default: false,
	description:
		"Whether to include the input item's fields and files in the output. If both have a field of the same name, the node's is kept.",
	// `hide` instead of `show`, because an operation without "Simplify" has this option too.
	displayOptions: { hide: { '/simplify': [false] } },
};

export const simplify = booleanField({
	displayName: 'Simplify',
	name: 'simplify',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
});

export function callOptions({ timeout }: CallDefaults) {
	return {
		maxRetries: option(
			orDefault(
				integerField({
					displayName: 'Max Retries',
					name: 'maxRetries',
					typeOptions: { minValue: 0, maxValue: 10 },
					default: 3,
					description:
						'How often to retry a request that failed for a temporary reason. 0 turns off all retries, even after a rate limit.',
				}),
			),
		),
		/** In seconds. */
		maxWait: option(
			orDefault(
				numberField({
					displayName: 'Max Wait (Seconds)',
					name: 'maxWait',
					typeOptions: { minValue: 0 },
					default: 300,
					description: 'How long each item may wait for rate limits in total',
				}),
			),
		),
		/** In milliseconds. */
		timeout: option(
			orDefault(
				integerField({
					displayName: 'Timeout (Milliseconds)',
					name: 'timeout',
					typeOptions: { minValue: 1, maxValue: 3_600_000 },
					default: timeout,
					description:
						"Maximum time to wait for a response, or for its next chunk: 1 to 3600000. With 'Reuse Connections' in the credential: up to 300000.",
				}),
			),
		),
	};
}

export function itemOptions({ includeOtherFields, concurrency, paidOnce, ...defaults }: ItemDefaults) {
	const options = {
		...callOptions(defaults),
		concurrency: option(
			orDefault(
				integerField({
					displayName: 'Concurrency',
					name: 'concurrency',
					typeOptions: { minValue: 1, maxValue: 64 },
					default: concurrency,
					description: 'Maximum number of requests at the same time, from 1 to 64',
				}),
			),
		),
		includeOtherFields: option(booleanField({ ...INCLUDE_OTHER_FIELDS, default: includeOtherFields })),
	};
	return { ...options, ...(paidOnce ? paidOnceFields : {}) };
}
