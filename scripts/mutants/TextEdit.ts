/** A part of a text, by the offsets of its first character and of the one after its last, and what takes its place. */
export interface TextEdit {
	start: number;
	end: number;
	replacement: string;
}

/** Applies edits that do not overlap. Of those at one place, the first given comes first. */
export function applyEdits(text: string, edits: TextEdit[]): string {
	let position = 0;
	let result = '';
	for (const { start, end, replacement } of edits.toSorted((a, b) => a.start - b.start)) {
		result += text.slice(position, start) + replacement;
		position = end;
	}
	return result + text.slice(position);
}
