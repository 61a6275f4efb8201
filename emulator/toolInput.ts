import { objectForSchema, type Schema } from './objectForSchema';
import { objectsIn } from './objectsIn';

/** A sum such as `12 * (7 + 5)`, with at least two numbers. */
const SUM = /[-(\d.][-+*/^%().\d\s]*[-+*/^%][-+*/^%().\d\s]*[\d)]/;

const OPERATORS: Array<[word: RegExp, operator: string]> = [
	[/\s+plus\s+/gi, ' + '],
	[/\s+minus\s+/gi, ' - '],
	[/\s+(?:times|x|×)\s+/gi, ' * '],
	[/\s+divided by\s+|\s*÷\s*/gi, ' / '],
];

/**
 * An input for a tool: the JSON object that the text gives after the tool's name, else one that meets the schema,
 * filled from what other tools returned and from the text. A calculator gets the sum only.
 */
export function toolInput(
	inputSchema: Schema,
	toolName: string,
	text: string,
	known: readonly unknown[] = [],
): Record<string, unknown> {
	const named = text.toLowerCase().indexOf(toolName.toLowerCase());
	const [given] = named < 0 ? [] : objectsIn(text.slice(named + toolName.length));
	const used = /calculat/i.test(toolName) ? (sumIn(text) ?? text) : text;
	return given ?? objectForSchema(inputSchema, { text: used, known, words: Infinity });
}

function sumIn(text: string): string | undefined {
	const written = OPERATORS.reduce((sum, [word, operator]) => sum.replace(word, operator), text);
	return SUM.exec(written)?.[0].trim();
}
