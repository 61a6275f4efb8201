export type ParsedJson = { success: true; value: unknown } | { success: false; problem: string };

/** Parses JSON without throwing. `problem` is the message of the JavaScript engine. */
export function parseJson(text: string): ParsedJson {
	try {
		return { success: true, value: JSON.parse(text) };
	} catch (error) {
		return { success: false, problem: (error as SyntaxError).message };
	}
}
