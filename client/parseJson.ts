export type Parsed = { value: unknown; problem?: undefined } | { value?: undefined; problem: string };

/** Parses JSON text. What is wrong with it comes back as `problem`, in the words of the engine. */
export function parseJson(text: string): Parsed {
	try {
		return { value: JSON.parse(text) };
	} catch (error) {
		return { problem: (error as SyntaxError).message };
	}
}
