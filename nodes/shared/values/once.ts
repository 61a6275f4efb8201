/** Returns a function that calls `make` once, and from then on always returns its value. If it throws, the next call tries again. */
export function once<Value>(make: () => Value): () => Value {
	let made: { value: Value } | undefined;
	return () => {
		made ??= { value: make() };
		return made.value;
	};
}
