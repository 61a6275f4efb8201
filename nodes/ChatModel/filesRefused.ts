import { ParameterError } from '../shared/fields/ParameterError';

/** Says that the model reads text only, and what to do about it. */
export function filesRefused(kind: string | undefined): ParameterError {
	const what = kind === undefined ? 'files' : `files (${kind})`;
	return new ParameterError(
		'The conversation',
		`must not contain ${what}: this model reads text only. Turn the file into text before the AI node, or switch off the AI node's option that passes files to the model.`,
	);
}
