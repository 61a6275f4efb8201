import { checkGiven, decisive } from './expressionRules';
import { integerField, option, optionsField, orDefault } from './Field';
import { ParameterError } from './ParameterError';

type ReuseAnswers = 'afterFailure' | 'never';

/** These options are hidden in a tool of an AI Agent, where answers are neither reused nor counted against a budget. */
const HIDDEN_IN_TOOL = { displayOptions: { hide: { '@tool': [true] } } };

/** Describes the rules by which a node avoids paying twice for the same answer. */
export interface BillingRules {
	/** Says whether items with equal requests share one request, because equal requests have equal answers. */
	sharesEqualRequests: boolean;
}

/** The value is undefined if there is no budget. */
const tokenBudget = option(
	decisive(
		checkGiven(
			integerField({
				displayName: 'Token Budget',
				name: 'tokenBudget',
				typeOptions: { minValue: 1, numberPrecision: 0 },
				default: 100_000,
				description:
					"Stops sending once this node has used this many tokens in the execution, input and output together. Requests in flight still finish, so with a high 'Concurrency' it can use several times as many.",
				...HIDDEN_IN_TOOL,
			}),
			(value, { subject }) => {
				// A budget that was stored as null, such as by a program, must not be switched off.
				if (value !== null) return;
				throw new ParameterError(subject, 'must not be null: leave it empty for no budget');
			},
		),
	),
);

const reuseAnswers = option(
	orDefault(
		decisive(
			optionsField<ReuseAnswers>({
				displayName: 'Reuse Answers',
				name: 'reuseAnswers',
				options: [
					{
						name: 'After a Failed Run',
						value: 'afterFailure',
						description: 'When a run fails or is stopped, the next run reuses its answers',
					},
					{ name: 'Never', value: 'never', description: 'Every item sends its own request' },
				],
				default: 'afterFailure',
				description: 'When to reuse answers that were already paid for',
				...HIDDEN_IN_TOOL,
			}),
		),
	),
);

export const billingFields = { reuseAnswers, tokenBudget };
