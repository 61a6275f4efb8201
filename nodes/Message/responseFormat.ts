import type { IDataObject } from 'n8n-workflow';

import { parseJson } from '../../client/response/parseJson';
import { CallFailure } from '../../client/ServiceError';
import { option, optionsField, orDefault, shownIf, textField } from '../shared/fields/Field';
import { simplify } from '../shared/fields/sharedFields';

const ASK_FOR_JSON = 'Answer with JSON only, without code fences.';

/** Text that consists only of fences must not keep n8n busy. */
const MAX_FENCES = 1000;

export const systemPrompt = option(
	textField({
		displayName: 'System Prompt',
		name: 'system',
		typeOptions: { rows: 3 },
		placeholder: 'e.g. You answer the customers of a bookshop, briefly and politely.',
		description: 'What the model should know before the conversation: a role, rules, background',
	}),
);

/** A raw response is not parsed, so there is no format to choose for it. */
export const responseFormat = shownIf(
	option(
		orDefault(
			optionsField({
				displayName: 'Response Format',
				name: 'responseFormat',
				options: [
					{
						name: 'JSON',
						value: 'json',
						description: 'Ask for JSON and parse it. Tell the model in a message which fields you want.',
					},
					{ name: 'Text', value: 'text' },
				],
				default: 'text',
				description: 'The format of the reply',
			}),
		),
	),
	[simplify, true],
);

/** A prompt that also asks for JSON if the text is parsed; empty if there is nothing to say. */
export function withFormat(prompt: string, format: 'json' | 'text' | undefined): string {
	const parts = [prompt, format === 'json' ? ASK_FOR_JSON : ''];
	return parts.filter((part) => part.trim() !== '').join('\n');
}

/**
 * Parses a generated text, which may be inside code fences.
 * @param reason why the model stopped, as the service says
 * @throws CallFailure with the text, when it is not JSON
 */
export function parseGeneratedJson(text: string, reason: unknown): IDataObject[string] {
	const problems: string[] = [];
	for (const candidate of new Set(candidatesIn(text))) {
		const parsed = parseJson(candidate);
		if (parsed.success) return parsed.value as IDataObject[string];
		problems.push(parsed.problem);
	}
	if (reason === 'refusal') {
		const message = 'The reply was blocked for a potential policy violation';
		throw new CallFailure({ kind: 'refusal', message, partialText: text });
	}
	// The text inside a fence is more likely to be the JSON than the text around it.
	const truncated = reason === 'max_tokens' || reason === 'length';
	const cause = truncated ? "it was cut off: raise 'Max Tokens'" : (problems[1] ?? problems[0]);
	const message = `The generated text is not valid JSON (${cause})`;
	throw new CallFailure({ kind: 'content', message, partialText: text, truncated });
}

/**
 * The parts of a text that may be the JSON: all of it, or what is between code fences. Fences may name a language and be
 * surrounded by sentences, JSON may contain fences in its texts, and a text that is cut off does not close them.
 */
function candidatesIn(text: string): string[] {
	const fences: RegExpExecArray[] = [];
	// What follows a fence may be a language, or the JSON itself: ```123```.
	for (const fence of text.matchAll(/(?:`{3,}|~{3,})[ \t]*(?:[a-z][\w+-]*)?/gi)) {
		if (fences.push(fence) === MAX_FENCES) break;
	}
	const between = (opening: RegExpExecArray, closing: RegExpExecArray | undefined) =>
		text.slice(opening.index + opening[0].length, closing?.index);
	const outermost = fences.slice(0, 1).map((first) => between(first, fences.slice(1).at(-1)));
	return [text, ...outermost, ...fences.map((fence, index) => between(fence, fences[index + 1]))];
}
