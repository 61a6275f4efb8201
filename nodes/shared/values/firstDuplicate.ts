/** Returns the first value that occurs for the second time. It looks at each value once, because lists may be long. */
export function firstDuplicate(values: string[]): string | undefined {
	const seen = new Set<string>();
	return values.find((value) => seen.size === seen.add(value).size);
}
