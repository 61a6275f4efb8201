import { Alarm, type Clock } from '../time/Alarm';
import { onAbort } from '../time/abort';
import { isPerDay, type RateLimitName, type ServiceError } from '../ServiceError';
import { LimitModel } from './LimitModel';
import type { SentRequest } from './Pace';
import type { ExecutionCalls, ItemCalls } from './ItemCalls';

const REPORT_EVERY_MS = 30_000;

/** Limits change: what was learned of one is forgotten after this long without a request. */
export const FORGOTTEN_AFTER_MS = 10 * 60_000;

/** From this many own refusals on, an item goes last, and its `Retry-After` no longer counts for others. */
const REFUSALS_OF_ONE_ITEM = 3;

/** A longer `Retry-After` that names no limit per day is probably a mistake, and is checked by probes. */
const BELIEVED_AFTER_MS = 3_600_000;

const LOOKED_INTO_EVERY_MS = 60_000;

/** The grace for an item that may wait exactly as long as a `Retry-After`: timers ring late, and a probe goes first. */
const GRACE_AFTER_HEADER_MS = 500;

/** At most this long after a start or a success, the next request goes, places or not, if nothing was refused since. */
const PATIENCE_MS = 9000;

/** Leave to send one request. Call exactly one of its methods, once, when the request has ended. */
export interface Permit {
	/** The request got past the limits. */
	succeeded(): void;
	/**
	 * The request was refused with 429.
	 * @returns whether the call may acquire again
	 */
	throttled(refusal: ServiceError): boolean;
	/** The service was too busy for the request (503, 504), or did not answer in time. */
	overloaded(error: ServiceError): void;
	/** The request ended without saying anything about the limits. */
	released(): void;
}

/** What is reported about the wait of everything behind one limiter. */
export interface Waiting {
	phase: 'begins' | 'continues' | 'ends';
	/** Milliseconds since it began. */
	waitedMs: number;
	/** Calls that wait now. */
	queued: number;
	/** The limit that the latest refusal named. */
	limit?: RateLimitName;
}

export interface LimiterParts {
	clock: Clock;
	/** From 0 (inclusive) to 1 (exclusive), for the jitter of probes and back-offs. */
	random: () => number;
	/** Told when calls begin to wait, every half minute while they do, and when none waits any more. */
	onWaiting?: (waiting: Waiting) => void;
}

/** A call that waits for its turn. */
interface Waiter {
	budget: ItemCalls;
	/** When its Max Wait is over. */
	endMs: number;
	start: (permit: Permit) => void;
	fail: (error: ServiceError) => void;
}

/**
 * Lets requests start as the service's limits allow. One limiter serves all calls that share a limit. `LimitModel` says when
 * the next request may start; this class says whose it is:
 *
 * - Turns: the execution whose last start is longest ago goes next, its items in order. A probe, or a request of a
 *   trial, is of the item that was refused least.
 * - Own refusals: an item that is refused again although others got through since, while less than half of all are refused,
 *   teaches nothing, and delays others by its first headers only. It is tried after about 0.25, 1, 4, 16 and then every 64 s,
 *   from the third on as the last; sooner if nothing has started for nine seconds, and nothing was refused since
 *   something got through.
 * - Headers: nothing is sent before a `Retry-After` is over (of one longer than an hour, only its first minute), and calls that
 *   may not wait as long fail immediately (60 s left, a header of 90 s). From its third own refusal on, an item's holds back
 *   only that item.
 */
export class Limiter {
	private model: LimitModel;

	/** The calls that wait, by execution, in the order of items. */
	private readonly lines = new Map<ExecutionCalls, Waiter[]>();

	/** The index of an execution's last start; of one that has not started, half an index before the next. */
	private turns = new WeakMap<ExecutionCalls, number>();

	/** Calls that wait. */
	private queued = 0;

	/** Until then, no waiting call runs out of time or stops being held back. */
	private nextChangeMs = Infinity;

	/** By then, the next request goes unless a header forbids it; Infinity from a refusal until one gets through. */
	private patienceEndMs = Infinity;

	private lastFailure: ServiceError | undefined;

	/** The end of a `Retry-After`. Calls that cannot wait until then fail immediately. */
	private headerEndMs = -Infinity;

	/** Nothing is sent before. */
	private pauseEndMs = -Infinity;

	private readonly alarm: Alarm;

	private waitingSinceMs: number | undefined;

	private reportAtMs = Infinity;

	private lastUsedMs: number;

	constructor(private readonly parts: LimiterParts) {
		this.model = new LimitModel(parts.random);
		this.lastUsedMs = parts.clock.now();
		this.alarm = new Alarm(parts.clock, () => this.dispatch());
	}

	/** Since when nothing has been sent, by the clock; Infinity while something is in flight or waits. */
	get unusedSinceMs(): number {
		return this.model.inFlight > 0 || this.queued > 0 ? Infinity : this.lastUsedMs;
	}

	/**
	 * Waits until a request may start.
	 * @param budget that of the item; what it waits here is added to it
	 * @throws ServiceError the refusal whose wait is longer than the item may still wait, or that is of a limit per day
	 * @throws the signal's reason after an abort
	 */
	async acquire(budget: ItemCalls, signal: AbortSignal): Promise<Permit> {
		signal.throwIfAborted();
		const { execution } = budget;
		if (execution.turnedAwayBy && budget.attempts === 0) throw execution.turnedAwayBy;
		const now = this.parts.clock.now();
		if (this.unusedSinceMs <= now - FORGOTTEN_AFTER_MS) {
			this.model = new LimitModel(this.parts.random);
			this.turns = new WeakMap();
		}
		const isFree =
			this.queued === 0 && !this.isHeldBack(budget, now) && execution.inFlight < execution.concurrency;
		if (isFree && this.nextStartMs(budget, now) <= now) return this.admit(budget, now);
		return await new Promise<Permit>((resolve, reject) => {
			const line = this.lines.get(execution) ?? [];
			const settle = () => {
				const endMs = this.parts.clock.now();
				line.splice(line.indexOf(waiter), 1);
				if (line.length === 0 && this.lines.delete(execution)) execution.waitsAt.delete(this);
				this.queued--;
				unfollow();
				budget.waitedMs += endMs - now;
				execution.waitEnds(endMs);
			};
			const waiter: Waiter = {
				budget,
				endMs: this.endOfWaitMs(budget, now),
				start: (permit) => {
					settle();
					resolve(permit);
				},
				fail: (error) => {
					settle();
					budget.setAside(false);
					reject(error);
				},
			};
			const unfollow = onAbort(signal, () => {
				waiter.fail(signal.reason as ServiceError);
				this.dispatch();
			});
			execution.waitBegins(now);
			line.splice(placeOf(budget, line), 0, waiter);
			this.lines.set(execution, line);
			execution.waitsAt.add(this);
			if (!this.turns.has(execution)) this.turns.set(execution, this.model.nextIndex - 0.5);
			this.queued++;
			this.nextChangeMs = Math.min(this.nextChangeMs, this.changeMs(waiter, now));
			this.dispatch();
		});
	}

	private nextStartMs({ refused }: ItemCalls, now: number): number {
		const startMs = Math.min(this.model.nextStartMs(refused === 0), this.patienceEndMs);
		return Math.max(now, startMs, this.pauseEndMs);
	}

	/** Its own refusals hold an item back no longer than patience lasts; its own `Retry-After` does. */
	private isHeldBack({ retryAfterEndMs, notBeforeMs }: ItemCalls, now: number): boolean {
		return retryAfterEndMs > now || Math.min(notBeforeMs, this.patienceEndMs) > now;
	}

	private endOfWaitMs({ leftMs }: ItemCalls, now: number): number {
		const endMs = now + leftMs;
		const isInPause = now < this.headerEndMs && this.headerEndMs <= endMs;
		return isInPause ? Math.max(endMs, this.headerEndMs + GRACE_AFTER_HEADER_MS) : endMs;
	}

	private admit(budget: ItemCalls, now: number): Permit {
		const { execution } = budget;
		this.lastUsedMs = now;
		if (this.patienceEndMs < Infinity) this.patienceEndMs = now + PATIENCE_MS;
		budget.attempts++;
		execution.inFlight++;
		const request = this.model.started(now, budget, budget.attempts === 1);
		this.turns.set(execution, request.index);
		const end = (tell: () => void) => {
			this.lastUsedMs = this.parts.clock.now();
			execution.inFlight--;
			budget.setAside(false);
			tell();
			for (const limiter of new Set([...execution.waitsAt, this])) limiter.dispatch();
		};
		return {
			succeeded: () =>
				end(() => {
					this.patienceEndMs = this.lastUsedMs + PATIENCE_MS;
					budget.refused = 0;
					budget.refusedAlone = 0;
					budget.refusedIndex = Infinity;
					this.model.passed(request, this.lastUsedMs);
				}),
			throttled: (refusal) => {
				let mayWait = false;
				end(() => (mayWait = this.throttled(budget, request, refusal)));
				return mayWait;
			},
			overloaded: (error) =>
				end(() => {
					this.lastFailure = error;
					this.patienceEndMs = Infinity;
					budget.refused++;
					this.model.refused(request, this.lastUsedMs, 0, true);
				}),
			released: () => end(() => this.model.released(request)),
		};
	}

	/** @returns whether the call may acquire again */
	private throttled(budget: ItemCalls, request: SentRequest, refusal: ServiceError): boolean {
		const now = this.lastUsedMs;
		const { limit, retryAfterMs = 0 } = refusal.facts;
		const { execution } = budget;
		execution.refusals++;
		if (isPerDay(limit)) {
			execution.turnedAwayBy = refusal;
			this.model.released(request);
			for (const { budget: waiting, fail } of [...(this.lines.get(execution) ?? [])]) {
				if (waiting.attempts === 0) fail(refusal);
			}
			return false;
		}
		this.lastFailure = refusal;
		this.patienceEndMs = Infinity;
		const pauseMs = retryAfterMs > BELIEVED_AFTER_MS ? LOOKED_INTO_EVERY_MS : retryAfterMs;
		const isKnown = budget.refusedAlone >= REFUSALS_OF_ONE_ITEM;
		const isAlone = isKnown || (this.model.lastPassedIndex > budget.refusedIndex && this.model.isCalm);
		budget.refused++;
		budget.refusedIndex = request.index;
		if (isAlone) {
			this.model.released(request, !isKnown);
			const triesMs = 250 * 4 ** Math.min(4, budget.refusedAlone++);
			budget.retryAfterEndMs = now + pauseMs;
			budget.notBeforeMs = now + triesMs * (0.75 + 0.5 * this.parts.random());
		} else this.model.refused(request, now, pauseMs);
		if (budget.refusedAlone < REFUSALS_OF_ONE_ITEM) {
			this.headerEndMs = Math.max(this.headerEndMs, now + retryAfterMs);
			this.pauseEndMs = Math.max(this.pauseEndMs, now + pauseMs);
			if (pauseMs > 0) this.nextChangeMs = now;
		}
		const mayWait = budget.leftMs > 0 && retryAfterMs <= budget.leftMs;
		// The next item shows whether it is this item or the limit, even where only one may be in flight.
		budget.setAside(mayWait && (isAlone || this.model.isSuspect(budget)));
		return mayWait;
	}

	/** When a call is out of time, or no longer kept back by its own refusal. */
	private changeMs({ budget, endMs }: Waiter, now: number): number {
		if (now < this.pauseEndMs && endMs < this.headerEndMs) return now;
		const { retryAfterEndMs, notBeforeMs } = budget;
		const heldUntilMs = retryAfterEndMs > now ? retryAfterEndMs : notBeforeMs;
		return heldUntilMs > now ? Math.min(endMs, heldUntilMs) : endMs;
	}

	/** Lets the calls go that may, and ends those that are out of time. */
	dispatch(): void {
		if (this.queued === 0 && this.waitingSinceMs === undefined) return;
		const now = this.parts.clock.now();
		if (now >= this.nextChangeMs) this.failHopeless(now);
		let startMs = Infinity;
		while (this.queued > 0) {
			const next = this.next(now);
			startMs = next ? this.nextStartMs(next.budget, now) : Infinity;
			if (!next || startMs > now) break;
			next.start(this.admit(next.budget, now));
		}
		this.report(now);
		const patienceEndMs = this.patienceEndMs > now ? this.patienceEndMs : Infinity;
		const alarmMs = Math.min(startMs, this.reportAtMs, this.nextChangeMs, patienceEndMs);
		this.alarm.set(this.queued > 0 ? alarmMs : Infinity);
	}

	private failHopeless(now: number): void {
		const hopelessMs = Math.max(now < this.pauseEndMs ? this.headerEndMs : 0, now + 0.001);
		this.nextChangeMs = Infinity;
		for (const waiter of [...this.lines.values()].flat()) {
			if (this.lastFailure && waiter.endMs < hopelessMs) waiter.fail(this.lastFailure);
			else if (waiter.endMs >= now) {
				this.nextChangeMs = Math.min(this.nextChangeMs, this.changeMs(waiter, now));
			}
		}
	}

	/** Whose turn it is. A probe is of the item that has been refused least, for others may be refused for their own sake. */
	private next(now: number): Waiter | undefined {
		const rank = ({ budget }: Waiter) => (this.model.isAsking ? budget.refused : 0);
		let next: Waiter | undefined;
		let nextTurn = Infinity;
		for (const [execution, line] of this.lines) {
			const turn = this.turns.get(execution)!;
			if (turn >= nextTurn || execution.inFlight >= execution.concurrency) continue;
			let first: Waiter | undefined;
			for (const waiter of line) {
				if (this.isHeldBack(waiter.budget, now) || (first && rank(first) <= rank(waiter))) continue;
				first = waiter;
				if (rank(first) === 0) break;
			}
			if (first) [next, nextTurn] = [first, turn];
		}
		return next;
	}

	private report(now: number): void {
		const { queued } = this;
		const limit = this.lastFailure?.facts.limit;
		const tell = (phase: Waiting['phase'], sinceMs: number) =>
			this.parts.onWaiting?.({ phase, waitedMs: now - sinceMs, queued, limit });
		if (this.waitingSinceMs === undefined) {
			if (queued === 0) return;
			this.waitingSinceMs = now;
			this.reportAtMs = now + REPORT_EVERY_MS;
			tell('begins', now);
		} else if (queued === 0) {
			const sinceMs = this.waitingSinceMs;
			this.waitingSinceMs = undefined;
			tell('ends', sinceMs);
		} else if (now >= this.reportAtMs) {
			this.reportAtMs = now + REPORT_EVERY_MS;
			tell('continues', this.waitingSinceMs);
		}
	}
}

/** Items keep their order; one that is refused for its own sake comes last. */
function placeOf({ order, refusedAlone }: ItemCalls, waiting: Waiter[]): number {
	if (refusedAlone >= REFUSALS_OF_ONE_ITEM) return waiting.length;
	const isBefore = ({ budget }: Waiter) =>
		budget.order <= order && budget.refusedAlone < REFUSALS_OF_ONE_ITEM;
	return waiting.findLastIndex(isBefore) + 1;
}
