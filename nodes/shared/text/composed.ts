/**
 * Writes accented letters in Unicode's composed form (NFC). Files of a Mac hold "é" as two characters where others have one, and
 * people see no difference. It is for comparing texts: what the node gives out is spelt as it was written.
 */
export function composed(text: string): string {
	return text.normalize('NFC');
}

/** Returns a text that is equal for all spellings of a label or an ID. */
export function labelKey(label: string): string {
	return composed(label.trim());
}
