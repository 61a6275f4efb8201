/**
 * Returns the few entries with the highest values, the highest first. Of equal ones, the earlier come first. It does not sort the
 * list, because that would block the event loop if it is long.
 */
export function highest<Entry>(
	list: readonly Entry[],
	count: number,
	valueOf: (entry: Entry) => number,
): Entry[] {
	const kept: Array<{ entry: Entry; value: number }> = [];
	for (const entry of list) {
		const value = valueOf(entry);
		if (kept.length === count && value <= kept.at(-1)!.value) continue;
		const place = kept.findIndex((other) => other.value < value);
		kept.splice(place === -1 ? kept.length : place, 0, { entry, value });
		if (kept.length > count) kept.pop();
	}
	return kept.map(({ entry }) => entry);
}
