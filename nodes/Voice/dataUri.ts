import { decisive } from '../shared/fields/expressionRules';
import { refine, textField } from '../shared/fields/Field';
import { ParameterError } from '../shared/fields/ParameterError';
import { checkRecordingType } from './recording';

const HEADER = /^data:[^\s,;/]+\/[^\s,;/]+(;[^\s,;=]+=[^\s,;]+)*;base64,/;

/** Reads a recording in the form `data:<mime>;base64,<data>`. Any other value is an error. */
export const dataUri = refine(
	// Without this, the word null, which JavaScript joins to a text for a missing value, would be sent as base64.
	decisive(
		textField({
			displayName: 'Data URI',
			name: 'audioDataUri',
			placeholder: 'e.g. data:audio/mpeg;base64,SUQzBAAAAAAA',
			description: 'The recording as a base64 data URI',
		}),
	),
	(uri, { subject }) => {
		const [header] = HEADER.exec(uri) ?? [];
		if (header === undefined) {
			throw new ParameterError(subject, 'must have the form data:<MIME type>;base64,<data>');
		}
		checkRecordingType(header.slice('data:'.length, header.indexOf(';')), subject);
		if (!isBase64(uri.slice(header.length))) {
			throw new ParameterError(subject, 'must have base64 after the comma, without spaces and line breaks');
		}
		return uri;
	},
);

/**
 * Returns whether a text is base64, with or without padding. The regular expressions must not backtrack, because the text may
 * have millions of characters.
 */
function isBase64(text: string): boolean {
	const digits = text.replace(/={1,2}$/, '');
	const isComplete = text.length % 4 === 0 || (digits === text && text.length % 4 !== 1);
	return digits !== '' && isComplete && !/[^A-Za-z0-9+/]/.test(digits);
}
