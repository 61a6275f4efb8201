/** Calls `make` when it is first asked for. What it gave or threw then, it gives or throws ever after. */
export function once<Value>(make: () => Value): () => Value {
	let outcome: (() => Value) | undefined;
	return () => {
		outcome ??= outcomeOf(make);
		return outcome();
	};
}

/** Makes a result again only when an argument differs from the previous call. */
export function memoizeLast<Arguments extends unknown[], Result>(
	make: (...given: Arguments) => Result,
): (...given: Arguments) => Result {
	let last: { given: Arguments; result: () => Result } | undefined;
	return (...given) => {
		const isSame = last?.given.every((argument, index) => Object.is(argument, given[index]));
		if (!last || !isSame) last = { given, result: once(() => make(...given)) };
		return last.result();
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
