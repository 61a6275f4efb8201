/** Holds the values that were set latest. It needs no `lru-cache`, because reading a value does not make it a later one. */
export class LatestMap<Key, Value> {
	private readonly values = new Map<Key, Value>();

	/**
	 * Makes an empty map.
	 * @param max the number of values that are held. Beyond it, the one that was set longest ago is dropped.
	 */
	constructor(private readonly max: number) {}

	get(key: Key): Value | undefined {
		return this.values.get(key);
	}

	set(key: Key, value: Value): void {
		// A Map keeps the place of a key that is set again.
		this.values.delete(key);
		this.values.set(key, value);
		const [oldest] = this.values.keys();
		if (this.values.size > this.max) this.values.delete(oldest!);
	}
}
