/** A text of so many words is no name, type, date or address. */
const MIN_WORDS = 8;

/**
 * In these scripts, no blanks stand between words. A word of Chinese or Japanese mostly has two letters, and one of the others, which write
 * each sound, about four. Accents and vowels that stand on a letter do not count.
 */
const WITHOUT_BLANKS = [
	{ letters: /(?=\p{L})[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu, perWord: 2 },
	{ letters: /(?=\p{L})[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu, perWord: 4 },
];

/** Returns whether a value is or contains text that says something, and not only the facts about a thing. */
export function hasSentence(value: unknown): boolean {
	if (typeof value === 'object' && value !== null) return Object.values(value).some(hasSentence);
	if (typeof value !== 'string') return false;
	return (
		value.trim().split(/\s+/, MIN_WORDS).length === MIN_WORDS ||
		WITHOUT_BLANKS.some(({ letters, perWord }) => (value.match(letters)?.length ?? 0) >= perWord * MIN_WORDS)
	);
}
