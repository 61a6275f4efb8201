import { CallFailure, isPerDay, type Failure, type RateLimitName } from '../ServiceError';
import { Alarm, type Clock } from '../time/Alarm';
import { onAbort } from '../time/abort';
import type { ExecutionCalls, ItemCalls } from './ItemCalls';
import { Pace, type SentRequest } from './Pace';

/** Often enough for somebody who reads the log to see that the process is alive. */
const REPORT_EVERY_MS = 30_000;

/** Limits change: what was learned of one is forgotten after this long without a request. */
export const FORGOTTEN_AFTER_MS = 10 * 60_000;

/** A 429 comes at once, and an answer may take half a minute: after this long without a refusal, a request was let in. */
const LET_IN_AFTER_MS = 2000;

/** An item that is refused once more after two tries of its own is not refused by chance. */
const REFUSED_FOR_ITS_OWN_SAKE = 3;

/** The backoff of an item that is refused while others get through: 0.25, 1, 4, 16 and then every 64 s. */
const FIRST_OWN_BACKOFF_MS = 250;
const MAX_OWN_BACKOFF_EXPONENT = 4;

/** While somebody waits and nothing is refused, the next request has to go within ten seconds; a second is for delays. */
const PATIENCE_MS = 9000;

/** A longer `Retry-After` that names no limit per day is probably a mistake. It is believed for a minute, and then probed. */
const MAX_BELIEVED_PAUSE_MS = 3_600_000;
const PROBED_AFTER_MS = 60_000;

/** Timers are late, and a probe goes first: an item that may wait exactly as long as a `Retry-After` gets this much more. */
const GRACE_AFTER_PAUSE_MS = 500;

/** With one 503 in five by chance, five in a row are one in three thousand. */
const OVERLOADS_IN_A_ROW = 5;

/** The backoff between single requests during an overload: that of retries at first, and at most what the contract says. */
const FIRST_OVERLOAD_GAP_MS = 500;
const MAX_OVERLOAD_GAP_MS = 5000;

/** What a request has shown about the service, whatever becomes of its item. */
export type Outcome =
	| 'succeeded' // the service took the request
	| 'rateLimited' // 429
	| 'overloaded' // the service has no capacity for anybody, and said so quickly
	| 'rejected' // the service refused the request for what it is, so it is not overloaded
	| 'unrelated'; // a time-out, a broken connection or an abort: nothing is known

/** Permission to send one request. */
export interface Permit {
	/**
	 * To be called once, when the request has ended.
	 * @param failure that of a request that was rate limited or overloaded
	 * @returns whether the item may wait for another permit, as far as rate limits go
	 */
	end(outcome: Outcome, failure?: Failure): boolean;
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
	/** From 0 (inclusive) to 1 (exclusive), for the jitter of probes and backoffs. */
	random: () => number;
	/** Told when calls begin to wait, every half minute while they do, and when none waits any more. */
	onWaiting?: (waiting: Waiting) => void;
}

/** A call that waits for its turn. */
interface Waiter {
	item: ItemCalls;
	/** When its Max Wait is over. */
	endMs: number;
	start: (permit: Permit) => void;
	fail: (reason: unknown) => void;
}

/**
 * Lets requests start as the service's limits allow. One limiter serves all calls that share a limit. `Pace` says when
 * the next request may start; this class says whose it is, and what besides the pace holds it back:
 *
 * - Fair queueing: the execution whose last start is longest ago goes next, its items in order. A probe is of the item that
 *   was refused least, because others may be refused for their own sake.
 * - `Retry-After`: nothing is sent before it is over, and items that may not wait as long fail at once (60 s left, a header
 *   of 90 s). Of one longer than an hour, a minute is believed.
 * - An item refused for its own sake, which is refused again although others got through since, while at most half of all
 *   are refused: it gives up its slot, is tried after about 0.25, 1, 4, 16 and then every 64 s, but within 9 s if nothing else
 *   goes, and teaches the pace nothing. From its third such refusal on, its `Retry-After` holds back itself only.
 * - A limit per day fails what the execution that met it has not started.
 * - Overload (503, 529, a quick 504) teaches the pace nothing either. After five in a row, while several items are at work,
 *   requests go one at a time, after 0.5, 1, 2, 4 and then every 5 s, until one gets through. An item alone never waits for that.
 * - Time-outs hold nobody back.
 */
export class Limiter {
	private pace: Pace;

	/** The calls that wait, by execution, in the order of items. */
	private readonly queues = new Map<ExecutionCalls, Waiter[]>();

	/** The index of an execution's last start; of one that has not started, half an index before the next. */
	private turns = new WeakMap<ExecutionCalls, number>();

	/** Calls that wait. */
	private queued = 0;

	/** Calls at work: in flight, waiting here, or between two attempts. */
	private open = 0;

	/** Requests in flight that may still be refused, in the order of their starts. */
	private readonly unknown = new Set<SentRequest>();

	/** Until then, no waiting call runs out of time or stops being held back. */
	private nextChangeMs = Infinity;

	/** By then an item goes in spite of its own backoff; Infinity from a refusal until a request gets through. */
	private patienceEndMs = Infinity;

	private overloadsInARow = 0;

	/** When the next request may start during an overload, and how many have gone there in vain. */
	private overloadEndMs = -Infinity;
	private overloadedProbes = 0;

	private lastFailure: Failure | undefined;

	/** The end of a `Retry-After`. Calls that cannot wait until then fail immediately. */
	private retryAfterEndMs = -Infinity;

	/** Nothing is sent before. It is earlier than the end of a `Retry-After` that is not believed. */
	private pauseEndMs = -Infinity;

	private readonly alarm: Alarm;

	private waitingSinceMs: number | undefined;

	private reportAtMs = Infinity;

	private lastUsedMs: number;

	constructor(private readonly parts: LimiterParts) {
		this.pace = new Pace(parts.random);
		this.lastUsedMs = parts.clock.now();
		this.alarm = new Alarm(parts.clock, () => this.dispatch());
	}

	/** Since when nothing has been sent, by the clock; Infinity while something is in flight or waits. */
	get unusedSinceMs(): number {
		return this.pace.inFlight > 0 || this.queued > 0 ? Infinity : this.lastUsedMs;
	}

	/**
	 * Counts a call as being at work until it leaves, waits between its attempts included: during an overload, an item that
	 * is alone is held back by its own backoff only.
	 * @returns leaves; to be called once
	 */
	enter(): () => void {
		this.open++;
		return () => {
			this.open--;
			this.dispatch();
		};
	}

	/**
	 * Waits until a request may start.
	 * @param item what it waits here is added to its waits
	 * @throws CallFailure the refusal whose wait is longer than the item may still wait, or that is of a limit per day
	 * @throws the signal's reason after an abort
	 */
	async acquire(item: ItemCalls, signal: AbortSignal): Promise<Permit> {
		signal.throwIfAborted();
		const { execution } = item;
		if (execution.refusedForDay && item.attempts === 0) throw new CallFailure(execution.refusedForDay);
		const now = this.parts.clock.now();
		if (this.unusedSinceMs <= now - FORGOTTEN_AFTER_MS) {
			this.pace = new Pace(this.parts.random);
			this.turns = new WeakMap();
		}
		this.learn(now);
		const isFree =
			this.queued === 0 && !this.isHeldBack(item, now) && execution.inFlight < execution.concurrency;
		if (isFree && this.nextStartMs(item, now) <= now) return this.start(item, now);
		return await new Promise<Permit>((resolve, reject) => {
			const queue = this.queues.get(execution) ?? [];
			const settle = () => {
				const endMs = this.parts.clock.now();
				queue.splice(queue.indexOf(waiter), 1);
				if (queue.length === 0 && this.queues.delete(execution)) execution.waitsAt.delete(this);
				this.queued--;
				unfollow();
				item.waitedMs += endMs - now;
				execution.endWait(endMs);
			};
			const waiter: Waiter = {
				item,
				endMs: this.endOfWaitMs(item, now),
				start: (permit) => {
					settle();
					resolve(permit);
				},
				fail: (reason) => {
					settle();
					item.setAside(false);
					reject(reason);
				},
			};
			const unfollow = onAbort(signal, () => {
				waiter.fail(signal.reason);
				this.dispatch();
			});
			execution.beginWait(now);
			queue.splice(queue.findLastIndex((other) => other.item.order <= item.order) + 1, 0, waiter);
			this.queues.set(execution, queue);
			execution.waitsAt.add(this);
			if (!this.turns.has(execution)) this.turns.set(execution, this.pace.nextIndex - 0.5);
			this.queued++;
			this.nextChangeMs = Math.min(this.nextChangeMs, this.changeMs(waiter, now));
			// Others may begin now, which calls this method again: the waiter has to stand in its queue before.
			if (item.givesUpSlot) item.setAside(true);
			this.dispatch();
		});
	}

	private nextStartMs({ refused }: ItemCalls, now: number): number {
		const overloadEndMs = this.isOverloaded ? this.overloadEndMs : now;
		return Math.max(now, this.pace.nextStartMs(refused === 0), this.pauseEndMs, overloadEndMs);
	}

	private get isOverloaded(): boolean {
		return this.overloadsInARow >= OVERLOADS_IN_A_ROW && this.open > 1;
	}

	/** An item's own backoff holds it back no longer than patience lasts; its own `Retry-After` does. */
	private isHeldBack({ retryAfterEndMs, backoffEndMs }: ItemCalls, now: number): boolean {
		return retryAfterEndMs > now || Math.min(backoffEndMs, this.patienceEndMs) > now;
	}

	private endOfWaitMs({ leftMs }: ItemCalls, now: number): number {
		const endMs = now + leftMs;
		const isInPause = now < this.retryAfterEndMs && this.retryAfterEndMs <= endMs;
		return isInPause ? Math.max(endMs, this.retryAfterEndMs + GRACE_AFTER_PAUSE_MS) : endMs;
	}

	private start(item: ItemCalls, now: number): Permit {
		const { execution } = item;
		this.lastUsedMs = now;
		if (this.patienceEndMs < Infinity) this.patienceEndMs = now + PATIENCE_MS;
		const isProbe = this.isOverloaded;
		// Another goes after the longest gap, if this one has not ended by then.
		if (isProbe) this.overloadEndMs = now + MAX_OVERLOAD_GAP_MS;
		item.attempts++;
		execution.inFlight++;
		const request = this.pace.started(now, item, item.attempts === 1);
		this.unknown.add(request);
		this.turns.set(execution, request.index);
		return {
			end: (outcome, failure) => {
				this.lastUsedMs = this.parts.clock.now();
				this.unknown.delete(request);
				execution.inFlight--;
				item.setAside(false);
				this.learn(this.lastUsedMs);
				const mayWait = this.end(item, request, outcome, failure);
				if (outcome === 'overloaded') this.overloaded(isProbe);
				else if (outcome !== 'unrelated') this.overloadsInARow = this.overloadedProbes = 0;
				for (const limiter of new Set([...execution.waitsAt, this])) limiter.dispatch();
				return mayWait;
			},
		};
	}

	private end(item: ItemCalls, request: SentRequest, outcome: Outcome, failure?: Failure): boolean {
		if (outcome === 'rateLimited' && failure) return this.rateLimited(item, request, failure);
		if (outcome === 'succeeded') {
			this.patienceEndMs = this.lastUsedMs + PATIENCE_MS;
			item.refused = item.refusedAlone = 0;
			item.givesUpSlot = false;
			item.refusedIndex = Infinity;
			this.pace.succeeded(request, this.lastUsedMs);
			return true;
		}
		if (outcome === 'overloaded') {
			this.lastFailure = failure;
			item.refused++;
		}
		this.pace.unrelated(request);
		return true;
	}

	private overloaded(isProbe: boolean): void {
		if (isProbe) this.overloadedProbes++;
		if (++this.overloadsInARow < OVERLOADS_IN_A_ROW) return;
		const gapMs = Math.min(MAX_OVERLOAD_GAP_MS, FIRST_OVERLOAD_GAP_MS * 2 ** this.overloadedProbes);
		if (isProbe || this.overloadsInARow === OVERLOADS_IN_A_ROW) this.overloadEndMs = this.lastUsedMs + gapMs;
	}

	/** @returns whether the item may wait */
	private rateLimited(item: ItemCalls, request: SentRequest, refusal: Failure): boolean {
		const now = this.lastUsedMs;
		const { limit, retryAfterMs = 0 } = refusal;
		const { execution } = item;
		execution.refusals++;
		if (isPerDay(limit)) {
			execution.refusedForDay = refusal;
			this.pace.unrelated(request);
			for (const { item: waiting, fail } of [...(this.queues.get(execution) ?? [])]) {
				if (waiting.attempts === 0) fail(new CallFailure(refusal));
			}
			return false;
		}
		this.lastFailure = refusal;
		this.patienceEndMs = Infinity;
		const pauseMs = retryAfterMs > MAX_BELIEVED_PAUSE_MS ? PROBED_AFTER_MS : retryAfterMs;
		const isKnown = item.refusedAlone >= REFUSED_FOR_ITS_OWN_SAKE;
		const isAlone = isKnown || (this.pace.lastSucceededIndex > item.refusedIndex && this.pace.isCalm);
		item.refused++;
		item.refusedIndex = request.index;
		if (isAlone) {
			this.pace.unrelated(request);
			const exponent = Math.min(MAX_OWN_BACKOFF_EXPONENT, item.refusedAlone++);
			item.retryAfterEndMs = now + pauseMs;
			item.backoffEndMs = now + FIRST_OWN_BACKOFF_MS * 4 ** exponent * (0.75 + 0.5 * this.parts.random());
		} else this.pace.rateLimited(request, now, pauseMs);
		if (item.refusedAlone < REFUSED_FOR_ITS_OWN_SAKE) {
			this.retryAfterEndMs = Math.max(this.retryAfterEndMs, now + retryAfterMs);
			this.pauseEndMs = Math.max(this.pauseEndMs, now + pauseMs);
			if (pauseMs > 0) this.nextChangeMs = now;
		}
		const mayWait = item.leftMs > 0 && retryAfterMs <= item.leftMs;
		// The next item shows whether it is this item or the limit, even where only one may be in flight.
		item.givesUpSlot = isAlone || this.pace.isSuspect(item);
		return mayWait;
	}

	/** Tells the pace of requests that have been in flight for so long that the limit has let them in. */
	private learn(now: number): void {
		for (const request of this.unknown) {
			if (request.startMs > now - LET_IN_AFTER_MS) return;
			this.unknown.delete(request);
			this.patienceEndMs = now + PATIENCE_MS;
			this.pace.letIn(request, now);
		}
	}

	/** When a call is out of time, or no longer kept back by its own refusal. */
	private changeMs({ item, endMs }: Waiter, now: number): number {
		if (now < this.pauseEndMs && endMs < this.retryAfterEndMs) return now;
		const { retryAfterEndMs, backoffEndMs } = item;
		const heldUntilMs = retryAfterEndMs > now ? retryAfterEndMs : backoffEndMs;
		return heldUntilMs > now ? Math.min(endMs, heldUntilMs) : endMs;
	}

	/** Lets the calls go that may, and ends those that are out of time. */
	dispatch(): void {
		if (this.queued === 0 && this.waitingSinceMs === undefined) return;
		const now = this.parts.clock.now();
		this.learn(now);
		if (now >= this.nextChangeMs) this.failHopeless(now);
		let startMs = Infinity;
		while (this.queued > 0) {
			const next = this.next(now);
			startMs = next ? this.nextStartMs(next.item, now) : Infinity;
			if (!next || startMs > now) break;
			next.start(this.start(next.item, now));
		}
		this.report(now);
		const patienceEndMs = this.patienceEndMs > now ? this.patienceEndMs : Infinity;
		const [oldest] = this.unknown;
		const learnMs = oldest ? oldest.startMs + LET_IN_AFTER_MS : Infinity;
		const alarmMs = Math.min(startMs, this.reportAtMs, this.nextChangeMs, patienceEndMs, learnMs);
		this.alarm.set(this.queued > 0 ? alarmMs : Infinity);
	}

	private failHopeless(now: number): void {
		const hopelessMs = Math.max(now < this.pauseEndMs ? this.retryAfterEndMs : 0, now + 0.001);
		this.nextChangeMs = Infinity;
		for (const waiter of [...this.queues.values()].flat()) {
			if (this.lastFailure && waiter.endMs < hopelessMs) waiter.fail(new CallFailure(this.lastFailure));
			else if (waiter.endMs >= now) {
				this.nextChangeMs = Math.min(this.nextChangeMs, this.changeMs(waiter, now));
			}
		}
	}

	/** Whose turn it is. */
	private next(now: number): Waiter | undefined {
		const isProbe = this.pace.isAsking || this.isOverloaded;
		const rank = ({ item }: Waiter) => (isProbe ? item.refused : 0);
		let next: Waiter | undefined;
		let nextTurn = Infinity;
		for (const [execution, queue] of this.queues) {
			const turn = this.turns.get(execution)!;
			if (turn >= nextTurn || execution.inFlight >= execution.concurrency) continue;
			let first: Waiter | undefined;
			for (const waiter of queue) {
				if (this.isHeldBack(waiter.item, now) || (first && rank(first) <= rank(waiter))) continue;
				first = waiter;
				if (rank(first) === 0) break;
			}
			if (first) [next, nextTurn] = [first, turn];
		}
		return next;
	}

	private report(now: number): void {
		const { queued } = this;
		const limit = this.lastFailure?.limit;
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
