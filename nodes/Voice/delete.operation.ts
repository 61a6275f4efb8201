import { decodeText } from '../../client/response/decodeJson';
import { isRecord } from '../../client/values/records';
import { parseJson } from '../../client/values/parseJson';
import { looksLikeHtml, refusalIn, textOfHtml } from '../../client/response/errors';
import { responseFailure } from '../../client/ServiceError';
import { decisive } from '../shared/fields/expressionRules';
import { locatorField, refine, required, textField, trimmed } from '../shared/fields/Field';
import { ParameterError } from '../shared/fields/ParameterError';
import { operation } from '../shared/node/Operation';
import { SameTarget } from '../shared/run/SameTarget';

/** A shorter part of a URI may be a part of any word. */
const MIN_NAME_CHARS = 4;

/** The URI of the style is chosen from the list or typed. */
const styleUri = locatorField(
	trimmed(
		required(
			decisive(
				textField({
					displayName: 'Voice Style',
					name: 'uri',
					type: 'resourceLocator',
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
				}),
			),
		),
	),
);

/**
 * A typed URI must have the form of the service's, because a name is easily mistaken for one. One from the list is the service's
 * own. The rule is not the mode's `validation`, with which n8n would not start the workflow, whatever On Error says.
 */
const uri = refine(styleUri, (given, { stored, subject }) => {
	const isFromList = isRecord(stored) && stored.mode === 'list';
	if (isFromList || /^speech:./s.test(given)) return given;
	throw new ParameterError(subject, "must begin with speech:, like the URIs that 'Get Many' outputs");
});

export const deleteStyle = operation({
	value: 'delete',
	name: 'Delete',
	description: 'Delete one of your voice styles',
	action: 'Delete voice style',
	fields: { uri },
	begin: () => new SameTarget(),
	run: async (item, style, target) => {
		await item.call({
			method: 'POST',
			path: '/audio/voice/deletions',
			json: style,
			repeat: 'unless-timed-out',
			effect: 'change',
			decode: decodeText,
			read: (text: string) => checkConfirmation(text, style.uri),
		});
		target.add();
		return { json: { deleted: true, ...style } };
	},
	summarize: (target, run) => target.describe(uri, 'deleted the same voice style', run),
});

/**
 * Accepts any response body that does not say no, because the service does not document what a deletion returns.
 * @param deleted the URI, which holds a person's words, so that none of them says no
 * @throws CallFailure for an error body, and for an HTML page, such as that of a proxy
 */
function checkConfirmation(text: string, deleted: string): void {
	if (looksLikeHtml(text)) throw responseFailure(`The response is not from the service: ${textOfHtml(text)}`);
	const parsed = parseJson(text);
	const names = [deleted, ...deleted.split(':').filter(({ length }) => length >= MIN_NAME_CHARS)];
	const refusal = refusalIn(parsed.success ? parsed.value : text, names);
	if (refusal) throw refusal;
}
