/** Node warns about more than ten listeners of one signal, and each costs far more than a callback in a set. */
const FOLLOWERS = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back when the signal aborts. All callbacks of a signal share one listener, so that many cost little.
 * @param signal not aborted yet
 * @param callback must not throw
 * @returns stops calling back
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
	const callbacks = FOLLOWERS.get(signal) ?? follow(signal);
	callbacks.add(callback);
	return () => callbacks.delete(callback);
}

function follow(signal: AbortSignal): Set<() => void> {
	const callbacks = new Set<() => void>();
	FOLLOWERS.set(signal, callbacks);
	signal.addEventListener('abort', () => callbacks.forEach((callback) => callback()));
	return callbacks;
}

/**
 * Waits for a promise that may ignore the signal, until it settles or the signal aborts.
 * @throws the signal's reason after an abort
 */
export async function untilAborted<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
	// Nobody hears of what the promise settles with after an abort.
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
