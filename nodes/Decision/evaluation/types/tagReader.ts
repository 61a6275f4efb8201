import { isMissing } from '../../../../client/values/records';
import { parseJson } from '../../../../client/values/parseJson';
import { fieldReader } from '../../../shared/text/fieldPath';
import type { Pause } from '../../../shared/run/yieldRegularly';
import type { EvaluatedFields } from '../evaluatedFields';
import type { AnswerValue } from '../Row';
import { NO_CERTAINTY, type AnswerReader } from './AnswerReader';
import { caselessKey, isBlank } from '../../../shared/text/composed';
import { comparisonKey, readLabel, type Normalize } from './readLabel';

/** Route says with the label of this key that no tag applies. */
const NONE = 'none';

/** These are the commas of Latin, Chinese, Japanese and Arabic scripts. */
const COMMAS = /[,，、،]/;

/** Reads the tags that apply, from a list or from text with commas. */
export async function tagReader(
	items: object[],
	fields: EvaluatedFields,
	normalize: Normalize,
	pause: Pause,
): Promise<AnswerReader> {
	const split = tagSplitter(await tagsWithCommas(items, fields, pause), fields.ignoreCase);
	const sets = new Map<string, readonly string[]>();
	const readExpected = (value: unknown): AnswerValue | undefined => {
		const tags = tagsIn(value, split);
		if (!tags) return undefined;
		const given = tags.map((tag) => tag.trim()).filter((tag) => !isBlank(tag));
		const set = isNone(given) ? [] : [...new Set(given.map(normalize))].sort();
		const key = JSON.stringify(set);
		const known = sets.get(key) ?? set;
		sets.set(key, known);
		return known;
	};
	return {
		expectedRule: 'a list of tags, or text with commas between them',
		answerRule: 'a list of tags, or text with commas between them',
		readExpected,
		// Blank text is the answer that no tag applies, as a list joined to text has it. A failed item has no such field, or null in it.
		readAnswer: ({ value }) => readExpected(value) ?? null,
		certaintyOf: () => NO_CERTAINTY,
	};
}

/** Returns whether these tags are the word for none alone, as the column of Route has it, whose options cannot be called so. */
function isNone(tags: string[]): boolean {
	return tags.length > 0 && tags.every((tag) => caselessKey(tag) === NONE);
}

/** Returns the tags that a value names, as a list or as text. Returns undefined if it is neither. */
export function tagsIn(value: unknown, split: (text: string) => string[]): string[] | undefined {
	return listIn(value) ?? textIn(value, split);
}

/** Returns the tags of a list, which a sheet may hold as JSON text. Returns undefined for anything else. */
function listIn(value: unknown): string[] | undefined {
	const list = typeof value === 'string' && value.trim().startsWith('[') ? jsonIn(value) : value;
	if (!Array.isArray(list)) return undefined;
	const tags = list.map(readLabel);
	return tags.every((tag) => tag !== undefined) ? tags : undefined;
}

function jsonIn(text: string): unknown {
	const parsed = parseJson(text);
	return parsed.success ? parsed.value : undefined;
}

function textIn(value: unknown, split: (text: string) => string[]): string[] | undefined {
	const text = Array.isArray(value) ? undefined : readLabel(value);
	return text === undefined ? undefined : split(text);
}

/** Returns the tags in lists that contain a comma, because text with such a tag must not be split at it. */
async function tagsWithCommas(
	items: object[],
	{ answerField, expectedField, compareField }: EvaluatedFields,
	pause: Pause,
): Promise<Set<string>> {
	const readers = [answerField, expectedField, compareField].filter((name) => name !== '').map(fieldReader);
	const found = new Set<string>();
	for (const json of items) {
		await pause();
		for (const read of readers) {
			const value = read(json);
			if (isMissing(value)) continue;
			for (const tag of listIn(value) ?? []) if (COMMAS.test(tag)) found.add(tag);
		}
	}
	return found;
}

/**
 * Returns a function that splits text into tags at its commas, of whatever script, except at those within one of these names. Where
 * several of them begin at the same place, the longest is taken.
 */
export function tagSplitter(names: Iterable<string>, ignoreCase: boolean): (text: string) => string[] {
	const keyOf = (parts: string[]) => comparisonKey(parts.map((part) => part.trim()).join(','), ignoreCase);
	const whole = [...names].map((tag) => ({ tag, parts: tag.split(COMMAS) }));
	const known = new Map(whole.map(({ tag, parts }) => [keyOf(parts), tag]));
	const mostParts = Math.max(1, ...whole.map(({ parts }) => parts.length));
	const longestFrom = (parts: string[], start: number) => {
		for (let end = Math.min(parts.length, start + mostParts); end > start + 1; end--) {
			const tag = known.get(keyOf(parts.slice(start, end)));
			if (tag !== undefined) return { tag, end };
		}
		return { tag: parts[start]!, end: start + 1 };
	};
	return (text) => {
		const parts = text.split(COMMAS);
		const tags: string[] = [];
		for (let start = 0; start < parts.length;) {
			const { tag, end } = longestFrom(parts, start);
			tags.push(tag);
			start = end;
		}
		return tags;
	};
}
