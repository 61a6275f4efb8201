import { isMissing, isRecord } from '../../../client/values/records';
import type { MessageRequest } from '../../../contract/types';
import { decisive, sent, sentJson } from '../fields/expressionRules';
import {
	booleanField,
	field,
	integerField,
	numberField,
	option,
	orDefault,
	refine,
	required,
	toText,
	type Field,
	type ValuesOf,
} from '../fields/Field';
import { modelField } from '../fields/modelField';
import { ParameterError } from '../fields/ParameterError';

/** The contract allows no more messages in one request to `/messages`. */
export const MAX_MESSAGES = 10;

/**
 * Describes the body of a request: fields of the contract, and any fields that the option "Extra Body Fields" adds or replaces.
 */
export type RequestBody = Record<string, unknown>;

/** The property is not `required`, because n8n's own check of a required locator throws a TypeError if null is stored. */
export const model = required(
	modelField({
		placeholder: 'e.g. vendor/model_name',
		description:
			"The model that replies. Copy its ID, vendor/model_name, from the list of models in the service's documentation, which changes over time. Some servers also have a list that n8n can load.",
		hint: "The ID of a model that the service's documentation names. Kev-4B is for decisions only.",
	}),
	"must not be empty: copy an ID, vendor/model_name, from the list of models in the service's documentation",
);

const TOKEN_LIMIT = {
	displayName: 'Max Tokens',
	name: 'maxTokens',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 1024,
	description: 'Maximum number of tokens to generate. The upper limit depends on the model.',
};

/** The value is undefined if the field is empty, which only a chat allows. */
export const maxTokens = decisive(
	integerField({
		...TOKEN_LIMIT,
		description: `${TOKEN_LIMIT.description} With 'Chat', leave empty to send no limit.`,
	}),
);

export const maxTokensOption = option(orDefault(decisive(integerField(TOKEN_LIMIT))));

export const sampling = {
	stopSequences: option(
		decisive(
			field(
				{
					displayName: 'Stop Sequences',
					name: 'stopSequences',
					type: 'string',
					typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Stop Sequence' },
					default: [],
					description: 'Text that stops generation',
				},
				(value, place): string[] =>
					(Array.isArray(value) ? value : [value])
						.map((sequence) => toText(sequence, place))
						.filter((sequence) => sequence !== ''),
			),
			(sequence) => isMissing(sequence) && !isLineBreak(sequence),
		),
	),
	temperature: option(
		sent(
			numberField({
				displayName: 'Temperature',
				name: 'temperature',
				typeOptions: { minValue: 0, maxValue: 2, numberPrecision: 2 },
				default: 1,
				description: 'Randomness, from 0 to 2',
			}),
		),
	),
	topK: option(
		sent(
			numberField({
				displayName: 'Top K',
				name: 'topK',
				typeOptions: { minValue: 0, maxValue: 50 },
				default: 50,
				description: 'Sample only from the K most likely tokens, from 0 to 50',
			}),
		),
	),
	topP: option(
		sent(
			numberField({
				displayName: 'Top P',
				name: 'topP',
				typeOptions: { minValue: 0.1, maxValue: 1, numberPrecision: 2 },
				default: 1,
				description:
					'Sample only from the most likely tokens whose probabilities add up to this value, from 0.1 to 1',
			}),
		),
	),
};

/** Line breaks and tabs are blank, but are what a person wants to stop at. */
function isLineBreak(sequence: unknown): boolean {
	return typeof sequence === 'string' && /[\n\r\t]/.test(sequence);
}

/** The service has these names for the fields of `sampling`. */
const SAMPLING_NAMES: Record<keyof typeof sampling, keyof MessageRequest> = {
	stopSequences: 'stop_sequences',
	temperature: 'temperature',
	topK: 'top_k',
	topP: 'top_p',
};

/** Returns the values of `sampling` under the service's names. */
export function samplingBody(values: ValuesOf<typeof sampling>): RequestBody {
	const names = Object.keys(sampling) as Array<keyof typeof sampling>;
	return Object.fromEntries(names.map((name) => [SAMPLING_NAMES[name], values[name]]));
}

export const extraBody = option(
	refine(
		sentJson({
			displayName: 'Extra Body Fields (JSON)',
			name: 'extraBody',
			placeholder: 'e.g. { "new_option": 7 }',
			description:
				'An object whose fields are added to the request body, replacing those of the same name. For fields that this node does not support yet.',
		}),
		(value = {}, { subject }) => {
			if (!isRecord(value)) throw new ParameterError(subject, 'must be an object');
			if (Object.hasOwn(value, 'stream')) {
				throw new ParameterError(
					subject,
					"must not set stream: use the option 'Stream From Service' for that",
				);
			}
			return value;
		},
	),
);

const STREAM = {
	displayName: 'Stream From Service',
	name: 'stream',
	default: false,
	description:
		'Whether to receive the reply in chunks. Helps with slow replies and reduces overload errors (503, 504). The output is the same.',
};

/**
 * Makes the option Stream From Service.
 * @param isDefault whether the operation streams by default
 */
export function streamField(isDefault: boolean): Field<boolean> {
	return option(booleanField({ ...STREAM, default: isDefault }));
}

/** Removes the fields that were not filled in: those that are undefined, an empty text or an empty list. */
export function withoutEmpty(body: RequestBody): RequestBody {
	const isEmpty = (value: unknown) =>
		value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
	return Object.fromEntries(Object.entries(body).filter(([, value]) => !isEmpty(value)));
}
