export type ParsedJson = { success: true; value: unknown } | { success: false; problem: string };

/** Parses JSON text. What is wrong with it comes back as `problem`, in the words of the JavaScript engine. */
export function parseJson(text: string): ParsedJson {
	try {
		return { success: true, value: JSON.parse(text) };
	} catch (error) {
		return { success: false, problem: (error as SyntaxError).message };
	}
}
