import type { Clock } from '../../client/time/Alarm';

interface Timer {
	atMs: number;
	fire: () => void;
}

/** Each turn waits 1 ms for work in another thread, such as a hash, which may take seconds on a busy machine. */
const MAX_TURNS_WITHOUT_TIMER = 10_000;

/** Represents a clock with virtual time, which jumps to the next timer when nothing is left to do before it. */
export class VirtualClock implements Clock {
	/** Holds the timers, sorted by time, with the next one last. */
	private readonly timers: Timer[] = [];

	constructor(private timeMs = 0) {}

	now(): number {
		return this.timeMs;
	}

	/** Counts the waits that are neither over nor aborted. */
	get pending(): number {
		return this.timers.length;
	}

	async wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
		signal?.throwIfAborted();
		await new Promise<void>((resolve, reject) => {
			const abort = () => {
				this.timers.splice(this.timers.indexOf(timer), 1);
				reject(signal?.reason as Error);
			};
			const timer = this.at(this.timeMs + Math.max(0, milliseconds), () => {
				signal?.removeEventListener('abort', abort);
				resolve();
			});
			signal?.addEventListener('abort', abort, { once: true });
		});
	}

	/** Calls back at a time of this clock, in milliseconds. Two callbacks at the same time run in the order in which they were set. */
	at(atMs: number, fire: () => void): Timer {
		let low = 0;
		let high = this.timers.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (this.timers[middle]!.atMs > atMs) low = middle + 1;
			else high = middle;
		}
		const timer = { atMs, fire };
		this.timers.splice(low, 0, timer);
		return timer;
	}

	/**
	 * Lets time pass until the promise settles.
	 * @throws Error when it has not settled and nothing is left to wait for
	 */
	async run<T>(promise: Promise<T>): Promise<T> {
		let settled = false;
		let turnsWithoutTimer = 0;
		const settle = () => (settled = true);
		promise.then(settle, settle);
		for (;;) {
			// The code that the last timer started must run before time goes on.
			await new Promise(setImmediate);
			if (settled) return await promise;
			const timer = this.timers.pop();
			if (!timer) {
				if (turnsWithoutTimer++ > MAX_TURNS_WITHOUT_TIMER) throw new Error('Nothing is left to wait for');
				// Work in another thread, such as a hash, takes real time.
				await new Promise((resolve) => setTimeout(resolve, 1));
				continue;
			}
			turnsWithoutTimer = 0;
			this.timeMs = Math.max(this.timeMs, timer.atMs);
			timer.fire();
		}
	}
}
