/** Calls `make` when it is first asked for. What it gave or threw then, it gives or throws ever after. */
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
