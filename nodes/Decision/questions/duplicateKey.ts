/** Matches what tells the keys of objects in JSON text: strings, with the colon after a key, and the braces of objects. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}]/g;

/**
 * Returns a key that stands twice in one object of valid JSON text. `JSON.parse` keeps only the last value of such a key. The text
 * is read in a loop, because it may be nested deeply.
 */
export function duplicateKey(json: string): string | undefined {
	const open: Array<Set<string>> = [];
	for (const [token, colon] of json.matchAll(TOKEN)) {
		if (token === '{') open.push(new Set());
		else if (token === '}') open.pop();
		else if (colon !== undefined) {
			const key = JSON.parse(token.slice(0, -colon.length)) as string;
			const keys = open.at(-1)!;
			if (keys.has(key)) return key;
			keys.add(key);
		}
	}
	return undefined;
}
