import { bodyWith } from '../../client/response/errors';
import type { VoiceUploadResult } from '../../contract/types';
import type { RunContext } from '../shared/context/RunContext';
import { decisive, sent, sentText, TO_READ } from '../shared/fields/expressionRules';
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
	type Field,
} from '../shared/fields/Field';
import { operation } from '../shared/node/Operation';
import { ParameterError } from '../shared/fields/ParameterError';
import { simplify } from '../shared/fields/sharedFields';
import { visibleText } from '../shared/text/composed';
import { countOf } from '../shared/text/wording';
import { present } from '../shared/values/present';
import { dataUri } from './dataUri';
import { binaryName, digestOf, fileName, readRecording } from './recording';
import { noteFixedTexts } from '../shared/context/sentNotes';

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
	customName: trimmed(
		required(
			sentText({
				displayName: 'Name',
				name: 'customName',
				placeholder: 'e.g. my-voice',
				description: 'A name for the voice style',
			}),
		),
	),
	text: required(
		sent(
			textField({
				displayName: 'Transcript',
				name: 'text',
				typeOptions: { rows: 3 },
				placeholder: 'e.g. The quick brown fox jumps over the lazy dog.',
				description: 'The exact words spoken in the recording',
			}),
			TO_READ,
		),
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

/** Describes an upload that has succeeded. */
interface Upload {
	/** Is the same for the same recordings. Comparing the recordings themselves would keep them in memory. */
	digest: string;
	name: string;
	transcript: string;
	/** Says whether the item has recordings that were not uploaded. */
	hasOthers: boolean;
}

/** Compares the uploads of one run. */
class Uploads {
	private readonly all: Upload[] = [];

	add(upload: Upload): void {
		this.all.push(upload);
	}

	/** Returns hints about what is equal in uploads, but hardly ever meant to be, and what was left out. */
	describe({ parameters, earlierChanges }: RunContext): string | undefined {
		const isFixed = (field: Field) => !hasExpressions(parameters.stored(field));
		const { all } = this;
		const names = groupBy(all, ({ name }) => visibleText(name));
		const recordings = groupBy(all, ({ digest }) => digest);
		const ofOneName = countIn(names, ({ length }) => length > 1);
		const saidOtherwise = countIn(
			recordings,
			(same) => new Set(same.map(({ transcript }) => transcript)).size > 1,
		);
		const withOthers = all.filter(({ hasOthers }) => hasOthers).length;
		const withMore = `${countOf(withOthers, 'item')} ${withOthers === 1 ? 'has' : 'have'} more than one recording`;
		return (
			present([
				describeRepeated(earlierChanges),
				// Several people may have read the same text, so it is no error.
				isFixed(styleFields.text) &&
					recordings.size > 1 &&
					`All ${countOf(all.length, 'recording')} have the same transcript: if different words are spoken in them, use an expression in 'Transcript'.`,
				saidOtherwise > 0 &&
					`${countOf(saidOtherwise, 'upload')} have the same recording, but different transcripts: check where the recording comes from.`,
				ofOneName > 0 &&
					`${countOf(ofOneName, 'voice style')} have the same name as another one from this run: to tell them apart, use an expression in 'Name', or keep their URIs.`,
				// An expression chooses among the files of an item.
				isFixed(binaryName) &&
					withOthers > 0 &&
					`${withMore}. Only the one in 'Input Binary Field' was uploaded: to upload them all, make each one an item before this node.`,
			]).join(' ') || undefined
		);
	}
}

function groupBy(uploads: Upload[], keyOf: (upload: Upload) => string): Map<string, Upload[]> {
	const groups = new Map<string, Upload[]>();
	for (const upload of uploads) {
		const key = keyOf(upload);
		const group = groups.get(key);
		if (group) group.push(upload);
		else groups.set(key, [upload]);
	}
	return groups;
}

/** Returns a hint about the uploads of a try that failed later, which n8n's Retry On Fail has repeated. */
function describeRepeated(count: number): string | undefined {
	if (count === 0) return undefined;
	const [were, ones] = count === 1 ? ['was', 'one'] : ['were', 'ones'];
	return `${countOf(count, 'voice style')} ${were} uploaded again, because an earlier try failed: delete the older ${ones}.`;
}

/** Returns the number of uploads in the groups for which a condition holds. */
function countIn(groups: Map<string, Upload[]>, holds: (group: Upload[]) => boolean): number {
	return [...groups.values()].filter(holds).reduce((sum, { length }) => sum + length, 0);
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
				: { file: audioDataUri, digest: await digestOf(Buffer.from(audioDataUri)), hasOthers: false };
		noteFixedTexts(item, styleFields.customName, styleFields.text);
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
		uploads.add({ ...recording, name: customName, transcript: text });
		return { json: values.simplify ? { uri: result.uri, ...style } : result };
	},
	summarize: (uploads, run) => uploads.describe(run),
});
