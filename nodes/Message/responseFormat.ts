import type { IDataObject } from 'n8n-workflow';

import { isTruncated } from '../../client/generation/GeneratedMessage';
import { parseJson } from '../../client/response/parseJson';
import { CallFailure } from '../../client/ServiceError';
import { sentText } from '../shared/fields/expressionRules';
import { option, optionsField, orDefault, shownIf } from '../shared/fields/Field';
import { simplify } from '../shared/fields/sharedFields';

const ASK_FOR_JSON = 'Answer with JSON only, without code fences.';

/** The number of code fences that are searched for JSON. A text of nothing but fences would block the event loop. */
const MAX_FENCES = 1000;

export const systemPrompt = option(
	sentText({
		displayName: 'System Prompt',
		name: 'system',
		typeOptions: { rows: 3 },
		placeholder: 'e.g. You answer the customers of a bookshop, briefly and politely.',
		description: 'What the model should know before the conversation: a role, rules, background',
	}),
);

/** With Simplify off, the response is not parsed, so Response Format is hidden. */
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

/** Adds a sentence that asks for JSON to the system prompt, if the reply is parsed. The result may be empty. */
export function withFormat(prompt: string, format: 'json' | 'text' | undefined): string {
	const parts = [prompt, format === 'json' ? ASK_FOR_JSON : ''];
	return parts.filter((part) => part.trim() !== '').join('\n');
}

/**
 * Parses a generated text, which may be inside code fences.
 * @param reason the stop reason, as the service sent it
 * @throws CallFailure with the text, if it is not JSON
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
	// The error names the problem of the text between fences, if there are any, because that is more likely meant as JSON.
	const truncated = isTruncated(reason);
	const cause = truncated ? "it was cut off: raise 'Max Tokens'" : (problems[1] ?? problems[0]);
	const message = `The generated text is not valid JSON (${cause})`;
	throw new CallFailure({ kind: 'content', message, partialText: text, truncated });
}

/**
 * Lists the parts of a text that may be the JSON: the whole text, or a part between code fences. A fence may name a language, and
 * sentences may surround it. JSON may itself contain fences in its texts, and a text that was cut off does not close its fence.
 */
function candidatesIn(text: string): string[] {
	const fences: RegExpExecArray[] = [];
	// Only letters after a fence are a language, because the JSON may follow the fence directly: ```123```.
	for (const fence of text.matchAll(/(?:`{3,}|~{3,})[ \t]*(?:[a-z][\w+-]*)?/gi)) {
		if (fences.push(fence) === MAX_FENCES) break;
	}
	const between = (opening: RegExpExecArray, closing: RegExpExecArray | undefined) =>
		text.slice(opening.index + opening[0].length, closing?.index);
	const outermost = fences.slice(0, 1).map((first) => between(first, fences.slice(1).at(-1)));
	return [text, ...outermost, ...fences.map((fence, index) => between(fence, fences[index + 1]))];
}
