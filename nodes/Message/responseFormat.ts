import type { IDataObject } from 'n8n-workflow';

import { cutOffBy, endOfThinking, isRefusal, refusedReply } from '../../client/generation/GeneratedMessage';
import { parseJson, type ParsedJson } from '../../client/values/parseJson';
import { unsafeIntegersIn } from '../../client/values/unsafeIntegers';
import { CallFailure } from '../../client/ServiceError';
import { decisive, sentText } from '../shared/fields/expressionRules';
import { option, optionsField, orDefault, shownIf } from '../shared/fields/Field';
import { simplify } from '../shared/fields/sharedFields';
import type { ReplyFacts } from '../shared/generation/ReplyTally';

const ASK_FOR_JSON = 'Answer with JSON only, without code fences.';

/** JSON is searched for in so many code fences. A text of nothing but fences would block the event loop. */
const MAX_FENCES = 200;

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
			decisive(
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
	),
	[simplify, true],
);

/** Adds a sentence that asks for JSON to the system prompt, if the reply is parsed. The result may be empty. */
export function withFormat(prompt: string, format: 'json' | 'text' | undefined): string {
	const parts = [prompt, format === 'json' ? ASK_FOR_JSON : ''];
	return parts.filter((part) => part.trim() !== '').join('\n');
}

/** Holds the JSON of a reply, and what may be wrong with it. */
export interface GeneratedJson extends Required<Pick<ReplyFacts, 'lostDigits' | 'isJsonFromThinking'>> {
	json: IDataObject[string];
}

interface FoundJson {
	/** Holds the index of the JSON in the whole text of the reply. */
	start: number;
	text: string;
	parsed: ParsedJson;
}

/**
 * Parses a generated text: the whole, or else its last code fence that holds JSON.
 * @param reason the stop reason, as the service sent it
 * @param refusal the words of a model that refused, where they are no part of the text
 * @throws CallFailure with the text, if it is not JSON, and if it was cut off: half a list may be valid JSON
 */
export function parseGeneratedJson(text: string, reason: unknown, refusal?: string): GeneratedJson {
	const cutOff = cutOffBy(reason);
	if (cutOff) {
		const message = 'The reply was cut off, so it is not complete JSON';
		throw new CallFailure({ kind: 'content', message, partialText: text, cutOffBy: cutOff });
	}
	const whole = jsonAt(text, 0);
	const { start, text: found, parsed } = whole.parsed.success ? whole : (lastFencedJson(text) ?? whole);
	if (parsed.success) {
		return {
			json: parsed.value as IDataObject[string],
			lostDigits: unsafeIntegersIn(found).length > 0,
			isJsonFromThinking: start < endOfThinking(text),
		};
	}
	if (refusal !== undefined || isRefusal(reason)) throw refusedReply(text, refusal);
	const message = `The generated text is not valid JSON (${parsed.problem})`;
	throw new CallFailure({ kind: 'content', message, partialText: text });
}

/**
 * Finds the JSON of the last code fence that holds any. A fence may name a language, and sentences may surround it. If no fence
 * holds JSON, the problem of the first one is returned, and undefined for a text without fences.
 */
function lastFencedJson(text: string): FoundJson | undefined {
	const fences = fencesIn(text);
	let last: FoundJson | undefined;
	let next = 0;
	while (next < fences.length) {
		const opening = fences[next]!;
		const found = closingsOf(fences, next)
			.map((closing) => ({ closing, ...jsonAt(text, opening.end, closing?.start) }))
			.find(({ parsed }) => parsed.success);
		if (found) {
			last = found;
			// The fences within the JSON are part of its texts.
			next = found.closing ? fences.indexOf(found.closing) + 1 : fences.length;
		} else {
			last ??= jsonAt(text, opening.end, fences[next + 1]?.start);
			next++;
		}
	}
	return last;
}

function jsonAt(whole: string, start: number, end?: number): FoundJson {
	const text = whole.slice(start, end);
	return { start, text, parsed: parseJson(text) };
}

interface Fence {
	start: number;
	end: number;
	/** Says whether the fence is the first thing on its line. One within a text of JSON never is. */
	beginsLine: boolean;
}

function fencesIn(text: string): Fence[] {
	const fences: Fence[] = [];
	// Only letters after a fence are a language, because the JSON may follow the fence directly: ```123```.
	for (const { index, 0: mark } of text.matchAll(/(?:`{3,}|~{3,})[ \t]*(?:[a-z][\w+-]*)?/gi)) {
		const line = text.slice(text.lastIndexOf('\n', index) + 1, index);
		fences.push({ start: index, end: index + mark.length, beginsLine: line.trim() === '' });
		if (fences.length === MAX_FENCES) break;
	}
	return fences;
}

/**
 * Returns the fences that may close one, since JSON may contain fences in its texts: the next, and the next at the beginning of a
 * line, or without that the last. Undefined stands for the end of the text.
 */
function closingsOf(fences: Fence[], opening: number): Array<Fence | undefined> {
	const later = fences.slice(opening + 1);
	const atLine = later.find(({ beginsLine }) => beginsLine);
	return [...new Set([later[0], ...(atLine ? [atLine] : [later.at(-1), undefined])])];
}
