/** Node warns about more than ten listeners of one signal, and each costs more than a callback in a set. */
const CALLBACKS = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back when the signal aborts. Many may follow one signal at little cost: it is listened to once.
 * @param signal not aborted yet
 * @returns ends the following
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
	const callbacks = CALLBACKS.get(signal) ?? listenTo(signal);
	callbacks.add(callback);
	return () => void callbacks.delete(callback);
}

function listenTo(signal: AbortSignal): Set<() => void> {
	const callbacks = new Set<() => void>();
	CALLBACKS.set(signal, callbacks);
	signal.addEventListener('abort', () => callbacks.forEach((callback) => callback()), { once: true });
	return callbacks;
}
