/** Makes a Markdown table. The columns after the first are aligned right. */
export function table(head: string[], rows: string[][]): string {
	const ruler = head.map((_, index) => (index === 0 ? '---' : '---:'));
	return [head, ruler, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

export function fixed(value: number, digits: number): string {
	return Number.isFinite(value) ? value.toFixed(digits) : '–';
}

/** Formats the median, with the lowest and the highest value in brackets. */
export function spread(middle: number, values: number[], digits: number): string {
	if (values.length < 2) return fixed(middle, digits);
	return `${fixed(middle, digits)} (${fixed(Math.min(...values), digits)}–${fixed(Math.max(...values), digits)})`;
}
