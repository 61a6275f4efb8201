/** The first value that has occurred before, in one pass: lists may be long. */
export function firstDuplicate(values: string[]): string | undefined {
	const seen = new Set<string>();
	return values.find((value) => seen.size === seen.add(value).size);
}
