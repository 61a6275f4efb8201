import { bodyWith } from '../../client/response/errors';
import type { VoiceUploadResult } from '../../contract/types';
import { decisive, sentText } from '../shared/fields/expressionRules';
import { hasExpressions } from '../shared/fields/expressionText';
import {
	option,
	optionsField,
	orDefault,
	refine,
	required,
	shownIf,
	textField,
	trimmed,
} from '../shared/fields/Field';
import { operation } from '../shared/node/Operation';
import { ParameterError } from '../shared/fields/ParameterError';
import { simplify } from '../shared/fields/sharedFields';
import { countOf } from '../shared/text/wording';
import { dataUri } from './dataUri';
import { binaryName, fileName, readRecording } from './recording';

const audioSource = orDefault(
	optionsField({
		displayName: 'Audio From',
		name: 'audioSource',
		noDataExpression: true,
		options: [
			{ name: 'Binary File', value: 'binary', description: 'A file in the input item' },
			{ name: 'Data URI', value: 'dataUri', description: 'The recording as base64 text' },
		],
		default: 'binary',
		description: 'Where the reference recording comes from',
	}),
);

/** The form has these fields beside the recording. */
const styleFields = {
	model: trimmed(
		required(
			sentText({
				displayName: 'Model',
				name: 'model',
				placeholder: 'e.g. vendor/voice-model',
				description: 'Name of the voice model',
			}),
		),
	),
	customName: required(
		sentText({
			displayName: 'Name',
			name: 'customName',
			placeholder: 'e.g. my-voice',
			description: 'A name for the voice style',
		}),
	),
	text: required(
		sentText({
			displayName: 'Transcript',
			name: 'text',
			typeOptions: { rows: 3 },
			placeholder: 'e.g. The quick brown fox jumps over the lazy dog.',
			description: 'The exact words spoken in the recording',
		}),
	),
};

const audioFieldName = option(
	refine(
		orDefault(
			trimmed(
				decisive(
					textField({
						displayName: 'Audio Field Name',
						name: 'audioFieldName',
						default: 'audio',
						description: 'Name of the form field that contains the recording',
					}),
				),
			),
		),
		(name, { subject }) => {
			if (!Object.hasOwn(styleFields, name)) return name;
			throw new ParameterError(subject, `must not be "${name}", which is the name of another form field`);
		},
	),
);

/** Compares the recordings of one run that were uploaded. */
class Uploads {
	private recordings = 0;

	private first: string | undefined;

	private areDifferent = false;

	/**
	 * Takes note of a recording that was uploaded.
	 * @param recording the same text for the same recording. For files it is a digest, because comparing them would keep them in
	 * memory.
	 */
	add(recording: string): void {
		this.recordings++;
		this.first ??= recording;
		this.areDifferent ||= recording !== this.first;
	}

	/** Returns a hint if different recordings have one transcript. Several people may have read the same text, so it is no error. */
	describe(isSameTranscript: boolean): string | undefined {
		if (!isSameTranscript || !this.areDifferent) return undefined;
		return `All ${countOf(this.recordings, 'recording')} have the same transcript: if different words are spoken in them, use an expression in 'Transcript'.`;
	}
}

export const upload = operation({
	value: 'upload',
	name: 'Upload',
	description: 'Create a voice style from a reference recording and its transcript',
	action: 'Upload voice style',
	fields: {
		audioSource,
		binaryPropertyName: shownIf(binaryName, [audioSource, 'binary']),
		audioDataUri: shownIf(dataUri, [audioSource, 'dataUri']),
		customName: styleFields.customName,
		text: styleFields.text,
		model: styleFields.model,
		audioFieldName,
		fileName: shownIf(fileName, [audioSource, 'binary']),
		simplify,
	},
	begin: () => new Uploads(),
	run: async (item, values, uploads) => {
		const { model, customName, text } = values;
		const style = { model, customName, text };
		const { audioDataUri } = values;
		const recording =
			audioDataUri === undefined
				? await readRecording(item, values.binaryPropertyName!, values.fileName)
				: { file: audioDataUri, digest: audioDataUri };
		const { result } = await item.call({
			method: 'POST',
			path: '/uploads/audio/voice',
			form: () => {
				const form = new FormData();
				for (const [name, value] of Object.entries(style)) form.append(name, value);
				form.append(values.audioFieldName, recording.file);
				return form;
			},
			repeat: 'only-if-refused',
			effect: 'change',
			read: bodyWith<VoiceUploadResult>('uri'),
		});
		uploads.add(recording.digest);
		return { json: values.simplify ? { uri: result.uri, ...style } : result };
	},
	summarize: (uploads, { parameters }) =>
		uploads.describe(!hasExpressions(parameters.stored(styleFields.text))),
});
