/** Adds to a count in a map, in which a missing key counts as 0. */
export function increase<Key>(counts: Map<Key, number>, key: Key, by = 1): void {
	counts.set(key, (counts.get(key) ?? 0) + by);
}
