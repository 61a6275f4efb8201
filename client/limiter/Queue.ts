import type { ServiceError } from '../ServiceError';
import type { ExecutionBudget, WaitBudget } from './WaitBudget';

/** A call that waits for its turn. */
export interface Waiter<Permit> {
	budget: WaitBudget;
	/** Counts the calls that have waited. */
	arrival: number;
	/** When a refusal that concerns its item alone no longer keeps it back. */
	readyMs: number;
	/** When its Max Wait is over. */
	endMs: number;
	start: (permit: Permit) => void;
	fail: (error: ServiceError) => void;
}

/** The calls of one execution. */
interface Line<Permit> {
	execution: ExecutionBudget;
	/** In the order of items. */
	ready: Sorted<Waiter<Permit>>;
	/** Those that were refused, in the order in which they came back, so that no single item is every probe. */
	refused: Sorted<Waiter<Permit>>;
	inFlight: number;
	waiting: number;
	/** The number of its last start, or of its arrival. */
	turn: number;
	/** Its entry among the turns, while a call of it may start. */
	offer?: Turn<Permit> | undefined;
}

interface Turn<Permit> {
	line: Line<Permit>;
	turn: number;
}

/** Turns: the execution whose last start is longest ago goes next. */
export class Queue<Permit> {
	private readonly lines = new Map<ExecutionBudget, Line<Permit>>();

	/** Of those that have a call that may start. */
	private readonly turns = new Sorted<Turn<Permit>>((a, b) => a.turn - b.turn);

	private readonly ends = new Sorted<Waiter<Permit>>((a, b) => a.endMs - b.endMs || a.arrival - b.arrival);

	private readonly later = new Sorted<Waiter<Permit>>(
		(a, b) => a.readyMs - b.readyMs || a.arrival - b.arrival,
	);

	private nextTurn = 0;

	/** Calls that wait. */
	get length(): number {
		return this.ends.size;
	}

	/** Whether a call of the execution would have the next turn if it waited now. */
	isFree(budget: WaitBudget, now: number): boolean {
		if (this.length > 0 || budget.notBeforeMs > now) return false;
		return (this.lines.get(budget.execution)?.inFlight ?? 0) < budget.execution.concurrency;
	}

	add(waiter: Waiter<Permit>, now: number): void {
		const line = this.lineOf(waiter.budget.execution);
		line.waiting++;
		this.ends.add(waiter);
		if (waiter.readyMs > now) this.later.add(waiter);
		else this.makeReady(line, waiter);
	}

	/** Takes out a waiter that starts, fails or is aborted. */
	remove(waiter: Waiter<Permit>): void {
		const line = this.lineOf(waiter.budget.execution);
		line.waiting--;
		this.ends.delete(waiter);
		this.later.delete(waiter);
		line.ready.delete(waiter);
		line.refused.delete(waiter);
		this.relist(line);
	}

	/**
	 * Whose turn it is, if a call may start as far as executions and items go.
	 * @param isProbe whether it shows if the limit lets something through, which an item that is always refused would not show
	 */
	next(now: number, isProbe: boolean): Waiter<Permit> | undefined {
		for (let due = this.later.first; due && due.readyMs <= now; due = this.later.first) {
			this.later.delete(due);
			this.makeReady(this.lineOf(due.budget.execution), due);
		}
		const { ready, refused } = this.turns.first?.line ?? {};
		const [fresh, again] = [ready?.first, refused?.first];
		if (!fresh || !again) return fresh ?? again;
		// One that has given up its place comes after those that have waited longer.
		const isFreshFirst = again.budget.isSetAside
			? fresh.arrival < again.arrival
			: fresh.budget.order! < again.budget.order!;
		return isProbe || isFreshFirst ? fresh : again;
	}

	started({ execution }: WaitBudget): void {
		const line = this.lineOf(execution);
		line.inFlight++;
		this.relist(line, this.nextTurn++);
	}

	settled({ execution }: WaitBudget): void {
		const line = this.lineOf(execution);
		line.inFlight--;
		this.relist(line);
	}

	/** Who is out of time first. */
	get first(): Waiter<Permit> | undefined {
		return this.ends.first;
	}

	/** Those of an execution; looks at all, for what happens once in an execution. */
	ofExecution(execution: ExecutionBudget): Array<Waiter<Permit>> {
		return this.ends.living().filter(({ budget }) => budget.execution === execution);
	}

	/** When a call is out of time, or is no longer kept back by its own refusal. */
	get nextChangeMs(): number {
		return Math.min(this.ends.first?.endMs ?? Infinity, this.later.first?.readyMs ?? Infinity);
	}

	private makeReady(line: Line<Permit>, waiter: Waiter<Permit>): void {
		(waiter.budget.refusedInARow > 0 ? line.refused : line.ready).add(waiter);
		this.relist(line);
	}

	private relist(line: Line<Permit>, turn = line.turn): void {
		const { execution, ready, refused, inFlight, waiting } = line;
		if (line.offer) this.turns.delete(line.offer);
		line.turn = turn;
		const mayStart = ready.size + refused.size > 0 && inFlight < execution.concurrency;
		line.offer = mayStart ? { line, turn } : undefined;
		if (line.offer) this.turns.add(line.offer);
		if (waiting === 0 && inFlight === 0) this.lines.delete(execution);
	}

	private lineOf(execution: ExecutionBudget): Line<Permit> {
		let line = this.lines.get(execution);
		if (!line) {
			const ready = new Sorted<Waiter<Permit>>(byOrder);
			const refused = new Sorted<Waiter<Permit>>((a, b) => a.arrival - b.arrival);
			line = { execution, ready, refused, inFlight: 0, waiting: 0, turn: this.nextTurn++ };
			this.lines.set(execution, line);
		}
		return line;
	}
}

function byOrder(
	a: Pick<Waiter<unknown>, 'budget' | 'arrival'>,
	b: Pick<Waiter<unknown>, 'budget' | 'arrival'>,
): number {
	return a.budget.order! - b.budget.order! || a.arrival - b.arrival;
}

/** A sorted array. What is taken out of its middle stays until it is first, or until half of all is such. */
class Sorted<Entry> {
	private entries: Entry[] = [];

	/** Where the first is, for moving 20,000 on each start would cost more than all the rest. */
	private begin = 0;

	private readonly inside = new Set<Entry>();

	/** @param compare never 0 for two entries, and always the same while they are inside */
	constructor(private readonly compare: (a: Entry, b: Entry) => number) {}

	get size(): number {
		return this.inside.size;
	}

	get first(): Entry | undefined {
		while (this.begin < this.entries.length && !this.inside.has(this.entries[this.begin]!)) this.begin++;
		return this.entries[this.begin];
	}

	/** In order. */
	living(): Entry[] {
		return this.entries.slice(this.begin).filter((entry) => this.inside.has(entry));
	}

	add(entry: Entry): void {
		let low = this.begin;
		let high = this.entries.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (this.compare(this.entries[middle]!, entry) < 0) low = middle + 1;
			else high = middle;
		}
		this.entries.splice(low, 0, entry);
		this.inside.add(entry);
	}

	delete(entry: Entry): void {
		if (!this.inside.delete(entry) || this.entries.length <= 2 * this.inside.size + 64) return;
		this.entries = this.living();
		this.begin = 0;
	}
}
