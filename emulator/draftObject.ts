import { isSchema, isTrueOf, objectForSchema } from './objectForSchema';
import { objectsIn } from './objectsIn';
import { countWords, excerpt } from './tokens';

const FIELD = /"([^"\n]+)"\s*:\s*((?:(?!"[^"\n]+"\s*:)[^\n])*)/g;
const WORDS_OF_SUMMARY = 12;

/**
 * The JSON object that a prompt asks for, made from a text: one that meets the last JSON Schema in the prompt; else one with
 * the fields that the prompt lists between braces, each of the type that its description names; else a summary and the
 * number of words.
 */
export function draftObject(prompt: string, text: string): Record<string, unknown> {
	const schema = objectsIn(prompt).findLast(({ properties }) => isSchema(properties));
	if (schema !== undefined) return objectForSchema(schema, { text });
	const fields = [...prompt.slice(prompt.indexOf('{')).matchAll(FIELD)];
	if (!prompt.includes('{') || fields.length === 0) {
		return { summary: excerpt(text, WORDS_OF_SUMMARY), words: countWords(text) };
	}
	return Object.fromEntries(
		fields.map(([, name = '', description = '']) => [name, valueFor(name, description, text)]),
	);
}

function valueFor(name: string, description: string, text: string): unknown {
	if (/\b(true|false|boolean)\b/i.test(description)) return isTrueOf(text, name, description);
	if (/\b(number|integer|how many)\b|^-?\d/i.test(description)) return countWords(text);
	if (/^\[|\b(list|array)\b/i.test(description)) return [excerpt(text, WORDS_OF_SUMMARY)];
	if (/summary|subject|title/i.test(name)) return excerpt(text, wordsAllowed(description));
	return `Thank you for writing “${excerpt(text, WORDS_OF_SUMMARY)}”. This is a draft of the emulator's.`;
}

function wordsAllowed(description: string): number {
	return Number(/(\d+) words/.exec(description)?.[1] ?? WORDS_OF_SUMMARY);
}
