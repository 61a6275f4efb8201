import { decodeText } from '../../client/decodeJson';
import type { ItemCall } from '../shared/ItemCall';
import type { Operation } from '../shared/Operation';
import { ParameterError } from '../shared/ParameterError';

export const deleteStyle: Operation = {
	value: 'delete',
	name: 'Delete',
	description: 'Delete one of your voice styles',
	action: 'Delete voice style',
	fields: [
		{
			displayName: 'Voice Style',
			name: 'uri',
			type: 'resourceLocator',
			required: true,
			default: { mode: 'list', value: '' },
			description: 'The voice style to delete',
			modes: [
				{
					displayName: 'From List',
					name: 'list',
					type: 'list',
					typeOptions: { searchListMethod: 'searchStyles', searchable: true },
				},
				{
					displayName: 'By URI',
					name: 'uri',
					type: 'string',
					placeholder: 'e.g. speech:my-voice:abc:def',
				},
			],
		},
	],
	optionFields: [],
	alwaysSimple: true,
	run: async (item) => {
		const uri = readUri(item);
		await item.call({
			method: 'POST',
			path: '/audio/voice/deletions',
			json: { uri },
			repeat: 'unless-timed-out',
			// What the string of the answer says is not documented: the status tells that the style is gone.
			decode: decodeText,
		});
		return { json: { deleted: true, uri } };
	},
};

function readUri({ context, index }: ItemCall): string {
	const uri: unknown = context.getNodeParameter('uri', index, '', { extractValue: true });
	if (typeof uri !== 'string') throw new ParameterError('uri', 'must be text');
	if (uri.trim() === '') throw new ParameterError('uri', 'must not be empty');
	return uri.trim();
}
