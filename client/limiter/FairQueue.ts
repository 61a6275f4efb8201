import type { ExecutionCalls } from './ExecutionCalls';
import type { WaitingCall } from './WaitingCall';

/**
 * The calls that wait at one limiter. Executions take turns: the next call is of the one whose latest start is longest ago. Within
 * an execution, items go in order.
 */
export class FairQueue {
	private readonly queues = new Map<ExecutionCalls, WaitingCall[]>();

	/** The index of each execution's latest start. */
	private readonly turns = new WeakMap<ExecutionCalls, number>();

	private count = 0;

	get size(): number {
		return this.count;
	}

	get all(): WaitingCall[] {
		return [...this.queues.values()].flat();
	}

	/** The number of calls that wait for the limiter, and not for a slot of their execution. */
	get waitingForLimiter(): number {
		let sum = 0;
		for (const [execution, queue] of this.queues) if (!execution.isFull) sum += queue.length;
		return sum;
	}

	callsOf(execution: ExecutionCalls): WaitingCall[] {
		return [...(this.queues.get(execution) ?? [])];
	}

	has(execution: ExecutionCalls): boolean {
		return this.queues.has(execution);
	}

	/** @param nextIndex the index of the next start. A new execution has its turn before those that have started since. */
	add(call: WaitingCall, nextIndex: number): void {
		const { execution, order } = call.item;
		const queue = this.queues.get(execution) ?? [];
		queue.splice(queue.findLastIndex((other) => other.item.order <= order) + 1, 0, call);
		this.queues.set(execution, queue);
		if (!this.turns.has(execution)) this.turns.set(execution, nextIndex - 0.5);
		this.count++;
	}

	/** @returns whether no other call of its execution waits */
	remove(call: WaitingCall): boolean {
		const { execution } = call.item;
		const queue = this.queues.get(execution)!;
		queue.splice(queue.indexOf(call), 1);
		this.count--;
		return queue.length === 0 && this.queues.delete(execution);
	}

	/**
	 * Takes note of a start.
	 * @returns a function that gives the turn back
	 */
	takeTurn(execution: ExecutionCalls, index: number): () => void {
		const before = this.turns.get(execution) ?? index;
		this.turns.set(execution, index);
		return () => this.turns.set(execution, before);
	}

	/**
	 * Chooses the call that goes next.
	 * @param isHeldBack whether a call cannot go yet
	 * @param rank calls with a lower number go first within their execution
	 */
	next(
		isHeldBack: (call: WaitingCall) => boolean,
		rank: (call: WaitingCall) => number,
	): WaitingCall | undefined {
		let next: WaitingCall | undefined;
		let nextTurn = Infinity;
		for (const [execution, queue] of this.queues) {
			const turn = this.turns.get(execution)!;
			if (turn >= nextTurn || execution.isFull) continue;
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
