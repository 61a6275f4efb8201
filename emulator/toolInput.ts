import { objectsIn } from './objectsIn';
import { objectForSchema, type Schema } from './objectForSchema';

/**
 * An input for a tool: the JSON object that the text gives after the tool's name, else one that meets the schema,
 * filled from what other tools returned and from the text.
 */
export function toolInput(
	inputSchema: Schema,
	toolName: string,
	text: string,
	known: readonly unknown[] = [],
): Record<string, unknown> {
	const named = text.toLowerCase().indexOf(toolName.toLowerCase());
	const [given] = named < 0 ? [] : objectsIn(text.slice(named + toolName.length));
	return given ?? objectForSchema(inputSchema, { text, known, words: Infinity });
}
