import { shorten } from '../../../client/values/shorten';
import { present } from '../values/present';
import { formatNumber } from './wording';

/** People only glance at hints and errors, so a list in them has about so many characters. */
const LIST_CHARS = 600;

/** Holds the usual length of an entry of a list. From it follows how many are listed. */
const ENTRY_CHARS = {
	sentence: 200,
	/** Something that was found, and in how many items. */
	finding: 120,
	/** An option with a count. */
	label: 60,
	/** A question with its answer. */
	question: 50,
	name: 30,
};

type EntryKind = keyof typeof ENTRY_CHARS;

/** A name in a sentence is cut to so many characters, because a longer one would hide how the sentence goes on. */
const MAX_NAME_CHARS = 60;

/** Returns the first entries, as many as belong in a list, and the number of the others. */
export function firstOf<Entry>(
	entries: Iterable<Entry>,
	kind: EntryKind,
): { first: Entry[]; others: number } {
	const all = [...entries];
	const first = all.slice(0, LIST_CHARS / ENTRY_CHARS[kind]);
	return { first, others: all.length - first.length };
}

/**
 * Describes the first entries, and says how many others there are.
 * @param describeOthers gets the number of the others, if there are any
 */
export function listFirst<Entry>(
	entries: Iterable<Entry>,
	kind: EntryKind,
	describe: (entry: Entry) => string,
	describeOthers = (others: number) => `and ${formatNumber(others)} more`,
): string[] {
	const { first, others } = firstOf(entries, kind);
	return present([...first.map(describe), others > 0 && describeOthers(others)]);
}

/** Lists names for a sentence, as in "a, b and 3 more". */
export function listNames(
	names: string[],
	write = (name: string) => shorten(name, MAX_NAME_CHARS),
	kind: EntryKind = 'name',
): string {
	const { first, others } = firstOf(names, kind);
	return `${first.map(write).join(', ')}${others > 0 ? ` and ${formatNumber(others)} more` : ''}`;
}
