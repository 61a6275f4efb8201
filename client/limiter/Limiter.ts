import { Alarm } from '../Alarm';
import type { Clock } from '../Clock';
import { onAbort } from '../onAbort';
import { isPerDay, type RateLimitName, type ServiceError } from '../ServiceError';
import { LimitModel } from './LimitModel';
import { Overload } from './Overload';
import { Queue, type Waiter } from './Queue';
import { RequestLog, type LoggedRequest } from './RequestLog';
import type { WaitBudget } from './WaitBudget';

const REPORT_EVERY_MS = 30_000;

/** Limits change: what was learned of one is not believed after so long without a request. */
export const FORGOTTEN_AFTER_MS = 10 * 60_000;

/** An item with this many refusals, while others get past the limit in between, is refused for its own sake. */
const REFUSALS_OF_ONE_ITEM = 3;

/** Where others take many places, it takes as many refusals as happen to one item of a hundred. */
const RARE = 0.01;

/** A longer `Retry-After` that names no limit per day is more likely a mistake than a fact, and is looked into. */
const BELIEVED_AFTER_MS = 3_600_000;

const LOOKED_INTO_EVERY_MS = 60_000;

/** An item that may wait just as long as a `Retry-After` has so much longer: timers ring late, and a probe goes first. */
const GRACE_AFTER_HEADER_MS = 500;

/** Leave to send one request. Call exactly one of its methods, once, when the request has ended. */
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

/**
 * Lets requests start as the service's limits allow. One limiter serves all calls that share a limit; each limit that a refusal
 * names has its own model over the same log, and a request starts when all of them have room.
 *
 * 1. Calls take turns: the execution whose last start is longest ago goes next, its items in order; an item that is refused while it is
 *    unclear why gives up its place to the next one, and one that is refused three times though others get past the limit in between is
 *    tried again after about 1 and 8 s and then each 64 s, until its wait is over.
 * 2. A refusal without a `Retry-After` is laid to the limit only when that is a hundred times as likely as chance: until then those in
 *    flight are waited for and more sent one by one, and the first of the later ones that gets through clears the doubt; after that
 *    an outage begins, in which one probe at a time is sent, and the moment at which a probe gets through, and how many get through
 *    after it, tell a window from a bucket.
 * 3. A window has as many places as the log holds at a refusal, and they come back a minute after they were taken, or at an edge, or
 *    after one of the shorter round lengths: the shortest that the refused probes allow, and the next one when that is wrong, unless
 *    more than that has got through in the last minute.
 * 4. A bucket gives places back at a rate that is measured between refusals and then tried to be raised; where the first requests show
 *    no burst, the shortest time between two that both got through is the gap to keep, later refusals are other clients', and they are
 *    left a little room.
 * 5. Successes earn credit, and refusals that could be avoided are bought with it: probes before their time, and one request more
 *    than the limit had so far, which shows whether it has risen, and costs nothing when 75 s have passed without a refusal; after a
 *    pause by `Retry-After`, up to ten times what it cost gets through before another one is risked.
 *
 * Nothing is sent before a `Retry-After` is over, or before a minute of one longer than an hour, and calls that may not wait as long
 * as it says fail immediately.
 */
export class Limiter {
	private readonly log = new RequestLog();

	/** One for each limit that refused something, by its name; '' for one that has none. */
	private readonly models = new Map<string, LimitModel>();

	private overload: Overload;

	private readonly queue = new Queue<Permit>();

	private lastPassedIndex = -1;

	/** The latest request that showed that an item is refused for its own sake. Two in a row, with none that got past the limit between them, are the limit's doing. */
	private judgedIndex = -1;

	/** Calls so far, for their order. */
	private calls = 0;

	private lastFailure: ServiceError | undefined;

	/** Those who cannot wait as long as this fail immediately. */
	private pausedUntilMs = -Infinity;

	/** How long `pausedUntilMs` is believed. */
	private believedUntilMs = -Infinity;

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
		return this.log.inFlight > 0 || this.queue.length > 0 ? Infinity : this.lastUsedMs;
	}

	/** What is believed of each limit, and who waits: a line for debugging. */
	toString(): string {
		const limits = [...this.models].map(([name, model]) => `${name || 'limit'} ${model.toString()}`);
		return `${this.queue.length} wait, ${this.log.inFlight} in flight; ${limits.join('; ')}`;
	}

	/**
	 * Waits until a request may start.
	 * @param budget that of the item; what it waits here is added to it
	 * @throws ServiceError the refusal that leaves the call no chance
	 * @throws the signal's reason after an abort
	 */
	async acquire(budget: WaitBudget, signal: AbortSignal): Promise<Permit> {
		signal.throwIfAborted();
		const { execution } = budget;
		if (execution.turnedAwayBy && !budget.started) throw execution.turnedAwayBy;
		const arrival = this.calls++;
		budget.order ??= arrival;
		const now = this.parts.clock.now();
		if (this.unusedSinceMs <= now - FORGOTTEN_AFTER_MS) {
			this.models.clear();
			this.overload = new Overload(this.parts.random);
		}
		if (this.queue.isFree(budget, now) && this.nextStartMs(now) <= now) return this.admit(budget, now);
		return await new Promise<Permit>((resolve, reject) => {
			const settle = () => {
				const endMs = this.parts.clock.now();
				this.queue.remove(waiter);
				unfollow();
				budget.waitedMs += endMs - now;
				execution.waitEnds(endMs);
			};
			const waiter: Waiter<Permit> = {
				budget,
				arrival,
				readyMs: budget.notBeforeMs,
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
			this.queue.add(waiter, now);
			this.dispatch();
		});
	}

	private endOfWaitMs({ leftMs }: WaitBudget, now: number): number {
		const endMs = now + leftMs;
		const isInPause = now < this.pausedUntilMs && this.pausedUntilMs <= endMs;
		return isInPause ? Math.max(endMs, this.pausedUntilMs + GRACE_AFTER_HEADER_MS) : endMs;
	}

	/** The earliest time at which a request may start; Infinity for not before another has ended. */
	private nextStartMs(now: number): number {
		if (this.log.inFlight >= this.overload.maxInFlight) return Infinity;
		let next = Math.max(now, this.overload.notBeforeMs);
		for (const model of this.models.values()) next = Math.max(next, model.nextStartMs(now));
		return next;
	}

	private admit(budget: WaitBudget, now: number): Permit {
		this.lastUsedMs = now;
		budget.started = true;
		budget.attempts++;
		const entry = this.log.start(now);
		this.queue.started(budget);
		for (const model of this.models.values()) model.started(entry);
		return {
			succeeded: (facts) => {
				this.lastPassedIndex = Math.max(this.lastPassedIndex, entry.index);
				budget.refusedInARow = 0;
				budget.refusedAlone = 0;
				budget.ownRefusals = 0;
				this.overload.succeeded();
				this.ended(budget, entry, 'passed', facts?.tokens);
			},
			throttled: (refusal) => this.throttled(budget, entry, refusal),
			overloaded: (error) => {
				this.lastFailure = error;
				const { endIndex, inFlight } = this.log;
				this.overload.failed(this.parts.clock.now(), entry.index, endIndex, inFlight);
				this.ended(budget, entry, 'released');
			},
			released: () => this.ended(budget, entry, 'released'),
		};
	}

	private ended(
		budget: WaitBudget,
		entry: LoggedRequest,
		outcome: LoggedRequest['outcome'],
		tokens?: number,
	): void {
		budget.setAside(false);
		this.settle(budget, entry, outcome, tokens);
		for (const model of this.models.values()) model.ended(entry);
		this.dispatch();
	}

	private settle(
		budget: WaitBudget,
		entry: LoggedRequest,
		outcome: LoggedRequest['outcome'],
		tokens?: number,
	): void {
		this.lastUsedMs = this.parts.clock.now();
		this.queue.settled(budget);
		this.log.settle(entry, outcome, tokens);
	}

	private throttled(budget: WaitBudget, entry: LoggedRequest, refusal: ServiceError): boolean {
		const now = this.parts.clock.now();
		const { limit, retryAfterMs } = refusal.facts;
		const { execution } = budget;
		execution.refusals++;
		if (isPerDay(limit)) {
			execution.turnedAwayBy = refusal;
			for (const waiter of this.queue.ofExecution(execution)) {
				if (!waiter.budget.started) waiter.fail(refusal);
			}
			this.ended(budget, entry, 'released');
			return false;
		}
		this.lastFailure = refusal;
		budget.refusedInARow++;
		if (this.lastPassedIndex >= budget.refusedAtIndex) budget.refusedAlone++;
		budget.refusedAtIndex = this.log.endIndex;
		const others = Math.max(0, ...[...this.models.values()].map((model) => model.othersShare));
		const enough = Math.max(REFUSALS_OF_ONE_ITEM, Math.log(RARE) / Math.log(others));
		const isKnown = budget.ownRefusals > 0;
		const isItsOwn =
			isKnown || (budget.refusedAlone >= enough - 1 && this.lastPassedIndex >= this.judgedIndex);
		if (isItsOwn && !isKnown) this.judgedIndex = entry.index;
		const pauseMs =
			retryAfterMs !== undefined && retryAfterMs > BELIEVED_AFTER_MS ? LOOKED_INTO_EVERY_MS : retryAfterMs;
		const limited = isItsOwn ? undefined : this.modelOf(limit ?? '');
		this.settle(budget, entry, isItsOwn ? 'released' : 'refused');
		if (isItsOwn) {
			const triesMs = 1000 * 8 ** Math.min(2, budget.ownRefusals++);
			budget.notBeforeMs = now + Math.max(pauseMs ?? 0, triesMs * (0.75 + 0.5 * this.parts.random()));
			budget.setAside(true);
		} else if (retryAfterMs !== undefined && pauseMs !== undefined) {
			this.pausedUntilMs = Math.max(this.pausedUntilMs, now + retryAfterMs);
			this.believedUntilMs = Math.max(this.believedUntilMs, now + pauseMs);
		}
		for (const model of this.models.values()) {
			if (model === limited) model.refused(entry, now, pauseMs);
			else model.ended(entry, isItsOwn);
		}
		// The next item shows whether it is this item or the limit, even where only one may be in flight.
		if (limited?.isInDoubt || budget.refusedInARow >= REFUSALS_OF_ONE_ITEM) budget.setAside(true);
		const mayRepeat = budget.leftMs > 0 && (retryAfterMs ?? 0) <= budget.leftMs;
		if (!mayRepeat) budget.setAside(false);
		this.dispatch();
		return mayRepeat;
	}

	private modelOf(name: string): LimitModel {
		let model = this.models.get(name);
		if (!model) {
			model = new LimitModel(this.log, name.startsWith('T') ? 'tokens' : 'requests', this.parts.random);
			this.models.set(name, model);
		}
		return model;
	}

	private dispatch(): void {
		const { queue } = this;
		if (queue.length === 0 && this.waitingSinceMs === undefined) return;
		const now = this.parts.clock.now();
		if (this.lastFailure) {
			const hopelessMs = Math.max(now < this.believedUntilMs ? this.pausedUntilMs : 0, now + 0.001);
			for (let first = queue.first; first && first.endMs < hopelessMs; first = queue.first) {
				first.fail(this.lastFailure);
			}
		}
		let startMs = Infinity;
		for (;;) {
			const waiter = queue.next(
				now,
				[...this.models.values()].some((model) => model.isOut),
			);
			startMs = waiter ? this.nextStartMs(now) : Infinity;
			if (!waiter || startMs > now) break;
			waiter.start(this.admit(waiter.budget, now));
		}
		this.report(now);
		this.alarm.set(queue.length > 0 ? Math.min(startMs, this.reportAtMs, this.queue.nextChangeMs) : Infinity);
	}

	private report(now: number): void {
		const queued = this.queue.length;
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
