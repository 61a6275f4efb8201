import { CallFailure, isPerDay, type Failure } from '../ServiceError';
import { Alarm, type Clock } from '../time/Alarm';
import { onAbort } from '../time/abort';
import { AdaptiveRate } from './AdaptiveRate';
import type { RunCalls } from './RunCalls';
import { FairQueue } from './FairQueue';
import type { ItemCalls } from './ItemCalls';
import { Outage } from './Outage';
import type { Outcome, Permit } from './Permit';
import { RetryAfter } from './RetryAfter';
import type { SentRequest } from './SentRequest';
import { WaitingCall } from './WaitingCall';
import { WaitReport, type Waiting } from './WaitReport';

/**
 * A request without an outcome counts as admitted after this time: a 429 comes at once, while a successful answer may take half a
 * minute.
 */
const ADMITTED_AFTER_MS = 2000;

/**
 * While calls wait and nothing is refused, a request has to start at least every ten seconds. If only items in their own backoff
 * are left, one of them starts after this time. It is a second shorter than ten, because timers may be late.
 */
const MAX_GAP_MS = 9000;

/** Calls that wait for a slot are looked at so often, because the end of their Max Wait moves while they do. */
const CHECK_SLOTS_MS = 1000;

/** Times are computed with fractions, so a wait whose end was reached may seem to last for another billionth. */
const ROUNDING_MS = 0.001;

export interface LimiterParts {
	clock: Clock;
	/** Returns a number from 0 (inclusive) to 1 (exclusive), for the jitter of probes and backoffs. */
	random: () => number;
	/** Is called when calls begin to wait, every half minute while they do, and when none waits any more. */
	onWaiting?: (waiting: Waiting) => void;
}

/**
 * Queues requests, and starts them as fast as the service's rate limits allow. All calls under one limit share one limiter. Its
 * parts say when a request may start, and this class starts it:
 *
 * - `FairQueue`: which call is next. A probe is of the item with the fewest failures in a row: one with many may itself be the reason
 *   for its 429s, and the probes of an outage would use up its retries.
 * - `AdaptiveRate`: the rate that is learned from 429s.
 * - `RetryAfter` of a 429: nothing starts before it is over, in any execution. A call whose Max Wait ends sooner fails at once,
 *   whether or not it has been sent, and the pause goes on for the others. From the second 429 of an item that is itself the reason,
 *   it alone waits.
 * - `ItemBackoff`: an item that is itself the reason for its 429s waits on its own, without a slot.
 * - `Outage`: single requests while the service takes none at all. This does not change the learned rate. The `Retry-After` of a 503
 *   fails no waiting call early, since another request may get through first. The last item of a run, such as a form's, is not held
 *   back by it.
 *
 * A limit per day fails the items of its run that have sent nothing yet. Timeouts hold no other request back.
 */
export class Limiter {
	private readonly rate: AdaptiveRate;

	private readonly queue = new FairQueue();

	private readonly outage = new Outage();

	private readonly retryAfter = new RetryAfter();

	private readonly waitReport: WaitReport;

	private readonly alarm: Alarm;

	/** Holds the 429 of a limit per day that a run got. It fails every item of the run that has sent nothing yet. */
	private readonly refusedForDay = new WeakMap<RunCalls, Failure>();

	/** Counts the calls that are in flight, wait here, or wait between two attempts. */
	private activeCalls = 0;

	/** Holds the requests in flight that do not count as admitted yet, in the order of their starts. */
	private readonly notYetAdmitted = new Set<SentRequest>();

	/** No waiting call times out or ends its backoff before this time, so the queue need not be searched until then. */
	private nextChangeMs = Infinity;

	/** From this time on, an item may start although its own backoff is not over. It is Infinity after a 429, until a request is admitted. */
	private backoffCutMs = Infinity;

	/** Holds the latest refusal, or the latest failure of an outage, for which calls wait. */
	private lastFailure: Failure | undefined;

	private lastUsedMs: number;

	constructor(private readonly parts: LimiterParts) {
		this.rate = new AdaptiveRate(parts.random);
		this.waitReport = new WaitReport((waiting) => parts.onWaiting?.(waiting));
		this.lastUsedMs = parts.clock.now();
		this.alarm = new Alarm(parts.clock, () => this.dispatch());
	}

	/** Says when the latest request started or ended. It is Infinity while calls are active, and until the end of a `Retry-After`. */
	get unusedSinceMs(): number {
		const isPaused = this.parts.clock.now() < this.retryAfter.endMs;
		return isPaused || this.activeCalls > 0 ? Infinity : this.lastUsedMs;
	}

	/**
	 * Counts a call as active, waits between its attempts included.
	 * @returns a function that must be called once, when the call is over
	 */
	enter({ run }: ItemCalls): () => void {
		this.activeCalls++;
		run.changeActive(1);
		return () => {
			this.activeCalls--;
			run.changeActive(-1);
			this.dispatch();
		};
	}

	/**
	 * Waits until a request may start.
	 * @param item the wait counts for its Max Wait
	 * @throws CallFailure the latest refusal or outage, if the rest of the item's Max Wait is too short, or a refusal of a limit per
	 * day
	 * @throws the signal's reason after an abort
	 */
	async acquire(item: ItemCalls, signal: AbortSignal): Promise<Permit> {
		signal.throwIfAborted();
		const { run } = item;
		const refusedForDay = this.refusedForDay.get(run);
		if (refusedForDay && item.attempts === 0) throw new CallFailure(refusedForDay);
		const now = this.parts.clock.now();
		this.countAdmitted(now);
		const isFree = this.queue.size === 0 && !this.isHeldBack(item, now) && !run.isFull;
		if (isFree && this.nextStartMs(item, now) <= now) {
			this.report(now);
			return this.start(item, now);
		}
		return await new Promise<Permit>((resolve, reject) => {
			const endOfWaitMs = this.retryAfter.withGrace(now + item.leftMs, now);
			const call = new WaitingCall(item, now, endOfWaitMs, {
				start: (permit) => {
					unfollow();
					resolve(permit);
				},
				fail: (reason) => {
					unfollow();
					reject(reason);
				},
			});
			const unfollow = onAbort(signal, () => {
				this.fail(call, signal.reason);
				this.dispatch();
			});
			this.queue.add(call, this.rate.nextIndex);
			run.waitsAt.add(this);
			this.nextChangeMs = Math.min(this.nextChangeMs, this.changeMs(call, now));
			// Setting an item aside lets another item begin, which calls this method again, so the call must be in the queue by now.
			if (item.backoff.givesUpSlot) item.setAside(true);
			this.dispatch();
		});
	}

	/** Starts every waiting call that may start, and fails those that may wait no longer. */
	dispatch(): void {
		if (this.queue.size === 0 && !this.waitReport.isOpen) return;
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
		const { nextLookMs } = this.waitReport;
		const probeMs = this.outage.nextProbeMs > now ? this.outage.nextProbeMs : Infinity;
		const alarmMs = Math.min(startMs, nextLookMs, this.nextChangeMs, backoffCutMs, admittedMs, probeMs);
		this.alarm.set(this.queue.size > 0 ? alarmMs : Infinity);
	}

	private startAll(now: number): void {
		for (;;) {
			const next = this.next(now);
			if (!next || this.nextStartMs(next.item, now) > now) return;
			this.remove(next);
			next.start(this.start(next.item, now), now);
		}
	}

	private next(now: number): WaitingCall | undefined {
		const isProbe = this.rate.isTestingLimit || this.outage.isActive;
		return this.queue.next(
			({ item }) => this.isHeldBack(item, now),
			({ item }) => (isProbe ? item.backoff.failuresInARow : 0),
		);
	}

	private nextStartMs({ backoff }: ItemCalls, now: number): number {
		return Math.max(now, this.rate.nextStartMs(backoff.failuresInARow === 0), this.retryAfter.endMs);
	}

	private isHeldBack({ backoff, run }: ItemCalls, now: number): boolean {
		const isInOutage = this.outage.nextProbeMs > now && !run.isLastItem;
		return isInOutage || backoff.isHeldBack(now, this.backoffCutMs);
	}

	private start(item: ItemCalls, now: number): Permit {
		const { run } = item;
		this.lastUsedMs = now;
		if (this.backoffCutMs < Infinity) this.backoffCutMs = now + MAX_GAP_MS;
		const isProbe = this.outage.isActive && !run.isLastItem;
		if (isProbe) this.outage.probeStarted(now);
		item.countAttempt();
		run.changeInFlight(1, now);
		const request = this.rate.started(now, item, item.attempts === 1);
		this.notYetAdmitted.add(request);
		const giveTurnBack = this.queue.takeTurn(run, request.index);
		return {
			end: (outcome, failure) => {
				this.lastUsedMs = this.parts.clock.now();
				this.notYetAdmitted.delete(request);
				run.changeInFlight(-1, this.lastUsedMs);
				item.setAside(false);
				this.countAdmitted(this.lastUsedMs);
				// A single call, such as a form's, keeps its turn at its first 429, so that it does not wait for another start of a large run.
				const isSingle = !run.isSending && !this.queue.has(run);
				if (outcome === 'rateLimited' && isSingle && item.backoff.failuresInARow === 0) giveTurnBack();
				const mayWait = this.end(item, request, outcome, failure);
				if (outcome === 'unavailable') {
					this.outage.failed(isProbe, this.lastUsedMs, sharedRetryAfterMs(failure));
				} else if (outcome !== 'unrelated') this.outage.passed();
				for (const limiter of new Set([...run.waitsAt, this])) limiter.dispatch();
				return mayWait;
			},
		};
	}

	private end(item: ItemCalls, request: SentRequest, outcome: Outcome, failure?: Failure): boolean {
		if (outcome === 'rateLimited' && failure) return this.rateLimited(item, request, failure);
		if (outcome === 'succeeded') {
			this.backoffCutMs = this.lastUsedMs + MAX_GAP_MS;
			item.backoff.succeeded();
			this.rate.succeeded(request, this.lastUsedMs);
			return true;
		}
		if (outcome === 'unavailable') {
			this.lastFailure = failure;
			item.backoff.failed();
		}
		this.rate.unrelated(request);
		return true;
	}

	/**
	 * Takes note of a 429: of the limit, or of the item that got it.
	 * @returns whether the item may wait
	 */
	private rateLimited(item: ItemCalls, request: SentRequest, refusal: Failure): boolean {
		const now = this.lastUsedMs;
		const { limit, retryAfterMs = 0 } = refusal;
		const { run, backoff } = item;
		run.countRateLimit();
		if (isPerDay(limit)) {
			this.rate.unrelated(request);
			this.failForDay(run, refusal);
			return false;
		}
		this.lastFailure = refusal;
		this.backoffCutMs = Infinity;
		const pauseMs = RetryAfter.followedMs(retryAfterMs);
		const { lastAdmittedIndex, mayBeItem } = this.rate;
		const { random } = this.parts;
		const { index } = request;
		if (backoff.refused({ index, lastAdmittedIndex, mayBeItem, now, pauseMs, random })) {
			this.rate.refusedByItemsFault(request, now, backoff.isCertain);
		} else {
			this.rate.rateLimited(request, now, pauseMs);
			this.retryAfter.extend(now, retryAfterMs);
			// At the next dispatch, the calls that cannot wait so long fail.
			if (pauseMs > 0) this.nextChangeMs = now;
		}
		const mayWait = item.leftMs > 0 && retryAfterMs <= item.leftMs;
		// Another item has to show whether this item or the limit is the reason, even if only one request may be in flight.
		if (this.rate.isSuspect(item)) backoff.giveUpSlot();
		return mayWait;
	}

	private failForDay(run: RunCalls, refusal: Failure): void {
		this.refusedForDay.set(run, refusal);
		for (const call of this.queue.callsOf(run)) {
			if (call.item.attempts === 0) this.fail(call, new CallFailure(refusal));
		}
	}

	private failTimedOut(now: number): void {
		const minEndMs = Math.max(this.retryAfter.minEndOfWaitMs(now), now + ROUNDING_MS);
		this.nextChangeMs = Infinity;
		for (const call of this.queue.all) {
			const endMs = call.endMs(now);
			const isOver = endMs < minEndMs && !call.isWaitingForSlot;
			if (this.lastFailure && isOver) {
				this.fail(call, new CallFailure({ ...this.lastFailure, isWaitOver: true }));
			} else if (endMs >= now) this.nextChangeMs = Math.min(this.nextChangeMs, this.changeMs(call, now));
		}
	}

	private fail(call: WaitingCall, reason: unknown): void {
		this.remove(call);
		call.fail(reason, this.parts.clock.now());
	}

	private remove(call: WaitingCall): void {
		const { run } = call.item;
		if (this.queue.remove(call)) run.waitsAt.delete(this);
	}

	/** Returns when the call times out or ends its own backoff, whichever is first. */
	private changeMs(call: WaitingCall, now: number): number {
		const endMs = call.endMs(now);
		if (call.isWaitingForSlot) return now + CHECK_SLOTS_MS;
		if (endMs < this.retryAfter.minEndOfWaitMs(now)) return now;
		const heldUntilMs = call.item.backoff.endMs(now);
		return heldUntilMs > now ? Math.min(endMs, heldUntilMs) : endMs;
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

	private report(now: number): void {
		const isIdle = this.activeCalls === 0;
		this.waitReport.look(now, this.queue.waitingForLimiter, isIdle, this.lastFailure?.limit);
	}
}

/** Returns the wait that a failure asks everybody for. A `Retry-After` of another status is for its own item only. */
function sharedRetryAfterMs(failure: Failure | undefined): number {
	return failure?.httpStatus === 503 ? (failure.retryAfterMs ?? 0) : 0;
}
