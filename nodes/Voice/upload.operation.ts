import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { decodeJsonObject } from '../../client/decodeJson';
import type { ItemCall } from '../shared/ItemCall';
import type { Operation } from '../shared/Operation';
import { ParameterError } from '../shared/ParameterError';
import { readDataUri } from './dataUri';
import { findRecording, type Recording } from './recording';

const DEFAULT_AUDIO_FIELD = 'audio';

const fields: INodeProperties[] = [
	{
		displayName: 'Audio From',
		name: 'audioSource',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'Binary File', value: 'binary', description: 'A file of the input item' },
			{ name: 'Data URI', value: 'dataUri', description: 'Base64 text with a header' },
		],
		default: 'binary',
		description: 'Where the reference recording comes from',
	},
	{
		displayName: 'Input Binary Field',
		name: 'binaryPropertyName',
		type: 'string',
		required: true,
		default: 'data',
		hint: 'The name of the input binary field that contains the recording',
		displayOptions: { show: { audioSource: ['binary'] } },
	},
	{
		displayName: 'Data URI',
		name: 'audioDataUri',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. data:audio/mpeg;base64,SUQzBAAAAAAA',
		description: 'The recording as data:&lt;MIME type&gt;;base64,&lt;data&gt;',
		displayOptions: { show: { audioSource: ['dataUri'] } },
	},
	{
		displayName: 'Name',
		name: 'customName',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. my-voice',
		description: 'Your name for the voice style',
	},
	{
		displayName: 'Text',
		name: 'text',
		type: 'string',
		typeOptions: { rows: 3 },
		required: true,
		default: '',
		placeholder: 'e.g. The quick brown fox jumps over the lazy dog.',
		description: 'What is said in the recording',
	},
	{
		displayName: 'Model',
		name: 'model',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. vendor/voice-model',
		description: 'The voice model to make the style for',
	},
];

const optionFields: INodeProperties[] = [
	{
		displayName: 'Audio Field Name',
		name: 'audioFieldName',
		type: 'string',
		default: DEFAULT_AUDIO_FIELD,
		description: 'Name of the part of the form that carries the recording',
	},
	{
		displayName: 'File Name',
		name: 'fileName',
		type: 'string',
		default: '',
		placeholder: 'e.g. recording.mp3',
		description: 'Name to send with the recording. Leave empty for the name of the file itself.',
		displayOptions: { show: { '/audioSource': ['binary'] } },
	},
];

export const upload: Operation = {
	value: 'upload',
	name: 'Upload',
	description: 'Make a voice style of a reference recording and its text',
	action: 'Upload voice style',
	fields,
	optionFields,
	run: async (item) => {
		const style = {
			model: readRequired(item, 'model').trim(),
			customName: readRequired(item, 'customName'),
			text: readRequired(item, 'text'),
		};
		const audioField = readAudioField(item, Object.keys(style));
		const audio = await readAudio(item);
		const toForm = async () => {
			const form = new FormData();
			for (const [name, value] of Object.entries(style)) form.append(name, value);
			form.append(audioField, typeof audio === 'string' ? audio : audio.toFormFile());
			return form;
		};
		try {
			const { result } = await item.call({
				method: 'POST',
				path: '/uploads/audio/voice',
				form: toForm,
				repeat: 'only-if-refused',
				decode: decodeJsonObject,
			});
			const json = item.boolean('simplify') ? { uri: result.uri ?? null, ...style } : result;
			return { json: json as IDataObject };
		} finally {
			if (typeof audio !== 'string') audio.close();
		}
	},
};

async function readAudio(item: ItemCall): Promise<string | Recording> {
	return item.parameter('audioSource') === 'dataUri' ? readDataUri(item) : await findRecording(item);
}

function readRequired(item: ItemCall, name: string): string {
	const text = item.text(name);
	if (text.trim() === '') throw new ParameterError(name, 'must not be empty');
	return text;
}

function readAudioField(item: ItemCall, taken: string[]): string {
	const name = item.text('options.audioFieldName').trim() || DEFAULT_AUDIO_FIELD;
	if (!taken.includes(name)) return name;
	throw new ParameterError('options.audioFieldName', `must not be "${name}", which another part is called`);
}
