import type { RunCalls } from './RunCalls';
import type { WaitingCall } from './WaitingCall';

/**
 * Holds the calls that wait at one limiter. Runs take turns: the next call is of the one whose latest start is longest ago. Within
 * a run, items go in order.
 */
export class FairQueue {
	private readonly queues = new Map<RunCalls, WaitingCall[]>();

	/** Holds the index of each run's latest start. */
	private readonly turns = new WeakMap<RunCalls, number>();

	private waitingCalls = 0;

	get size(): number {
		return this.waitingCalls;
	}

	get all(): WaitingCall[] {
		return [...this.queues.values()].flat();
	}

	/** Counts the calls that wait for the limiter, and not for a slot of their run. */
	get waitingForLimiter(): number {
		let sum = 0;
		for (const [run, queue] of this.queues) if (!run.isFull) sum += queue.length;
		return sum;
	}

	callsOf(run: RunCalls): WaitingCall[] {
		return [...(this.queues.get(run) ?? [])];
	}

	has(run: RunCalls): boolean {
		return this.queues.has(run);
	}

	/**
	 * Adds a call behind those of its run whose items come before or are the same.
	 * @param nextIndex the index of the next start. A new run has its turn before those that have started since.
	 */
	add(call: WaitingCall, nextIndex: number): void {
		const { run, order } = call.item;
		const queue = this.queues.get(run) ?? [];
		queue.splice(queue.findLastIndex((other) => other.item.order <= order) + 1, 0, call);
		this.queues.set(run, queue);
		if (!this.turns.has(run)) this.turns.set(run, nextIndex - 0.5);
		this.waitingCalls++;
	}

	/**
	 * Removes a call that starts or fails.
	 * @param call must be in the queue. It leaves only once, because nobody follows its signal any more then.
	 * @returns whether no other call of its run waits
	 */
	remove(call: WaitingCall): boolean {
		const { run } = call.item;
		const queue = this.queues.get(run)!;
		queue.splice(queue.indexOf(call), 1);
		this.waitingCalls--;
		return queue.length === 0 && this.queues.delete(run);
	}

	/**
	 * Takes note of a start.
	 * @returns a function that gives the turn back
	 */
	takeTurn(run: RunCalls, index: number): () => void {
		const before = this.turns.get(run) ?? index;
		this.turns.set(run, index);
		return () => this.turns.set(run, before);
	}

	/**
	 * Chooses the call that goes next.
	 * @param isHeldBack whether a call cannot go yet
	 * @param rank calls with a lower number go first within their run
	 */
	next(
		isHeldBack: (call: WaitingCall) => boolean,
		rank: (call: WaitingCall) => number,
	): WaitingCall | undefined {
		let next: WaitingCall | undefined;
		let nextTurn = Infinity;
		for (const [run, queue] of this.queues) {
			const turn = this.turns.get(run)!;
			if (turn >= nextTurn || run.isFull) continue;
			let first: WaitingCall | undefined;
			for (const call of queue) {
				if (isHeldBack(call) || (first && rank(first) <= rank(call))) continue;
				first = call;
				if (rank(first) === 0) break;
			}
			if (first) [next, nextTurn] = [first, turn];
		}
		return next;
	}
}
