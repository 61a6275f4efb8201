/** Returns the first value that occurs for the second time. It looks at each value once, because lists may be long. */
export function firstDuplicate(values: string[]): string | undefined {
	const seen = new Set<string>();
	for (const value of values) {
		if (seen.has(value)) return value;
		seen.add(value);
	}
	return undefined;
}
