/** What JavaScript makes of an object that is joined to text. */
const OBJECT_AS_TEXT = '[object Object]';

/** Matches the beginning of an expression. After a backslash, the braces are plain text. */
const BEGIN = /(?<!\\)\{\{/;

const END = '}}';

/**
 * Finds an expression that gives an object, but stands within text, so that only "[object Object]" is left of it. The text alone
 * does not show this, because an item may contain these words.
 * @param stored a value of a parameter as it is stored
 * @param resolved the same value with its expressions resolved
 * @param evaluate returns the value of one expression, which has its braces
 * @returns the expression with its braces, or undefined if there is none
 */
export function findObjectInText(
	stored: unknown,
	resolved: unknown,
	evaluate: (expression: string) => unknown,
): string | undefined {
	if (typeof stored === 'string') {
		const isSuspect =
			stored.startsWith('=') && typeof resolved === 'string' && resolved.includes(OBJECT_AS_TEXT);
		return isSuspect ? expressionsIn(stored).find((part) => isLostInText(evaluate(part))) : undefined;
	}
	if (!isObject(stored) || !isObject(resolved)) return undefined;
	for (const [key, inner] of Object.entries(stored)) {
		const found = findObjectInText(inner, (resolved as Record<string, unknown>)[key], evaluate);
		if (found !== undefined) return found;
	}
	return undefined;
}

function expressionsIn(text: string): string[] {
	const [, ...parts] = text.split(BEGIN);
	return parts.filter((part) => part.includes(END)).map((part) => `{{${part.split(END, 1)[0]!}${END}`);
}

/** Whether a value is an object that has no text of its own, as a date has, or a list with such an object. */
function isLostInText(value: unknown): boolean {
	return isObject(value) && String(value).includes(OBJECT_AS_TEXT);
}

function isObject(value: unknown): value is object {
	return typeof value === 'object' && value !== null;
}
