/** Finds the JSON objects in a text, in order, without those that are inside others. */
export function objectsIn(text: string): Record<string, unknown>[] {
	const objects: Record<string, unknown>[] = [];
	let start = text.indexOf('{');
	while (start >= 0) {
		const end = endOfObject(text, start);
		const object = parsed(text.slice(start, end));
		if (object !== undefined) objects.push(object);
		start = text.indexOf('{', object === undefined ? start + 1 : end);
	}
	return objects;
}

/** Returns the position after the brace that closes the one at `start`. Braces in strings do not count. */
function endOfObject(text: string, start: number): number {
	let depth = 0;
	let inString = false;
	for (let at = start; at < text.length; at++) {
		const character = text[at];
		if (inString && character === '\\') at++;
		else if (character === '"') inString = !inString;
		else if (!inString && character === '{') depth++;
		else if (!inString && character === '}' && --depth === 0) return at + 1;
	}
	return text.length;
}

function parsed(json: string): Record<string, unknown> | undefined {
	try {
		return JSON.parse(json) as Record<string, unknown>;
	} catch (error) {
		if (error instanceof SyntaxError) return undefined;
		throw error;
	}
}
