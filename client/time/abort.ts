/**
 * Node.js warns about more than ten listeners of one signal, and a listener costs far more than a callback in a set. So each
 * signal has one listener and a set of callbacks.
 */
const CALLBACKS = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back when the signal aborts.
 * @param signal must not be aborted yet
 * @param callback must not throw
 * @returns a function that removes the callback
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
	const callbacks = CALLBACKS.get(signal) ?? follow(signal);
	callbacks.add(callback);
	return () => callbacks.delete(callback);
}

function follow(signal: AbortSignal): Set<() => void> {
	const callbacks = new Set<() => void>();
	CALLBACKS.set(signal, callbacks);
	signal.addEventListener('abort', () => callbacks.forEach((callback) => callback()));
	return callbacks;
}

/**
 * Waits for a promise that may ignore the signal, until it settles or the signal aborts.
 * @throws the signal's reason after an abort
 */
export async function untilAborted<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
	// After an abort nobody awaits the promise, so its rejection would be reported as unhandled.
	promise.catch(() => {});
	signal.throwIfAborted();
	let unfollow = () => {};
	const aborted = new Promise<never>((_, reject) => {
		unfollow = onAbort(signal, () => reject(signal.reason as Error));
	});
	try {
		return await Promise.race([promise, aborted]);
	} finally {
		unfollow();
	}
}
