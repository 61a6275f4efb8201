/** Describes a piece of JSON text: a brace of an object, a string with its quotation marks, or a number. */
interface JsonToken {
	text: string;
	/** Says whether the token is a string with a colon after it. */
	isKey: boolean;
}

/** Matches a brace, a number up to its end, and of a string only its opening quotation mark. */
const BEGIN = /["{}]|-?\d[\d.eE+-]*/g;

const COLON = /\s*:/y;

/**
 * Returns the braces, strings and numbers of valid JSON text. A string is searched for its end in a loop, because an expression that
 * matches a long string with many backslashes overflows the stack.
 */
export function* jsonTokensOf(json: string): Generator<JsonToken> {
	const begin = new RegExp(BEGIN);
	for (let found = begin.exec(json); found; found = begin.exec(json)) {
		const [first] = found;
		if (first !== '"') {
			yield { text: first, isKey: false };
			continue;
		}
		const end = endOfString(json, found.index);
		COLON.lastIndex = end;
		yield { text: json.slice(found.index, end), isKey: COLON.test(json) };
		begin.lastIndex = end;
	}
}

/** Returns the index after the string that begins at an index. */
function endOfString(json: string, start: number): number {
	let quote = start;
	let backslashes: number;
	do {
		quote = json.indexOf('"', quote + 1);
		if (quote === -1) return json.length;
		backslashes = 0;
		while (json[quote - backslashes - 1] === '\\') backslashes++;
	} while (backslashes % 2 === 1);
	return quote + 1;
}
