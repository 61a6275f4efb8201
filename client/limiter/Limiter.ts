import { backOff } from '../backOff';
import type { Clock } from '../Clock';
import type { RateLimitName, ServiceError } from '../ServiceError';
import { isPerDay } from './isPerDay';
import { LimitModel } from './LimitModel';
import { RequestLog, type LoggedRequest } from './RequestLog';
import type { WaitBudget } from './WaitBudget';

/** Leave to send one request. Exactly one of its methods is called, when the request has ended. */
export interface Permit {
	/** The request got past the limits. */
	succeeded(facts?: { tokens?: number }): void;
	/**
	 * The request was refused with 429.
	 * @returns whether the call may acquire again
	 */
	throttled(refusal: ServiceError): boolean;
	/** The service was too busy for the request, or did not answer in time. */
	overloaded(error: ServiceError): void;
	/** The request ended without telling anything of the limits. */
	released(): void;
}

/** What is told of the wait of everything behind one limiter. */
export interface Waiting {
	phase: 'begins' | 'goes on' | 'ends';
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
	onWaiting?: (waiting: Waiting) => void;
}

interface Waiter {
	budget: WaitBudget;
	sinceMs: number;
	start: (permit: Permit) => void;
	fail: (error: ServiceError) => void;
}

const REPORT_EVERY_MS = 30_000;

export class Limiter {
	private readonly log = new RequestLog();

	private readonly models = new Map<string, LimitModel>();

	private readonly queue: Waiter[] = [];

	private inFlight = 0;

	private nextOrder = 0;

	private lastRefusal: ServiceError | undefined;

	private passedCount = 0;

	private alarm: { atMs: number; controller: AbortController } | undefined;

	private waitingSinceMs: number | undefined;

	private reportAtMs = Infinity;

	private lastUsedMs: number;

	constructor(private readonly parts: LimiterParts) {
		this.lastUsedMs = parts.clock.now();
	}

	get debug() {
		return Object.fromEntries([...this.models].map(([name, model]) => [name, model.debug]));
	}

	async acquire(budget: WaitBudget, signal: AbortSignal): Promise<Permit> {
		signal.throwIfAborted();
		const { turnedAwayBy } = budget.execution;
		if (turnedAwayBy && !budget.started) throw turnedAwayBy;
		const now = this.parts.clock.now();
		budget.order ??= this.nextOrder++;
		if (this.queue.length === 0 && budget.notBeforeMs <= now && this.nextStartMs(now) <= now) return this.admit(budget, now);
		return await new Promise<Permit>((resolve, reject) => {
			const settle = () => {
				const endMs = this.parts.clock.now();
				signal.removeEventListener('abort', abort);
				budget.waitedMs += endMs - waiter.sinceMs;
				budget.execution.waitEnds(endMs);
			};
			const abort = () => {
				this.queue.splice(this.queue.indexOf(waiter), 1);
				settle();
				reject(signal.reason as Error);
				this.dispatch();
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
			signal.addEventListener('abort', abort, { once: true });
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

	private nextStartMs(now: number): number {
		let next = now;
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
		const passedBefore = this.passedCount;
		return {
			succeeded: (facts) => {
				this.passedCount++;
				budget.refused.inARow = 0;
				budget.refused.thoughOthersPassed = 0;
				this.settle(entry, 'passed', facts?.tokens);
				for (const model of this.models.values()) model.passed(entry);
				this.dispatch();
			},
			throttled: (refusal) => this.throttled(budget, entry, refusal, this.passedCount > passedBefore),
			overloaded: () => this.release(entry),
			released: () => this.release(entry),
		};
	}

	private settle(entry: LoggedRequest, outcome: LoggedRequest['outcome'], tokens?: number): void {
		this.inFlight--;
		this.lastUsedMs = this.parts.clock.now();
		this.log.settle(entry, outcome, tokens);
	}

	private release(entry: LoggedRequest): void {
		this.settle(entry, 'released');
		for (const model of this.models.values()) model.released(entry);
		this.dispatch();
	}

	private throttled(budget: WaitBudget, entry: LoggedRequest, refusal: ServiceError, _othersPassed: boolean): boolean {
		const now = this.parts.clock.now();
		const { limit, retryAfterMs } = refusal.facts;
		budget.execution.refusals++;
		this.settle(entry, 'refused');
		if (isPerDay(limit)) {
			budget.execution.turnedAwayBy = refusal;
			for (const model of this.models.values()) model.released(entry);
			this.failWaiting((waiter) => waiter.budget.execution === budget.execution && !waiter.budget.started, refusal);
			this.dispatch();
			return false;
		}
		this.lastRefusal = refusal;
		const { refused } = budget;
		refused.inARow++;
		const name = limit ?? '';
		const model = this.modelOf(name);
		model.refused(entry, now, retryAfterMs);
		for (const other of this.models.values()) if (other !== model) other.released(entry);
		this.dispatch();
		return (retryAfterMs ?? 0) <= budget.leftMs && budget.leftMs > 0;
	}

	private modelOf(name: string): LimitModel {
		let model = this.models.get(name);
		if (!model) {
			model = new LimitModel(this.log, name.startsWith('T') ? 'tokens' : 'requests', this.parts.random);
			this.models.set(name, model);
		}
		return model;
	}

	private failWaiting(isHopeless: (waiter: Waiter) => boolean, refusal: ServiceError): void {
		for (const waiter of this.queue.filter(isHopeless)) {
			this.queue.splice(this.queue.indexOf(waiter), 1);
			waiter.fail(refusal);
		}
	}

	private failThoseOutOfTime(now: number): void {
		if (!this.lastRefusal) return;
		const known = Math.max(...[...this.models.values()].map((model) => model.notBeforeMs)) - now;
		this.failWaiting(({ budget, sinceMs }) => {
			const left = budget.leftMs - (now - sinceMs);
			return left <= 0 || (known > left && (known > budget.execution.maxWaitMs ? !budget.started || true : true));
		}, this.lastRefusal);
	}

	private dispatch(): void {
		const now = this.parts.clock.now();
		if (this.queue.length > 0) this.failThoseOutOfTime(now);
		while (this.queue.length > 0) {
			const next = this.nextStartMs(now);
			if (next > now) {
				const outOfTime = Math.min(...this.queue.map(({ budget, sinceMs }) => sinceMs + budget.leftMs));
				this.setAlarm(Math.min(next, outOfTime, this.reportAtMs));
				break;
			}
			const waiter = this.queue.shift()!;
			waiter.start(this.admit(waiter.budget, now));
		}
		if (this.queue.length === 0) this.clearAlarm();
		this.report(now);
	}

	private report(now: number): void {
		const { queue, lastRefusal } = this;
		const limit = lastRefusal?.facts.limit;
		const tell = (phase: Waiting['phase']) =>
			this.parts.onWaiting?.({ phase, waitedMs: now - (this.waitingSinceMs ?? now), queued: queue.length, limit });
		if (queue.length > 0 && this.waitingSinceMs === undefined) {
			this.waitingSinceMs = now;
			this.reportAtMs = now + REPORT_EVERY_MS;
			tell('begins');
		} else if (queue.length === 0 && this.waitingSinceMs !== undefined) {
			tell('ends');
			this.waitingSinceMs = undefined;
			this.reportAtMs = Infinity;
		} else if (now >= this.reportAtMs) {
			tell('goes on');
			this.reportAtMs = now + REPORT_EVERY_MS;
		}
	}

	private setAlarm(atMs: number): void {
		if (atMs === Infinity) return this.clearAlarm();
		if (this.alarm?.atMs === atMs) return;
		this.clearAlarm();
		const { clock } = this.parts;
		const alarm = { atMs, controller: new AbortController() };
		this.alarm = alarm;
		const ring = () => {
			if (this.alarm !== alarm) return;
			this.alarm = undefined;
			this.dispatch();
		};
		clock.wait(Math.max(0, atMs - clock.now()), alarm.controller.signal).then(ring, () => {});
	}

	private clearAlarm(): void {
		this.alarm?.controller.abort();
		this.alarm = undefined;
	}
}
