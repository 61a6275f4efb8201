import type { INodeProperties } from 'n8n-workflow';

import { isRecord } from '../../client/isRecord';
import {
	booleanField,
	integerField,
	jsonField,
	option,
	refine,
	required,
	textField,
	trimmed,
	type Field,
} from '../shared/Field';
import { ParameterError } from '../shared/ParameterError';

/** Fields and options of both operations. */
export const model = trimmed(
	required(
		textField({
			displayName: 'Model',
			name: 'model',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. vendor/model_name',
			description: 'The model that answers, as vendor/model_name. The available models change over time.',
		}),
		'must be given, as vendor/model_name',
	),
);

export const maxTokens = required(
	integerField({
		displayName: 'Max Tokens',
		name: 'maxTokens',
		type: 'number',
		typeOptions: { minValue: 1, numberPrecision: 0 },
		default: 1024,
		description: 'The most tokens to generate. The largest value differs from model to model.',
	}),
	'must be given',
);

/** The fields to lay over the request. */
export const extraBody = option(
	refine(
		jsonField({
			displayName: 'Extra Body Fields (JSON)',
			name: 'extraBody',
			type: 'json',
			default: '',
			placeholder: 'e.g. { "seed": 7 }',
			description:
				'An object whose fields are added to the request, and replace those of the same name. For fields that the service supports and this node does not know yet.',
		}),
		(value = {}, { subject }) => {
			if (!isRecord(value)) throw new ParameterError(subject, 'must be an object');
			if (Object.hasOwn(value, 'stream')) {
				throw new ParameterError(
					subject,
					'must not set stream: use the option "Stream From Service" for that',
				);
			}
			return value;
		},
	),
);

const STREAM: INodeProperties = {
	displayName: 'Stream From Service',
	name: 'stream',
	type: 'boolean',
	default: false,
	description:
		'Whether to receive the reply piece by piece, which keeps a slow one alive and makes overload errors (503, 504) rarer. The output is the same.',
};

/** @param isDefault whether the operation streams unless it is told not to */
export function streamField(isDefault: boolean): Field<boolean> {
	return option(booleanField({ ...STREAM, default: isDefault }));
}
