/** Calls `make` the first time, and then always gives the same value, or throws the same error. */
export function once<Value>(make: () => Value): () => Value {
	let outcome: (() => Value) | undefined;
	return () => {
		outcome ??= outcomeOf(make);
		return outcome();
	};
}

function outcomeOf<Value>(make: () => Value): () => Value {
	try {
		const value = make();
		return () => value;
	} catch (error) {
		return () => rethrow(error);
	}
}

function rethrow(error: unknown): never {
	throw error;
}
