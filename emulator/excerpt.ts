/** The first words of a text, with an ellipsis when there are more. */
export function excerpt(text: string, words: number): string {
	const all = text.trim().split(/\s+/);
	return all.length <= words ? all.join(' ') : all.slice(0, words).join(' ') + '…';
}
