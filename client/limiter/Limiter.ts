import { Alarm } from '../Alarm';
import { backOff } from '../backOff';
import type { Clock } from '../Clock';
import { onAbort } from '../onAbort';
import { isPerDay, type RateLimitName, type ServiceError } from '../ServiceError';
import { LimitModel } from './LimitModel';
import { Overload } from './Overload';
import { RequestLog, type LoggedRequest } from './RequestLog';
import type { WaitBudget } from './WaitBudget';

const REPORT_EVERY_MS = 30_000;

/** An item that is refused so often, though others get past the limit in between, is refused for its own sake. */
const REFUSALS_OF_ONE_ITEM = 3;

/** Beyond doubt it is then, and counts as if it had got through, for the limit would have let another through in its place. */
const REFUSALS_BEYOND_DOUBT = 4;

/** Leave to send one request. Exactly one of its methods is to be called, once, when the request has ended. */
export interface Permit {
	/** The request got past the limits. */
	succeeded(facts?: SuccessFacts): void;
	/**
	 * The request was refused with 429.
	 * @param refusal what the service said
	 * @returns whether the call may acquire again
	 */
	throttled(refusal: ServiceError): boolean;
	/** The service was too busy for the request (503, 504), or did not answer in time. */
	overloaded(error: ServiceError): void;
	/** The request ended without telling anything of the limits. */
	released(): void;
}

interface SuccessFacts {
	/** Tokens that the service counts for the request, where its answer tells. */
	tokens?: number;
}

/** What is told of the wait of everything behind one limiter. */
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

interface Waiter {
	budget: WaitBudget;
	sinceMs: number;
	start: (permit: Permit) => void;
	fail: (error: ServiceError) => void;
}

/**
 * Lets requests start as the service's limits allow. One limiter serves all calls that share a limit: one queue, first
 * come, first served, and one idea of the limit. What it can know is what it sent, when, and which of it was refused.
 *
 * **The model.** Every limit is a number of places. A request that gets through takes one, or as many as its tokens, and
 * the kinds differ in when it comes back:
 * - a window: a minute after it was taken (sliding), or all at once at an edge (fixed, on the clock or from the first
 *   request). The log of the last minute says how many are taken. Without an edge it is the sliding window's own rule, and
 *   a fixed window that began with our first request is kept by it too.
 * - a bucket: one after the other, at a rate.
 *
 * **What is known**: the number, for at the moment of a refusal all places are taken, so it is what the log holds. The
 * bucket's rate, for it is empty at each refusal: it is the rate at which a bucket of that burst, filled from one refusal on
 * and drained by what the log says got through, is empty at the next. As one request more or less is not sure, the pace
 * that was refused is kept where it lies within these bounds.
 * **What is assumed**: a window lasts a minute, as the service names its limits per minute; a fixed window may turn with
 * the clock's minute; a bucket holds about a minute's share, or less.
 *
 * **What each signal changes**
 * - A refusal begins an outage: nothing starts but one probe at a time. A bucket is out only if nothing got through after the
 *   refusal before; else it is empty at that moment, and requests go on at its rate. Requests that were in flight tell no more than
 *   how many places were taken.
 * - An outage is read by its length. The first place back when the log said: a window. Earlier: an edge, or a bucket.
 *   These two are told apart by going on in growing steps (a trial): about as many as before means an edge, few mean a bucket.
 *   Two edges within less than a minute are a bucket; a bucket that stays empty for several shares is a window.
 * - Probes grow rarer (0.5 s, then four times as long each), besides the times at which a place is expected. Once one was refused at
 *   such a time, a quarter of the outage goes by before the next.
 * - `Retry-After` holds everything back. It is when the next probe goes as long as it proves right, and a lower bound when it
 *   does not; less than a quarter of a second says nothing.
 * - Success where the window is thought full, with one more request a minute, raises the number: a trial again. A bucket's rate
 *   grows slowly, and when that went well for a while, one request more than it allows is sent, then ever more: a bucket with
 *   room to spare shows it within seconds. Who was refused because of other senders regains its rate at once.
 * - A number that turns out to be less than half of what it was, or more than twice, was not the number: the window is in doubt again.
 * - A refusal that follows the probe of the expected minute, when the refused requests of the log explain it, means that these
 *   count too. A probe when they would have come back is sent once in an outage.
 * - An item that is refused again and again, though others get through in between, is refused for its own sake: that tells
 *   nothing of the limit, and the place it took is given back.
 * - Tokens that answers tell are what a limit on tokens counts; until then a request is expected to take their mean.
 *
 * **What bounds the refusals**: they buy knowledge, and are paid for. Each success earns a sixteenth of a credit, each
 * refusal costs one, and what is not needed to make progress (early probes, trying for more of a window) is done with credit, or
 * after a minute in peace. A bucket is asked for more after a number of requests that got through, which bounds it as well.
 *
 * Each limit that a refusal names has a model of its own over the same log; a request starts when all of them have room.
 * AIMD as in TCP (or Netflix's concurrency-limits) holds back an overloaded service alone (`Overload`): a rate limit is a
 * number to be found, not congestion. Unlike AWS's adaptive mode, the limiter pauses and probes.
 */
export class Limiter {
	private readonly log = new RequestLog();

	/** One for each limit that refused something, by its name; '' for one that has none. */
	private readonly models = new Map<string, LimitModel>();

	private readonly overload: Overload;

	/** In the order of the items' first calls. */
	private readonly queue: Waiter[] = [];

	private inFlight = 0;

	private passed = 0;

	private nextOrder = 0;

	private lastFailure: ServiceError | undefined;

	private readonly alarm: Alarm;

	private waitingSinceMs: number | undefined;

	private reportAtMs = Infinity;

	private lastUsedMs: number;

	constructor(private readonly parts: LimiterParts) {
		this.overload = new Overload(parts.random);
		this.lastUsedMs = parts.clock.now();
		this.alarm = new Alarm(parts.clock, () => this.dispatch());
	}

	/** Since when nothing has been sent, by the clock; Infinity while something is in flight or waits. */
	get unusedSinceMs(): number {
		return this.inFlight > 0 || this.queue.length > 0 ? Infinity : this.lastUsedMs;
	}

	/**
	 * Waits until a request may start.
	 * @param budget that of the item; what it waits here is added to it
	 * @throws ServiceError the refusal that leaves the call no chance
	 * @throws the signal's reason after an abort
	 */
	async acquire(budget: WaitBudget, signal: AbortSignal): Promise<Permit> {
		signal.throwIfAborted();
		const { turnedAwayBy } = budget.execution;
		if (turnedAwayBy && !budget.started) throw turnedAwayBy;
		budget.order ??= this.nextOrder++;
		const now = this.parts.clock.now();
		if (this.queue.length === 0 && budget.notBeforeMs <= now && this.nextStartMs(now) <= now) {
			return this.admit(budget, now);
		}
		return await new Promise<Permit>((resolve, reject) => {
			const settle = () => {
				const endMs = this.parts.clock.now();
				unfollow();
				budget.waitedMs += endMs - now;
				budget.execution.waitEnds(endMs);
			};
			const waiter: Waiter = {
				budget,
				sinceMs: now,
				start: (permit) => {
					settle();
					resolve(permit);
				},
				fail: (error) => {
					settle();
					reject(error);
				},
			};
			const abort = () => {
				this.remove(waiter);
				settle();
				reject(signal.reason as Error);
				this.dispatch();
			};
			const unfollow = onAbort(signal, abort);
			budget.execution.waitBegins(now);
			this.enqueue(waiter);
			this.dispatch();
		});
	}

	private enqueue(waiter: Waiter): void {
		let index = this.queue.length;
		while (index > 0 && this.queue[index - 1]!.budget.order! > waiter.budget.order!) index--;
		this.queue.splice(index, 0, waiter);
	}

	private remove(waiter: Waiter): void {
		this.queue.splice(this.queue.indexOf(waiter), 1);
	}

	/** The earliest time at which a request may start; Infinity for not before another has ended. */
	private nextStartMs(now: number): number {
		if (this.inFlight >= this.overload.maxInFlight) return Infinity;
		let next = Math.max(now, this.overload.notBeforeMs);
		for (const model of this.models.values()) next = Math.max(next, model.nextStartMs(now));
		return next;
	}

	private admit(budget: WaitBudget, now: number): Permit {
		this.inFlight++;
		this.lastUsedMs = now;
		budget.started = true;
		budget.attempts++;
		const entry = this.log.start(now);
		for (const model of this.models.values()) model.started(entry);
		return {
			succeeded: (facts) => this.succeeded(budget, entry, facts),
			throttled: (refusal) => this.throttled(budget, entry, refusal),
			overloaded: (error) => {
				this.lastFailure = error;
				this.overload.failed(this.parts.clock.now(), entry.index, this.log.endIndex, this.inFlight - 1);
				this.release(entry);
			},
			released: () => this.release(entry),
		};
	}

	private succeeded(budget: WaitBudget, entry: LoggedRequest, facts?: SuccessFacts): void {
		this.passed++;
		budget.refusedInARow = 0;
		budget.refusedAlone = 0;
		this.settle(entry, 'passed', facts?.tokens);
		this.overload.succeeded();
		for (const model of this.models.values()) model.passed(entry);
		this.dispatch();
	}

	private release(entry: LoggedRequest): void {
		this.settle(entry, 'released');
		for (const model of this.models.values()) model.released(entry);
		this.dispatch();
	}

	private throttled(budget: WaitBudget, entry: LoggedRequest, refusal: ServiceError): boolean {
		const now = this.parts.clock.now();
		const { limit, retryAfterMs = 0 } = refusal.facts;
		budget.execution.refusals++;
		if (isPerDay(limit)) {
			budget.execution.turnedAwayBy = refusal;
			this.failWaiting(
				({ budget: { execution, started } }) => execution === budget.execution && !started,
				refusal,
			);
			this.release(entry);
			return false;
		}
		this.lastFailure = refusal;
		this.countRefusal(budget);
		const isItsOwn = budget.refusedAlone >= REFUSALS_OF_ONE_ITEM - 1;
		const isBeyondDoubt = budget.refusedAlone >= REFUSALS_BEYOND_DOUBT - 1;
		this.settle(entry, isBeyondDoubt ? 'released' : 'refused');
		if (isItsOwn) {
			budget.notBeforeMs = now + Math.max(retryAfterMs, backOff(budget.refusedInARow, this.parts.random));
		}
		const limited = isItsOwn ? undefined : this.modelOf(limit);
		limited?.refused(entry, now, refusal.facts.retryAfterMs);
		for (const model of this.models.values()) {
			if (isItsOwn) model.refusedForItself(entry);
			else if (model !== limited) model.released(entry);
		}
		this.dispatch();
		return budget.leftMs > 0 && retryAfterMs <= budget.leftMs;
	}

	private countRefusal(budget: WaitBudget): void {
		budget.refusedInARow++;
		if (this.passed > budget.passedAtRefusal) budget.refusedAlone++;
		budget.passedAtRefusal = this.passed;
	}

	private settle(entry: LoggedRequest, outcome: LoggedRequest['outcome'], tokens?: number): void {
		this.inFlight--;
		this.lastUsedMs = this.parts.clock.now();
		this.log.settle(entry, outcome, tokens);
	}

	private modelOf(limit: RateLimitName | undefined): LimitModel {
		const name = limit ?? '';
		let model = this.models.get(name);
		if (!model) {
			model = new LimitModel(this.log, name.startsWith('T') ? 'tokens' : 'requests', this.parts.random);
			this.models.set(name, model);
		}
		return model;
	}

	private failWaiting(
		isHopeless: (waiter: Waiter, position: number) => boolean,
		refusal: ServiceError,
	): void {
		for (const waiter of this.queue.filter(isHopeless)) {
			this.remove(waiter);
			waiter.fail(refusal);
		}
	}

	/** Fails the calls whose time is over, or will be before their turn can come. */
	private failThoseOutOfTime(now: number): void {
		if (!this.lastFailure) return;
		const models = [...this.models.values()];
		const pauseMs = Math.max(...models.map((model) => model.notBeforeMs)) - now;
		this.failWaiting((waiter, position) => {
			const leftMs = endMsOf(waiter) - now;
			if (leftMs <= 0 || pauseMs > leftMs) return true;
			return models.some((model) => model.leastWaitMs(now, position) > leftMs);
		}, this.lastFailure);
	}

	private dispatch(): void {
		if (this.queue.length === 0 && this.waitingSinceMs === undefined) return;
		const now = this.parts.clock.now();
		if (this.queue.length > 0) this.failThoseOutOfTime(now);
		for (;;) {
			const waiter = this.next(now);
			const startMs = waiter ? this.nextStartMs(now) : Infinity;
			if (!waiter || startMs > now) {
				this.report(now);
				this.setAlarm(startMs);
				return;
			}
			this.remove(waiter);
			waiter.start(this.admit(waiter.budget, now));
		}
	}

	/** The first in the queue; to probe, one that has been refused least, so that no single item keeps all others back. */
	private next(now: number): Waiter | undefined {
		const isOut = [...this.models.values()].some((model) => model.isOut);
		let best: Waiter | undefined;
		for (const waiter of this.queue) {
			if (waiter.budget.notBeforeMs > now) continue;
			if (!isOut) return waiter;
			if (!best || waiter.budget.refusedInARow < best.budget.refusedInARow) best = waiter;
		}
		return best;
	}

	private report(now: number): void {
		const { queue } = this;
		const limit = this.lastFailure?.facts.limit;
		const tell = (phase: Waiting['phase'], sinceMs: number) =>
			this.parts.onWaiting?.({ phase, waitedMs: now - sinceMs, queued: queue.length, limit });
		if (this.waitingSinceMs === undefined) {
			if (queue.length === 0) return;
			this.waitingSinceMs = now;
			this.reportAtMs = now + REPORT_EVERY_MS;
			tell('begins', now);
		} else if (queue.length === 0) {
			const sinceMs = this.waitingSinceMs;
			this.waitingSinceMs = undefined;
			tell('ends', sinceMs);
		} else if (now >= this.reportAtMs) {
			this.reportAtMs = now + REPORT_EVERY_MS;
			tell('continues', this.waitingSinceMs);
		}
	}

	/** Looks again at the time of the next start, or when a waiting call has an end before. */
	private setAlarm(startMs: number): void {
		if (this.queue.length === 0) {
			this.alarm.set(Infinity);
			return;
		}
		const now = this.parts.clock.now();
		let atMs = Math.min(startMs, this.reportAtMs);
		for (const waiter of this.queue) {
			atMs = Math.min(atMs, endMsOf(waiter));
			if (waiter.budget.notBeforeMs > now) atMs = Math.min(atMs, waiter.budget.notBeforeMs);
		}
		this.alarm.set(atMs);
	}
}

/** When the time of a waiting call is over. */
function endMsOf({ budget, sinceMs }: Waiter): number {
	return sinceMs + budget.leftMs;
}
