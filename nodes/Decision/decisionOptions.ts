import { decisive } from '../shared/fields/expressionRules';
import { booleanField, option, refine, shownIf, textField, trimmed } from '../shared/fields/Field';
import { modelField } from '../shared/fields/modelField';
import { simplify } from '../shared/fields/sharedFields';
import { ParameterError } from '../shared/fields/ParameterError';

const DEFAULT_MODEL = 'Kev-4B';

const EXAMPLE_TRACEPARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

const includeMetadata = shownIf(
	option(
		booleanField({
			displayName: 'Include Metadata',
			name: 'includeMetadata',
			default: false,
			description: 'Whether to add the model, tokens used and trace ID to the result',
		}),
	),
	[simplify, true],
);

const includeProbabilities = shownIf(
	option(
		booleanField({
			displayName: 'Include Probabilities',
			name: 'includeProbabilities',
			default: false,
			description:
				'Whether to add the probability of each option or level of every choice, score and tags question',
		}),
	),
	[simplify, true],
);

const model = option(
	refine(
		modelField({
			default: DEFAULT_MODEL,
			placeholder: `e.g. ${DEFAULT_MODEL}`,
			description: `The model that answers. The service offers one for decisions: ${DEFAULT_MODEL}. It is in alpha: the service may change or withdraw it.`,
		}),
		(id) => id || DEFAULT_MODEL,
	),
);

const outputField = shownIf(
	option(
		decisive(
			textField({
				displayName: 'Output Field',
				name: 'outputField',
				placeholder: 'e.g. decision',
				description:
					'Name of a single field to hold all answers. Leave empty to put each answer in its own field.',
			}),
		),
	),
	[simplify, true],
);

const traceId = option(
	refine(
		trimmed(
			textField({
				displayName: 'Trace ID',
				name: 'traceId',
				placeholder: 'e.g. order-4711',
				description:
					'Your own identifier for the request, to quote when troubleshooting. Leave empty to have the node make one from the execution ID.',
			}),
		),
		(value, { subject }) => {
			if (/^[\x20-\x7e]*$/.test(value)) return value;
			throw new ParameterError(
				subject,
				'must consist of printable ASCII characters, because it is sent as a header',
			);
		},
	),
);

const traceparent = option(
	refine(
		trimmed(
			textField({
				displayName: 'Traceparent',
				name: 'traceparent',
				placeholder: `e.g. ${EXAMPLE_TRACEPARENT}`,
				description: "The caller's W3C Trace Context. Its trace ID then identifies the request.",
			}),
		),
		(value, { subject }) => {
			if (value === '' || isTraceparent(value)) return value;
			throw new ParameterError(subject, `must be a W3C traceparent, such as ${EXAMPLE_TRACEPARENT}`);
		},
	),
);

/** `ask` and `route` have these options in addition to those of every node. */
export const decisionOptions = {
	includeMetadata,
	includeProbabilities,
	model,
	outputField,
	traceId,
	traceparent,
};

/**
 * Returns whether a text is a traceparent: version, trace ID, parent ID and flags, in lower case. Versions after 00 may add more
 * after another hyphen. Version ff and IDs of only zeros are not allowed.
 * @see https://www.w3.org/TR/trace-context/#traceparent-header
 */
function isTraceparent(text: string): boolean {
	const [, version, traceId, parentId, more] =
		/^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}(-[\x20-\x7e]*)?$/.exec(text) ?? [];
	if (!version || !traceId || !parentId || version === 'ff') return false;
	return [traceId, parentId].every((id) => /[^0]/.test(id)) && (version !== '00' || more === undefined);
}
