/** A text of so many words is no name, type, date or address. */
const MIN_WORDS = 8;

/** Returns whether a value is or contains text that says something, and not only the facts about a thing. */
export function hasSentence(value: unknown): boolean {
	if (typeof value === 'object' && value !== null) return Object.values(value).some(hasSentence);
	return typeof value === 'string' && value.trim().split(/\s+/, MIN_WORDS).length === MIN_WORDS;
}
