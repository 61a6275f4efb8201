import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { parseJson } from '../../client/parseJson';
import { ServiceError } from '../../client/ServiceError';
import type { ItemCall } from '../shared/ItemCall';

export const responseFormat: INodeProperties = {
	displayName: 'Response Format',
	name: 'responseFormat',
	type: 'options',
	options: [
		{
			name: 'JSON',
			value: 'json',
			description: 'Parse the text too. Tell the model in a message which fields you want.',
		},
		{ name: 'Text', value: 'text' },
	],
	default: 'text',
	description: 'What the generated text is',
	displayOptions: { show: { '/simplify': [true] } },
};

/** Whether the text is to be parsed: a raw answer stays as it came. */
export function wantsJson(item: ItemCall): boolean {
	return item.boolean('simplify') && item.parameter('options.responseFormat') === 'json';
}

/**
 * Parses a generated text, which may stand between code fences.
 * @param isCutOff whether the model reached its limit of tokens
 * @throws ServiceError of kind `content`, with the text, when it is not JSON
 */
export function parseGeneratedJson(text: string, isCutOff: boolean): IDataObject[string] {
	const parsed = parseJson(withoutFences(text));
	if (parsed.problem === undefined) return parsed.value as IDataObject[string];
	const cause = isCutOff ? 'it was cut off: raise maxTokens' : parsed.problem;
	throw new ServiceError({
		kind: 'content',
		message: `The generated text is not valid JSON (${cause})`,
		partialText: text,
		responded: true,
	});
}

/** Fences may name a language, and have a sentence before or after them. JSON itself begins with no letter but of a word. */
function withoutFences(text: string): string {
	const fenced = /```(?:json\b)?\s*(.*?)\s*(?:```|$)/is.exec(text);
	return fenced && parseJson(text).problem !== undefined ? fenced[1]! : text.trim();
}
