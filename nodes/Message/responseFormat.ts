import type { IDataObject } from 'n8n-workflow';

import { parseJson } from '../../client/parseJson';
import { ServiceError } from '../../client/ServiceError';
import { option, optionsField, orDefault } from '../shared/fields/Field';
import type { ItemContext } from '../shared/run/ItemContext';
import { simplify } from '../shared/fields/sharedFields';
import { systemPrompt } from './systemPrompt';

const ASK_FOR_JSON = 'Answer with JSON only, without code fences.';

/** Text of nothing but fences must not keep n8n busy. */
const MOST_FENCED = 200;

export const responseFormat = option(
	orDefault(
		optionsField(
			{
				displayName: 'Response Format',
				name: 'responseFormat',
				type: 'options',
				options: [
					{
						name: 'JSON',
						value: 'json',
						description: 'Ask for JSON, and parse it. Tell the model in a message which fields you want.',
					},
					{ name: 'Text', value: 'text' },
				],
				default: 'text',
				description: 'The format of the reply',
				displayOptions: { show: { '/simplify': [true] } },
			},
			'json',
			'text',
		),
	),
);

/** The system prompt, which asks for JSON where the text is parsed; empty where there is none. */
export function readSystemPrompt(item: ItemContext): string {
	const prompt = item.read(systemPrompt);
	const parts = [prompt.trim() === '' ? [] : prompt, wantsJson(item) ? ASK_FOR_JSON : []];
	return parts.flat().join('\n');
}

/** Whether the text should be parsed: a raw response stays as it came. */
export function wantsJson(item: ItemContext): boolean {
	return item.read(simplify) && item.read(responseFormat) === 'json';
}

/**
 * Parses a generated text, which may stand between code fences.
 * @param isCutOff whether the model reached its limit of tokens
 * @throws ServiceError of kind `content`, with the text, when it is not JSON
 */
export function parseGeneratedJson(text: string, isCutOff: boolean): IDataObject[string] {
	const problems: string[] = [];
	for (const candidate of candidatesIn(text)) {
		const parsed = parseJson(candidate);
		if (parsed.success) return parsed.value as IDataObject[string];
		problems.push(parsed.problem);
	}
	// What stands in a fence is more likely to be meant as JSON than the text around it.
	const cause = isCutOff ? "it was cut off: raise 'Max Tokens'" : (problems[1] ?? problems[0]);
	throw new ServiceError({
		kind: 'content',
		message: `The generated text is not valid JSON (${cause})`,
		partialText: text,
		truncated: isCutOff,
	});
}

/**
 * What may be the JSON in a text: all of it, or what a code fence holds. Fences may name a language and stand among
 * sentences, JSON may hold fences in its texts, and a text that is cut off does not close them.
 */
function* candidatesIn(text: string): Generator<string> {
	yield text;
	let left = MOST_FENCED;
	// What follows a fence may be a language, or the JSON itself: ```123```.
	for (const { 0: opening, 1: fence = '', index } of text.matchAll(/(`{3,}|~{3,})[ \t]*[\w+-]*/g)) {
		for (const start of [index + opening.length, index + fence.length]) {
			const content = text.slice(start);
			if (!/^\s*[[{"\d.tfn-]/.test(content)) continue;
			// The last fence first: JSON may hold fences in its texts.
			for (
				let end = content.lastIndexOf(fence);
				end !== -1 && left > 0;
				end = content.lastIndexOf(fence, end - 1)
			) {
				left--;
				yield content.slice(0, end);
			}
			if (left-- > 0) yield content;
		}
	}
}
