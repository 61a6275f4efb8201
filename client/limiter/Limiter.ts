import { CallFailure, isPerDay, type Failure, type RateLimitName } from '../ServiceError';
import { Alarm, type Clock } from '../time/Alarm';
import { onAbort } from '../time/abort';
import type { ExecutionCalls, ItemCalls } from './ItemCalls';
import { AdaptiveRate, type SentRequest } from './AdaptiveRate';

/** Somebody who reads the log should see that the process is alive. */
const REPORT_EVERY_MS = 30_000;

/**
 * A request without an outcome counts as admitted after this time: a 429 comes at once, while a successful answer may take half a
 * minute.
 */
const ADMITTED_AFTER_MS = 2000;

/** After this many 429s that were blamed on an item, chance is ruled out: the item itself is the reason. */
const MIN_ITEM_REFUSALS = 3;

/** The backoff of an item that gets a 429 while others succeed: 0.25, 1, 4, 16 and then 64 s each time. */
const MIN_ITEM_BACKOFF_MS = 250;
const MAX_ITEM_BACKOFF_EXPONENT = 4;

/**
 * While calls wait and nothing is refused, a request has to start at least every ten seconds. If only items in their own backoff
 * are left, one of them starts after this time. It is a second shorter than ten, because timers may be late.
 */
const MAX_GAP_MS = 9000;

/**
 * A longer `Retry-After` without a limit per day is probably a mistake of the service. It is followed for a minute only, and then
 * a single request finds out.
 */
const MAX_FOLLOWED_RETRY_AFTER_MS = 3_600_000;
const PAUSE_IF_TOO_LONG_MS = 60_000;

/**
 * An item whose Max Wait ends with a `Retry-After` may wait this much longer: timers are late, and a probe of another item goes
 * first.
 */
const RETRY_AFTER_GRACE_MS = 500;

/** How often calls that wait for a slot are looked at, because the end of their Max Wait moves while they do. */
const CHECK_SLOTS_MS = 1000;

/** If one request in five gets a 503 by chance, five in a row happen once in three thousand times. */
const MIN_OVERLOADS_IN_A_ROW = 5;

/** The backoff between single requests during an overload. It begins with the 500 ms of other retries (`backOff.ts`). */
const MIN_OVERLOAD_BACKOFF_MS = 500;
const MAX_OVERLOAD_BACKOFF_MS = 5000;

/** What the end of a request shows about the service's limits. */
export type Outcome =
	| 'succeeded' // the service answered, even if the node cannot use the answer
	| 'rateLimited' // 429
	| 'overloaded' // 503, 529 or a quick 504: the service has no capacity for any request
	| 'rejected' // another 4xx, which shows that the service is not overloaded
	| 'unrelated'; // a timeout, a broken connection, an abort or a 500, which shows nothing

/** Permission to send one request. */
export interface Permit {
	/**
	 * Must be called once, when the request has ended.
	 * @param failure the failure of a request that was rate limited or overloaded
	 * @returns whether the rate limits allow the item to wait for another permit
	 */
	end(outcome: Outcome, failure?: Failure): boolean;
}

/** A report about the calls that wait at one limiter. */
export interface Waiting {
	phase: 'begins' | 'continues' | 'ends';
	/** The time since calls began to wait. */
	waitedMs: number;
	/** The number of calls that wait now. */
	queued: number;
	/** The limit that the latest refusal named. */
	limit?: RateLimitName;
}

export interface LimiterParts {
	clock: Clock;
	/** Returns a number from 0 (inclusive) to 1 (exclusive), for the jitter of probes and backoffs. */
	random: () => number;
	/** Called when calls begin to wait, every half minute while they do, and when none waits any more. */
	onWaiting?: (waiting: Waiting) => void;
}

/** A call that waits for a permit. */
interface Waiter {
	readonly item: ItemCalls;
	/** When the item's Max Wait is over, as far as it is known now. */
	endMs: (nowMs: number) => number;
	start: (permit: Permit) => void;
	fail: (reason: unknown) => void;
}

/**
 * Queues requests, and starts them as fast as the service's rate limits allow. All calls under one limit share one limiter.
 * `AdaptiveRate` learns the rate and says when the next request may start; this class chooses the request:
 *
 * - Fair queueing: the next request is from the execution whose latest start is longest ago. Within an execution, items go in
 *   order. While probing, the item with the fewest refusals goes, because an item with many may itself be the reason for them.
 * - `Retry-After`: nothing starts before it is over. An item whose Max Wait ends sooner fails at once. A `Retry-After` of more
 *   than an hour is followed for a minute only.
 * - An item that is itself the reason: if an item gets another 429 although requests of others succeeded in between, and at most
 *   half of all requests get a 429, its refusals do not slow the others. It frees its slot and backs off on its own. From its
 *   third such 429 on, its `Retry-After` applies to itself only.
 * - Limit per day: the items of that execution that have sent nothing yet fail at once.
 * - Overload (503, 529, a quick 504): this does not change the learned rate. After five in a row while several calls are active,
 *   requests start one at a time with a backoff of 0.5, 1, 2, 4 and then 5 s, until one succeeds. A lone call is never held back
 *   by an overload.
 * - Timeouts hold no other request back.
 */
export class Limiter {
	private readonly rate: AdaptiveRate;

	/** The waiting calls of each execution, in the order of items. */
	private readonly queues = new Map<ExecutionCalls, Waiter[]>();

	/** The index of each execution's latest start, for fair queueing. A new execution enters just before the next index. */
	private readonly latestStarts = new WeakMap<ExecutionCalls, number>();

	/** The 429 of a limit per day that an execution got. It fails every item of the execution that has sent nothing yet. */
	private readonly refusedForDay = new WeakMap<ExecutionCalls, Failure>();

	/** The number of waiting calls. */
	private queued = 0;

	/** The number of calls that are in flight, wait here, or wait between two attempts. */
	private activeCalls = 0;

	/** Requests in flight that do not count as admitted yet, in the order of their starts. */
	private readonly notYetAdmitted = new Set<SentRequest>();

	/** No waiting call times out or ends its backoff before this time, so the queues need not be searched until then. */
	private nextChangeMs = Infinity;

	/** From this time on, an item may start although its own backoff is not over. Infinity after a 429, until a request is admitted. */
	private backoffCutMs = Infinity;

	private overloadsInARow = 0;

	/** During an overload: when the next request may start, and how many single requests have met the overload again. */
	private overloadEndMs = -Infinity;
	private overloadProbes = 0;

	private lastFailure: Failure | undefined;

	/** The end of the longest `Retry-After`. Calls that may not wait until then fail immediately. */
	private retryAfterEndMs = -Infinity;

	/** Nothing starts before this time. It differs from `retryAfterEndMs` if the `Retry-After` was too long to be followed. */
	private pauseEndMs = -Infinity;

	private readonly alarm: Alarm;

	private waitingSinceMs: number | undefined;

	private latestWaitMs = -Infinity;

	private reportAtMs = Infinity;

	private lastUsedMs: number;

	constructor(private readonly parts: LimiterParts) {
		this.rate = new AdaptiveRate(parts.random);
		this.lastUsedMs = parts.clock.now();
		this.alarm = new Alarm(parts.clock, () => this.dispatch());
	}

	/** When the latest request started or ended. Infinity while calls are active, and until the end of a `Retry-After`. */
	get unusedSinceMs(): number {
		const isPaused = this.parts.clock.now() < this.pauseEndMs;
		return isPaused || this.activeCalls > 0 ? Infinity : this.lastUsedMs;
	}

	/**
	 * Counts a call as active, waits between its attempts included. An overload holds back only calls that are not alone.
	 * @returns a function that must be called once, when the call is over
	 */
	enter(): () => void {
		this.activeCalls++;
		return () => {
			this.activeCalls--;
			this.dispatch();
		};
	}

	/**
	 * Waits until a request may start.
	 * @param item its `waitedMs` grows by the wait
	 * @throws CallFailure the latest refusal or overload, if the rest of the item's Max Wait is too short, or a refusal of a limit
	 * per day
	 * @throws the signal's reason after an abort
	 */
	async acquire(item: ItemCalls, signal: AbortSignal): Promise<Permit> {
		signal.throwIfAborted();
		const { execution } = item;
		const refusedForDay = this.refusedForDay.get(execution);
		if (refusedForDay && item.attempts === 0) throw new CallFailure(refusedForDay);
		const now = this.parts.clock.now();
		this.countAdmitted(now);
		const isFree = this.queued === 0 && !this.isHeldBack(item, now) && !execution.isFull;
		if (isFree && this.nextStartMs(item, now) <= now) {
			this.report(now);
			return this.start(item, now);
		}
		return await new Promise<Permit>((resolve, reject) => {
			const queue = this.queues.get(execution) ?? [];
			const baseEndMs = this.endOfWaitMs(item, now);
			const beganFullMs = execution.countTimes(now).fullMs;
			// Waits for a slot do not count towards Max Wait, unless the item gave its slot up because of its own 429s.
			const slotMs = (nowMs: number) =>
				item.givesUpSlot ? 0 : execution.countTimes(nowMs).fullMs - beganFullMs;
			const settle = () => {
				const endMs = this.parts.clock.now();
				queue.splice(queue.indexOf(waiter), 1);
				if (queue.length === 0 && this.queues.delete(execution)) execution.waitsAt.delete(this);
				this.queued--;
				unfollow();
				item.waitedMs += endMs - now - slotMs(endMs);
				execution.changeWaiting(-1, endMs);
			};
			const waiter: Waiter = {
				item,
				endMs: (nowMs) => baseEndMs + slotMs(nowMs),
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
			execution.changeWaiting(1, now);
			queue.splice(queue.findLastIndex((other) => other.item.order <= item.order) + 1, 0, waiter);
			this.queues.set(execution, queue);
			execution.waitsAt.add(this);
			if (!this.latestStarts.has(execution)) this.latestStarts.set(execution, this.rate.nextIndex - 0.5);
			this.queued++;
			this.nextChangeMs = Math.min(this.nextChangeMs, this.changeMs(waiter, now));
			// Setting an item aside lets another item begin, which calls this method again, so the waiter must be in its queue by now.
			if (item.givesUpSlot) item.setAside(true);
			this.dispatch();
		});
	}

	private nextStartMs({ failuresInARow }: ItemCalls, now: number): number {
		const overloadEndMs = this.isOverloaded ? this.overloadEndMs : now;
		return Math.max(now, this.rate.nextStartMs(failuresInARow === 0), this.pauseEndMs, overloadEndMs);
	}

	private get isOverloaded(): boolean {
		return this.overloadsInARow >= MIN_OVERLOADS_IN_A_ROW && this.activeCalls > 1;
	}

	/** An item's own backoff may be cut short. Its own `Retry-After` is always followed. */
	private isHeldBack({ retryAfterEndMs, backoffEndMs }: ItemCalls, now: number): boolean {
		return retryAfterEndMs > now || Math.min(backoffEndMs, this.backoffCutMs) > now;
	}

	private endOfWaitMs({ leftMs }: ItemCalls, now: number): number {
		const endMs = now + leftMs;
		const isInPause = now < this.retryAfterEndMs && this.retryAfterEndMs <= endMs;
		return isInPause ? Math.max(endMs, this.retryAfterEndMs + RETRY_AFTER_GRACE_MS) : endMs;
	}

	private start(item: ItemCalls, now: number): Permit {
		const { execution } = item;
		this.lastUsedMs = now;
		if (this.backoffCutMs < Infinity) this.backoffCutMs = now + MAX_GAP_MS;
		const isProbe = this.isOverloaded;
		// If this request has not ended by then, another one may start.
		if (isProbe) this.overloadEndMs = now + MAX_OVERLOAD_BACKOFF_MS;
		item.attempts++;
		execution.changeInFlight(1, now);
		const request = this.rate.started(now, item, item.attempts === 1);
		this.notYetAdmitted.add(request);
		const turn = this.latestStarts.get(execution) ?? request.index;
		this.latestStarts.set(execution, request.index);
		return {
			end: (outcome, failure) => {
				this.lastUsedMs = this.parts.clock.now();
				this.notYetAdmitted.delete(request);
				execution.changeInFlight(-1, this.lastUsedMs);
				item.setAside(false);
				this.countAdmitted(this.lastUsedMs);
				// A single call, such as a form's, keeps its turn at its first 429, so that it does not wait for another start of a large run.
				const isSingle = !execution.isSending && !this.queues.has(execution);
				if (outcome === 'rateLimited' && isSingle && item.failuresInARow === 0) {
					this.latestStarts.set(execution, turn);
				}
				const mayWait = this.end(item, request, outcome, failure);
				if (outcome === 'overloaded') this.overloaded(isProbe);
				else if (outcome !== 'unrelated') this.overloadsInARow = this.overloadProbes = 0;
				for (const limiter of new Set([...execution.waitsAt, this])) limiter.dispatch();
				return mayWait;
			},
		};
	}

	private end(item: ItemCalls, request: SentRequest, outcome: Outcome, failure?: Failure): boolean {
		if (outcome === 'rateLimited' && failure) return this.rateLimited(item, request, failure);
		if (outcome === 'succeeded') {
			this.backoffCutMs = this.lastUsedMs + MAX_GAP_MS;
			item.failuresInARow = item.ownRefusals = 0;
			item.givesUpSlot = false;
			item.refusedIndex = Infinity;
			this.rate.succeeded(request, this.lastUsedMs);
			return true;
		}
		if (outcome === 'overloaded') {
			this.lastFailure = failure;
			item.failuresInARow++;
		}
		this.rate.unrelated(request);
		return true;
	}

	private overloaded(isProbe: boolean): void {
		if (isProbe) this.overloadProbes++;
		if (++this.overloadsInARow < MIN_OVERLOADS_IN_A_ROW) return;
		const gapMs = Math.min(MAX_OVERLOAD_BACKOFF_MS, MIN_OVERLOAD_BACKOFF_MS * 2 ** this.overloadProbes);
		if (isProbe) this.overloadEndMs = Math.min(this.overloadEndMs, this.lastUsedMs + gapMs);
		else if (this.overloadsInARow === MIN_OVERLOADS_IN_A_ROW) this.overloadEndMs = this.lastUsedMs + gapMs;
	}

	/** @returns whether the item may wait */
	private rateLimited(item: ItemCalls, request: SentRequest, refusal: Failure): boolean {
		const now = this.lastUsedMs;
		const { limit, retryAfterMs = 0 } = refusal;
		const { execution } = item;
		execution.rateLimitHits++;
		if (isPerDay(limit)) {
			this.refusedForDay.set(execution, refusal);
			this.rate.unrelated(request);
			for (const { item: waiting, fail } of [...(this.queues.get(execution) ?? [])]) {
				if (waiting.attempts === 0) fail(new CallFailure(refusal));
			}
			return false;
		}
		this.lastFailure = refusal;
		this.backoffCutMs = Infinity;
		const pauseMs = retryAfterMs > MAX_FOLLOWED_RETRY_AFTER_MS ? PAUSE_IF_TOO_LONG_MS : retryAfterMs;
		const isCertain = item.ownRefusals >= MIN_ITEM_REFUSALS;
		const isOwnFault =
			isCertain || (this.rate.lastAdmittedIndex > item.refusedIndex && this.rate.hasFewRefusals);
		item.failuresInARow++;
		item.refusedIndex = request.index;
		if (isOwnFault) {
			this.rate.unrelated(request);
			const exponent = Math.min(MAX_ITEM_BACKOFF_EXPONENT, item.ownRefusals++);
			item.retryAfterEndMs = now + pauseMs;
			item.backoffEndMs = now + MIN_ITEM_BACKOFF_MS * 4 ** exponent * (0.75 + 0.5 * this.parts.random());
		} else this.rate.rateLimited(request, now, pauseMs);
		if (item.ownRefusals < MIN_ITEM_REFUSALS) {
			this.retryAfterEndMs = Math.max(this.retryAfterEndMs, now + retryAfterMs);
			this.pauseEndMs = Math.max(this.pauseEndMs, now + pauseMs);
			if (pauseMs > 0) this.nextChangeMs = now;
		}
		const mayWait = item.leftMs > 0 && retryAfterMs <= item.leftMs;
		// Another item has to show whether this item or the limit is the reason, even if only one request may be in flight.
		item.givesUpSlot = isOwnFault || this.rate.isSuspect(item);
		return mayWait;
	}

	/** Counts requests as admitted that have been in flight for two seconds without a refusal. */
	private countAdmitted(now: number): void {
		for (const request of this.notYetAdmitted) {
			if (request.startMs + ADMITTED_AFTER_MS > now) return;
			this.notYetAdmitted.delete(request);
			this.backoffCutMs = now + MAX_GAP_MS;
			this.rate.admit(request, now);
		}
	}

	/** When the waiter times out or ends its own backoff, whichever is first. */
	private changeMs(waiter: Waiter, now: number): number {
		const { item } = waiter;
		const endMs = waiter.endMs(now);
		if (isWaitingForSlot(waiter)) return now + CHECK_SLOTS_MS;
		if (now < this.pauseEndMs && endMs < this.retryAfterEndMs) return now;
		const { retryAfterEndMs, backoffEndMs } = item;
		const heldUntilMs = retryAfterEndMs > now ? retryAfterEndMs : backoffEndMs;
		return heldUntilMs > now ? Math.min(endMs, heldUntilMs) : endMs;
	}

	/** Starts every waiting call that may start, and fails those that may wait no longer. */
	dispatch(): void {
		if (this.queued === 0 && this.waitingSinceMs === undefined) return;
		const now = this.parts.clock.now();
		this.countAdmitted(now);
		this.startAll(now);
		if (now >= this.nextChangeMs) this.failTimedOut(now);
		const next = this.next(now);
		const startMs = next ? this.nextStartMs(next.item, now) : Infinity;
		this.report(now);
		const backoffCutMs = this.backoffCutMs > now ? this.backoffCutMs : Infinity;
		const [oldest] = this.notYetAdmitted;
		const admittedMs = oldest ? oldest.startMs + ADMITTED_AFTER_MS : Infinity;
		const alarmMs = Math.min(startMs, this.reportAtMs, this.nextChangeMs, backoffCutMs, admittedMs);
		this.alarm.set(this.queued > 0 ? alarmMs : Infinity);
	}

	private startAll(now: number): void {
		for (;;) {
			const next = this.next(now);
			if (!next || this.nextStartMs(next.item, now) > now) return;
			next.start(this.start(next.item, now));
		}
	}

	private failTimedOut(now: number): void {
		const minEndMs = Math.max(now < this.pauseEndMs ? this.retryAfterEndMs : 0, now + 0.001);
		this.nextChangeMs = Infinity;
		for (const waiter of [...this.queues.values()].flat()) {
			const endMs = waiter.endMs(now);
			const isOver = endMs < minEndMs && !isWaitingForSlot(waiter);
			if (this.lastFailure && isOver) waiter.fail(new CallFailure(this.lastFailure));
			else if (endMs >= now) this.nextChangeMs = Math.min(this.nextChangeMs, this.changeMs(waiter, now));
		}
	}

	/** Chooses the waiting call that starts next. */
	private next(now: number): Waiter | undefined {
		const isProbe = this.rate.isTestingLimit || this.isOverloaded;
		const rank = ({ item }: Waiter) => (isProbe ? item.failuresInARow : 0);
		let next: Waiter | undefined;
		let nextLatestStart = Infinity;
		for (const [execution, queue] of this.queues) {
			const latestStart = this.latestStarts.get(execution)!;
			if (latestStart >= nextLatestStart || execution.isFull) continue;
			let first: Waiter | undefined;
			for (const waiter of queue) {
				if (this.isHeldBack(waiter.item, now) || (first && rank(first) <= rank(waiter))) continue;
				first = waiter;
				if (rank(first) === 0) break;
			}
			if (first) [next, nextLatestStart] = [first, latestStart];
		}
		return next;
	}

	/**
	 * Near a limit, calls wait and go through in turns. So waiting is over only when no call has waited for half a minute, or none
	 * is left.
	 */
	private report(now: number): void {
		const queued = [...this.queues].reduce(
			(sum, [execution, queue]) => (execution.isFull ? sum : sum + queue.length),
			0,
		);
		if (queued > 0) this.latestWaitMs = now;
		const limit = this.lastFailure?.limit;
		const tell = (phase: Waiting['phase'], sinceMs: number) =>
			this.parts.onWaiting?.({ phase, waitedMs: now - sinceMs, queued, limit });
		if (this.waitingSinceMs === undefined) {
			if (queued === 0) return;
			this.waitingSinceMs = now;
			this.reportAtMs = now + REPORT_EVERY_MS;
			tell('begins', now);
		} else if (queued === 0 && (this.activeCalls === 0 || now >= this.latestWaitMs + REPORT_EVERY_MS)) {
			const sinceMs = this.waitingSinceMs;
			this.waitingSinceMs = undefined;
			this.reportAtMs = Infinity;
			tell('ends', sinceMs);
		} else if (now >= this.reportAtMs) {
			this.reportAtMs = now + REPORT_EVERY_MS;
			if (queued > 0) tell('continues', this.waitingSinceMs);
		}
	}
}

function isWaitingForSlot({ item }: Waiter): boolean {
	return item.execution.isFull && !item.givesUpSlot;
}
