/** JavaScript makes this of an object that is joined to text, such as "[object Object]" or "[object Promise]". */
const OBJECT_AS_TEXT = /\[object [A-Z]\w*\]/g;

/**
 * This is what the text of a function has: its first word, its arrow, or the words in place of a body that is not written in
 * JavaScript.
 */
const FUNCTION_AS_TEXT = /\b(?:function|class)\b|=>|native code/;

/**
 * This is what JavaScript makes of a value that is none, of a division by zero, or of a date that is none. Letters around NaN or
 * Infinity belong to another word.
 */
const EMPTY_AS_TEXT = /undefined|null|(?<!\p{L})(?:NaN|Infinity)(?!\p{L})|Invalid Date(?:Time)?/gu;

/** An expression writes words of its own only if it joins texts, divides or calls a function. Else it gives what a field says. */
const MAY_WRITE = /[+`/]|[\w\])]\s*\(/;

/** The data that an expression reads can be looked through if it is the JSON of one item, of this or another node. */
const READABLE_DATA =
	/\$json\b|\$input\.(?:item|first\(\)|last\(\))\.json\b|\$(?:node\[(?:'[^']*'|"[^"]*")\]|\((?:'[^']*'|"[^"]*")\)\.(?:item|first\(\)|last\(\)))\.json\b/g;

/** Other data, such as `$fromAI(…)` and `$('Node').all()`, cannot be looked through. A few of n8n's names are no data. */
const OTHER_DATA = /\$(?=[a-z_(])(?!(?:now|today|itemIndex|runIndex|if|ifEmpty|min|max)\b)/i;

/** Encoded text may hold the words without showing them, and may show them without holding them. `typeof` gives one on purpose. */
const MAKES_WORDS = /base64|atob|btoa|decode|typeof/i;

/** JSON writes null for a value that is null, as it should. */
const WRITES_JSON = /stringify|toJsonString/i;

const LITERAL = /'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`/gs;

/** Returns whether a part of an expression's value is the text of an object, which neither the data nor the expression contains. */
export function writesObject(
	expression: string,
	value: unknown,
	evaluate: (expression: string) => unknown,
): boolean {
	const found = textsIn(value).match(OBJECT_AS_TEXT);
	return found !== null && isWritten(found, expression, evaluate);
}

/**
 * Returns whether an expression joined a missing value to text, so that its own value has a word such as "undefined" in it, which
 * neither the data nor the expression contains. If that cannot be known for certain, it returns false.
 */
export function writesEmptyWord(
	expression: string,
	value: unknown,
	evaluate: (expression: string) => unknown,
): boolean {
	if (isInvalidDate(value) || isInfinite(value)) return true;
	const found = new Set(textsIn(value).match(EMPTY_AS_TEXT));
	if (WRITES_JSON.test(expression)) found.delete('null');
	return found.size > 0 && isWritten([...found], expression, evaluate);
}

/** Returns whether a resolved value may hold the text of an object or a function that is not its own. It evaluates nothing. */
export function mayHoldObject(expressions: string[], resolved: unknown): boolean {
	if (typeof resolved === 'string') return holdsObject(resolved) || FUNCTION_AS_TEXT.test(resolved);
	return expressions.some((one) => MAY_WRITE.test(one)) && holdsObject(textsIn(resolved));
}

/** Returns whether a text holds "[object Object]" or the like, which is left of an object that was joined to text. */
export function holdsObject(text: string): boolean {
	return text.search(OBJECT_AS_TEXT) !== -1;
}

/** Returns the words for missing values in a resolved value, if one of its expressions may have written them. It evaluates nothing. */
export function emptyWordsIn(expressions: string[], resolved: unknown): ReadonlySet<string> {
	return new Set(
		expressions.some((one) => MAY_WRITE.test(one)) ? textsIn(resolved).match(EMPTY_AS_TEXT) : [],
	);
}

/** Returns whether an expression may have written one of these words. It evaluates nothing. */
export function mayWriteWord(expression: string, words: ReadonlySet<string>): boolean {
	if (words.size === 0 || !MAY_WRITE.test(expression)) return false;
	return words.size > 1 || !words.has('null') || !WRITES_JSON.test(expression);
}

/**
 * Looks for the words where they may come from without a fault.
 * @returns whether one of the words is neither in the data that the expression reads nor in its source
 */
function isWritten(words: string[], expression: string, evaluate: (expression: string) => unknown): boolean {
	if (!MAY_WRITE.test(expression) || MAKES_WORDS.test(expression)) return false;
	if (OTHER_DATA.test(expression.replaceAll(READABLE_DATA, ''))) return false;
	const data = dataOf(expression, evaluate);
	if (data === undefined) return false;
	// The expression may have changed the case of a text.
	const known = `${literalsIn(expression)}\n${data}`.toLowerCase();
	return words.some((word) => !known.includes(word.toLowerCase()));
}

/**
 * Returns the texts in the data that an expression names. It returns undefined if it names a node that it did not read, and that
 * did not run.
 */
function dataOf(expression: string, evaluate: (expression: string) => unknown): string | undefined {
	const names = new Set(expression.match(READABLE_DATA));
	try {
		return [...names].map((name) => textsIn(evaluate(`{{ ${name} }}`))).join('\n');
	} catch {
		return undefined;
	}
}

/** Returns whether a value is what a division by zero gives. */
function isInfinite(value: unknown): boolean {
	return value === Infinity || value === -Infinity;
}

/** Returns whether a value is a date that is none, of JavaScript or of Luxon. */
function isInvalidDate(value: unknown): boolean {
	return typeof value === 'object' && value !== null && Number.isNaN(value.valueOf());
}

/** Returns the texts that stand in code, those within the code of a template's placeholders included. */
export function literalsIn(code: string): string {
	const literals = code.match(LITERAL) ?? [];
	return literals
		.map((literal) => literal.replaceAll(/\$\{([^{}]*)\}/g, (_, inner: string) => literalsIn(inner)))
		.join('\n');
}

/** Returns the texts of a value, and the names of its fields. */
function textsIn(value: unknown): string {
	if (typeof value === 'string') return value;
	if (typeof value !== 'object' || value === null) return '';
	const isKept = (inner: unknown) =>
		typeof inner === 'string' || (typeof inner === 'object' && inner !== null);
	return JSON.stringify(value, (_, inner: unknown) => (isKept(inner) ? inner : ''));
}
