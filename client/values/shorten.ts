/** Puts a text on one line, and cuts it off with an ellipsis if it is longer than `length` characters. */
export function shorten(text: string, length: number): string {
	const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
	return line.length > length ? `${line.slice(0, length)}…` : line;
}
