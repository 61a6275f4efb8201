import type { Clock } from '../../client/Clock';

interface Timer {
	atMs: number;
	order: number;
	fire: () => void;
	cancelled?: true;
}

/** Time that passes only when everything is waiting, and then immediately. */
export class VirtualClock implements Clock {
	private readonly timers = new TimerHeap();

	private order = 0;

	constructor(private timeMs = 0) {}

	now(): number {
		return this.timeMs;
	}

	/** Waits that are neither over nor aborted. */
	get pending(): number {
		return this.timers.pending;
	}

	async wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
		signal?.throwIfAborted();
		await new Promise<void>((resolve, reject) => {
			const abort = () => {
				timer.cancelled = true;
				reject(signal?.reason as Error);
			};
			const timer: Timer = this.at(this.timeMs + Math.max(0, milliseconds), () => {
				signal?.removeEventListener('abort', abort);
				resolve();
			});
			signal?.addEventListener('abort', abort, { once: true });
		});
	}

	/** Calls back at a time of this clock, in milliseconds. */
	at(atMs: number, fire: () => void): Timer {
		const timer: Timer = { atMs, order: this.order++, fire };
		this.timers.push(timer);
		return timer;
	}

	/**
	 * Lets time pass until the promise settles.
	 * @throws Error when it has not settled and nothing is left to wait for
	 */
	async run<T>(promise: Promise<T>): Promise<T> {
		let settled = false;
		const settle = () => (settled = true);
		promise.then(settle, settle);
		for (;;) {
			await drainMicrotasks();
			if (settled) return await promise;
			const timer = this.timers.pop();
			if (!timer) throw new Error('Nothing is left to wait for');
			this.timeMs = Math.max(this.timeMs, timer.atMs);
			timer.fire();
		}
	}
}

async function drainMicrotasks(): Promise<void> {
	await new Promise(setImmediate);
}

class TimerHeap {
	private readonly heap: Timer[] = [];

	get pending(): number {
		return this.heap.filter(({ cancelled }) => !cancelled).length;
	}

	push(timer: Timer): void {
		let index = this.heap.push(timer) - 1;
		while (index > 0) {
			const parent = (index - 1) >> 1;
			if (!isBefore(timer, this.heap[parent]!)) break;
			this.heap[index] = this.heap[parent]!;
			index = parent;
		}
		this.heap[index] = timer;
	}

	/** The earliest timer that is not cancelled. */
	pop(): Timer | undefined {
		for (;;) {
			const first = this.heap[0];
			const last = this.heap.pop();
			if (!first || !last) return undefined;
			if (this.heap.length > 0) this.sink(last);
			if (!first.cancelled) return first;
		}
	}

	private sink(timer: Timer): void {
		let index = 0;
		for (;;) {
			let child = 2 * index + 1;
			if (child >= this.heap.length) break;
			const right = this.heap[child + 1];
			if (right && isBefore(right, this.heap[child]!)) child++;
			if (!isBefore(this.heap[child]!, timer)) break;
			this.heap[index] = this.heap[child]!;
			index = child;
		}
		this.heap[index] = timer;
	}
}

function isBefore(a: Timer, b: Timer): boolean {
	return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
}
