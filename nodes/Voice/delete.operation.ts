import { decodeText } from '../../client/decodeJson';
import { isRecord } from '../../client/isRecord';
import { field, required, toText, trimmed } from '../shared/Field';
import type { Operation } from '../shared/Operation';

/** The address of the style, whichever way it was given. */
const uri = trimmed(
	required(
		field(
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
			(value, place) => toText(isRecord(value) && '__rl' in value ? value.value : value, place),
		),
	),
);

export const deleteStyle: Operation = {
	value: 'delete',
	name: 'Delete',
	description: 'Delete one of your voice styles',
	action: 'Delete voice style',
	fields: [uri],
	alwaysSimple: true,
	run: async (item) => {
		const style = { uri: item.read(uri) };
		await item.call({
			method: 'POST',
			path: '/audio/voice/deletions',
			json: style,
			repeat: 'unless-timed-out',
			// What the string of the answer says is not documented: the status tells that the style is gone.
			decode: decodeText,
		});
		return { json: { deleted: true, ...style } };
	},
};
