import type { ServiceError } from '../ServiceError';
import { Heap } from './Heap';
import type { ExecutionBudget, WaitBudget } from './WaitBudget';

/** A call that waits for its turn. */
export interface Waiter<Permit> {
	budget: WaitBudget;
	/** When its Max Wait is over. */
	endMs: number;
	start: (permit: Permit) => void;
	fail: (error: ServiceError) => void;
	/** Set when it starts, fails or is aborted; the heaps forget it then. */
	isOver?: boolean;
}

/** The calls of one execution. */
interface Line<Permit> {
	execution: ExecutionBudget;
	/** Those that may start, in the order of items. */
	ready: Heap<Waiter<Permit>>;
	/** Those of them that were refused more than once in a row. */
	refused: Heap<Waiter<Permit>>;
	inFlight: number;
	waiting: number;
	/** The number of its last start, or of its arrival. */
	turn: number;
	/** Its latest entry among the turns. */
	offer?: Turn<Permit>;
}

interface Turn<Permit> {
	line: Line<Permit>;
	turn: number;
}

/** Turns: the execution whose last start is longest ago goes next. Every step costs the logarithm of those that wait. */
export class Queue<Permit> {
	private readonly lines = new Map<ExecutionBudget, Line<Permit>>();

	/** By turn. A line may be in it more often than once; only its latest entry lives, or a long line would never be pruned. */
	private readonly turns = new Heap<Turn<Permit>>(
		(a, b) => a.turn < b.turn,
		(offer) => offer.line.offer === offer && offer.line.turn === offer.turn && isReady(offer.line),
	);

	private readonly ends = new Heap<Waiter<Permit>>((a, b) => a.endMs < b.endMs, isWaiting);

	/** Those that a refusal of their own keeps back. */
	private readonly later = new Heap<Waiter<Permit>>(
		(a, b) => a.budget.notBeforeMs < b.budget.notBeforeMs,
		isWaiting,
	);

	private nextTurn = 0;

	/** Calls that wait. */
	length = 0;

	/** Whether a call of the execution would have the next turn if it waited now. */
	isFree(budget: WaitBudget, now: number): boolean {
		if (this.length > 0 || budget.notBeforeMs > now) return false;
		return (this.lines.get(budget.execution)?.inFlight ?? 0) < budget.execution.concurrency;
	}

	add(waiter: Waiter<Permit>, now: number): void {
		this.length++;
		const line = this.lineOf(waiter.budget.execution);
		line.waiting++;
		this.ends.push(waiter);
		this.ends.prune(this.length);
		if (waiter.budget.notBeforeMs > now) {
			this.later.push(waiter);
			this.later.prune(this.length);
		} else this.makeReady(line, waiter);
	}

	/** Takes out a waiter that starts, fails or is aborted. */
	remove(waiter: Waiter<Permit>): void {
		waiter.isOver = true;
		this.length--;
		const line = this.lines.get(waiter.budget.execution)!;
		line.waiting--;
		this.forgetIdle(line);
	}

	/**
	 * Whose turn it is.
	 * @param isProbe whether it is to find out if the limit lets something through, which an item that is always refused would not
	 */
	next(now: number, isProbe: boolean): Waiter<Permit> | undefined {
		for (let due = this.later.peek(); due && due.budget.notBeforeMs <= now; due = this.later.peek()) {
			this.later.pop();
			this.makeReady(this.lineOf(due.budget.execution), due);
		}
		const line = this.turns.peek()?.line;
		const ready = line?.ready.peek();
		const refused = line?.refused.peek();
		if (!ready || !refused) return ready ?? refused;
		return isProbe || isEarlier(ready, refused) ? ready : refused;
	}

	started({ execution }: WaitBudget): void {
		const line = this.lineOf(execution);
		line.inFlight++;
		line.turn = this.nextTurn++;
		this.offer(line);
	}

	settled({ execution }: WaitBudget): void {
		const line = this.lineOf(execution);
		line.inFlight--;
		this.offer(line);
		this.forgetIdle(line);
	}

	/** Those whose time is over before the given one; they stay in the queue. */
	*endingBefore(atMs: number): Iterable<Waiter<Permit>> {
		for (let first = this.ends.peek(); first && first.endMs < atMs; first = this.ends.peek()) {
			this.ends.pop();
			yield first;
		}
	}

	/** When a call is out of time, or is no longer kept back by its own refusal. */
	get nextChangeMs(): number {
		return Math.min(this.ends.peek()?.endMs ?? Infinity, this.later.peek()?.budget.notBeforeMs ?? Infinity);
	}

	/** Those of an execution; looks at all, for what happens once in an execution. */
	ofExecution(execution: ExecutionBudget): Array<Waiter<Permit>> {
		return this.ends.living().filter(({ budget }) => budget.execution === execution);
	}

	private makeReady(line: Line<Permit>, waiter: Waiter<Permit>): void {
		const heap = waiter.budget.refusedInARow > 0 ? line.refused : line.ready;
		heap.push(waiter);
		heap.prune(line.waiting);
		this.offer(line);
	}

	private offer(line: Line<Permit>): void {
		if (!isReady(line)) return;
		line.offer = { line, turn: line.turn };
		this.turns.push(line.offer);
		this.turns.prune(this.lines.size);
	}

	private lineOf(execution: ExecutionBudget): Line<Permit> {
		let line = this.lines.get(execution);
		if (!line) {
			const ready = new Heap<Waiter<Permit>>(isEarlier, isWaiting);
			const refused = new Heap<Waiter<Permit>>(isLessRefused, isWaiting);
			line = { execution, ready, refused, inFlight: 0, waiting: 0, turn: this.nextTurn++ };
			this.lines.set(execution, line);
		}
		return line;
	}

	private forgetIdle(line: Line<Permit>): void {
		if (line.waiting === 0 && line.inFlight === 0) this.lines.delete(line.execution);
	}
}

function isWaiting(waiter: { isOver?: boolean }): boolean {
	return !waiter.isOver;
}

function isReady<Permit>({ execution, inFlight, ready, refused }: Line<Permit>): boolean {
	return inFlight < execution.concurrency && (ready.peek() ?? refused.peek()) !== undefined;
}

/** So that no single item is every probe of an outage. */
function isLessRefused(a: { budget: WaitBudget }, b: { budget: WaitBudget }): boolean {
	const more = a.budget.refusedInARow - b.budget.refusedInARow;
	return more < 0 || (more === 0 && isEarlier(a, b));
}

function isEarlier(a: { budget: WaitBudget }, b: { budget: WaitBudget }): boolean {
	return a.budget.order! < b.budget.order!;
}
