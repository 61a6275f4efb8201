/** Calls `make` the first time, and then always gives the same value, or throws the same error. */
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
