import { onAbort } from './onAbort';

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
