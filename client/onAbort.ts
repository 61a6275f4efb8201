/** Node warns about more than ten listeners of one signal, and each costs more than a callback in a set. */
const FOLLOWERS = new WeakMap<AbortSignal, Followers>();

/**
 * Calls back when the signal aborts, even if other callbacks throw. All callbacks of a signal share one listener, so that
 * many cost little.
 * @param signal not aborted yet
 * @returns stops calling back
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
	const followers = FOLLOWERS.get(signal) ?? new Followers(signal);
	return followers.add(callback);
}

class Followers {
	private readonly callbacks = new Set<() => void>();

	private readonly callBack = () => {
		const errors: unknown[] = [];
		for (const callback of this.callbacks) {
			try {
				callback();
			} catch (error) {
				errors.push(error);
			}
		}
		if (errors.length > 0) throw errors[0];
	};

	constructor(private readonly signal: AbortSignal) {
		FOLLOWERS.set(signal, this);
		signal.addEventListener('abort', this.callBack);
	}

	add(callback: () => void): () => void {
		this.callbacks.add(callback);
		return () => this.remove(callback);
	}

	private remove(callback: () => void): void {
		if (!this.callbacks.delete(callback) || this.callbacks.size > 0) return;
		this.signal.removeEventListener('abort', this.callBack);
		FOLLOWERS.delete(this.signal);
	}
}
