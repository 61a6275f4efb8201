/** Returns a function that calls `make` once, and from then on always returns its value or throws its error. */
export function once<Value>(make: () => Value): () => Value {
	let outcome: { value: Value } | { error: unknown } | undefined;
	return () => {
		try {
			outcome ??= { value: make() };
		} catch (error) {
			outcome = { error };
		}
		if ('error' in outcome) throw outcome.error;
		return outcome.value;
	};
}
