import { parseJson, type ParsedJson } from './parseJson';
import { MOST_CONTAINERS, MOST_LEVELS } from './ResponseBounds';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Setting this bit turns the bracket of a list into that of an object. */
const BRACKET_BIT = 0x20;
const OPENING = 0x7b;
const CLOSING = 0x7d;

/**
 * Parses JSON text of the service. Refuses text that would take far more memory as a value, or that is nested too deeply.
 */
export function parseResponseJson(text: string): ParsedJson {
	const mayBeLarge = text.length > MOST_LEVELS && /^\s*[[{]/.test(text);
	const problem = mayBeLarge ? excessIn(text) : undefined;
	return problem === undefined ? parseJson(text) : { success: false, problem };
}

function excessIn(text: string): string | undefined {
	let levels = 0;
	let containers = 0;
	for (let index = 0; index < text.length; index++) {
		const code = text.charCodeAt(index);
		if (code === QUOTE) {
			index = endOfString(text, index);
		} else if ((code | BRACKET_BIT) === OPENING) {
			levels++;
			containers++;
			if (levels > MOST_LEVELS) return `it is nested more than ${MOST_LEVELS} levels deep`;
			if (containers > MOST_CONTAINERS) return `it has more than ${MOST_CONTAINERS} lists and objects`;
		} else if ((code | BRACKET_BIT) === CLOSING) {
			levels--;
		}
	}
	return undefined;
}

/** The index of the quote that ends the string which begins at `start`, or of the text's end if there is none. */
function endOfString(text: string, start: number): number {
	for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
		let backslashes = 0;
		while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
		if (backslashes % 2 === 0) return end;
	}
	return text.length;
}
