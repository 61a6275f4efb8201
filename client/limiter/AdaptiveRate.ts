import { AdmittedStarts } from './AdmittedStarts';
import { PacedRate, type PaceState } from './PacedRate';
import { ProbePhase } from './ProbePhase';
import type { SentRequest } from './SentRequest';

/** Up to this share, 429s may be chance or the fault of items. If more than half of the requests get one, a limit is the reason. */
const MAX_CHANCE_SHARE = 0.5;

/** The share of 429s is a moving average over about this many outcomes: the fewest that tell a half from a tenth. */
const OUTCOMES_PER_AVERAGE = 10;

/** If half of the requests may get a 429 by chance, four in a row are one in sixteen: then a limit is the reason, and not their items. */
const MAX_ITEMS_REFUSED_IN_A_ROW = 4;

/** Up to this share, an item that is refused again is believed to be the reason itself, and what its 429 changed is undone. */
const MAX_SHARE_OF_BAD_ITEMS = 0.25;

/** What got through since the previous stop is measured over at most this time. */
const MAX_SINCE_STOP_MS = 60_000;

/**
 * Once there is a rate, this many 429s in a row stop everything but probes. If a tenth of the requests get one at random, three in a
 * row are one in a thousand.
 */
const MIN_REFUSALS_TO_STOP_PACE = 3;

/**
 * Learns the service's rate limit from its 429s, and says when the next request may start. In the order of time:
 *
 * 1. *No limit is known.* Every request starts at once.
 * 2. *A first 429, which may be chance.* Nothing starts until a request that was sent later has its outcome: one in flight, but only
 *    until two seconds after the start of the refused one, or else a single probe. If only the refused item waits, it is the probe, by
 *    the times of 3. If the request is admitted, the 429 was chance, and nothing changes.
 * 3. *There is a limit*, if that request, of another item, gets a 429 too, or if a 429 has a `Retry-After`. Single probes find out when
 *    requests get through again. The first starts 0.5 s after the start of the request that was refused last, the next 1, 2, 4 and
 *    then 8 s after the start of the previous one, or at the end of the `Retry-After` if that is later.
 * 4. *The first rate*, once a probe is admitted: the highest one at which requests before the 429 were admitted, measured over a second
 *    at least. Without a `Retry-After`, and if no more than ten seconds lie between the starts of the refused request and of the
 *    admitted probe, it is two requests per such time at most. It is at least the mean of the minute before the 429. If nothing had been
 *    admitted, there is no rate, and every request starts at once. The rate doubles after every four outcomes until the first 429,
 *    which halves it, but not below that mean.
 * 5. *The rate is known.* Requests are spaced evenly, like those of a token bucket without a burst. After every 16 outcomes, of which a
 *    429 counts twice, the rate is adjusted: if more than a tenth are 429s, it falls to nine tenths of what was admitted, but at most
 *    by half; otherwise it grows by a tenth, if at least 0.7 of it was used. As long as there is no 429, it then grows after every 4
 *    outcomes. Between a 429 and the next start lies half a gap at least.
 * 6. *A stop.* Once there is a rate, three 429s in a row, or one with a `Retry-After`, stop everything but probes, as in 3. The requests
 *    that were sent before the latest 429 that counted do not count again. A `Retry-After` also lowers the rate by a tenth, or to 1.5
 *    times what got through since the previous stop if that is less, unless a doubling was taken back or 429s are known to come at any
 *    rate. Then the rate does not grow for ten times the `Retry-After`, but for a minute at most. After a stop of over half a minute,
 *    the rate doubles again as in 4, because others may have used up the window that has ended. Where the service counts by the minute
 *    and lets all of it be used at once, each minute is therefore a burst, a stop, some probes, and the rate of the burst again.
 *
 * An example, with 8 requests at once that take 60 ms each: if only the ninth gets a 429, the next request waits for one of the seven in
 * flight, and everything goes on. If those get 429s too, a probe starts half a second later. It is admitted, so the first rate is two
 * per half second: 4 a second, and then 8, 16, 32 and so on until the next 429.
 *
 * Whose fault a 429 is:
 *
 * - The rate never falls below half of what got through in the best minute, unless most requests are refused (`SteadyRefusals`). If
 *   requests are still refused there, 429s come at any rate: the rate of the best minute is back, and grows until more are refused.
 * - Four 429s in a row are never blamed on their items, unless these are certainly the reason.
 * - What the `Retry-After` of an item's first 429 changed is undone if the item turns out to be the reason itself.
 * - Where an item is certainly the reason for its 429s, and an item was the reason for the previous stop too, a `Retry-After` lowers
 *   the rate by a tenth only.
 *
 * A request counts as admitted when it succeeds, or earlier, when `admit` is called. If it gets a 429 after all, it is discounted.
 */
export class AdaptiveRate {
	private readonly admitted = new AdmittedStarts();

	private readonly pace = new PacedRate(this.admitted);

	private probing: ProbePhase | undefined;

	private requestsInFlight = 0;

	private startedRequests = 0;

	private latestAdmittedIndex = -1;

	/**
	 * A 429 of a request before this index is counted, but causes no reaction of its own, because the request was sent before the latest
	 * 429 that did, or before a probe was admitted.
	 */
	private reactsFromIndex = 0;

	/** Holds the item of the latest 429, if nothing has been admitted since, and no other item got one while probes tested the limit. */
	private refusedItem: object | undefined;

	/** Holds the moving average of the share of 429s. Only an item's first request may raise it, so that one bad item cannot. */
	private refusedShare = 0;

	private refusedInARow = 0;

	/** Counts the 429s since a request was last admitted, without those that are certainly their items' fault. */
	private refusedSinceAdmitted = 0;

	/** Says when everything but probes was last stopped. */
	private stoppedMs = -Infinity;

	/** Says whether the latest stop of everything but probes turned out to be the fault of an item. */
	private wasStoppedByItem = false;

	/** Holds the latest item that is certainly the reason for its own 429s, until it succeeds. */
	private badItem: object | undefined;

	/** Holds the pace before the first 429 of each item, if that 429 had a `Retry-After`. */
	private readonly paceBefore = new WeakMap<object, PaceState>();

	constructor(private readonly random: () => number) {}

	get nextIndex(): number {
		return this.startedRequests;
	}

	get lastAdmittedIndex(): number {
		return this.latestAdmittedIndex;
	}

	/** Returns whether the only 429s since a request was last admitted are this item's, so that the item itself may be the reason. */
	isSuspect(item: object): boolean {
		return this.refusedItem === item;
	}

	/** Says whether so few requests get a 429, and so few in a row, that an item that gets another one may itself be the reason. */
	get mayBeItem(): boolean {
		return this.hasFewRefusals && this.refusedSinceAdmitted < MAX_ITEMS_REFUSED_IN_A_ROW;
	}

	/** Says whether the next request tests the limit. It should not be of an item that may itself be the reason for its 429s. */
	get isTestingLimit(): boolean {
		return (this.probing ?? this.refusedItem) !== undefined;
	}

	/**
	 * Returns when the next request may start. It is Infinity if a probe has to end first.
	 * @param isFresh whether the item of that request has not failed since it last succeeded
	 */
	nextStartMs(isFresh: boolean): number {
		return this.probing?.nextStartMs(isFresh, this.requestsInFlight > 0) ?? this.pace.nextStartMs;
	}

	started(now: number, item: object, isFirst: boolean): SentRequest {
		const request = { startMs: now, index: this.startedRequests++, item, isFirst, isAdmitted: false };
		// A probe takes no turn of the pace: `resume` plans the next start from it, so `unrelated` gives no turn back for it.
		if (this.probing) this.probing.started(request);
		else this.pace.started(now);
		this.requestsInFlight++;
		return request;
	}

	succeeded(request: SentRequest, now: number): void {
		this.requestsInFlight--;
		if (this.badItem === request.item) this.badItem = undefined;
		this.admit(request, now);
	}

	/** Takes note of a request that ended without showing anything about the limit. The next request may start in its place. */
	unrelated(request: SentRequest): void {
		this.requestsInFlight--;
		if (!this.probing?.unrelated(request) && !request.isAdmitted) this.pace.giveBack();
	}

	/**
	 * Takes note of a 429 that is the fault of its item: it shows nothing about the limit, and nor did the item's first one. So the next
	 * request need not keep a gap to it.
	 * @param isCertain whether it is certainly the item's fault, and not chance
	 */
	refusedByItemsFault(request: SentRequest, now: number, isCertain: boolean): void {
		this.unrelated(request);
		if (isCertain) this.badItem = request.item;
		else this.refusedSinceAdmitted++;
		const before = this.paceBefore.get(request.item);
		if (!before) return;
		this.paceBefore.delete(request.item);
		if (this.refusedShare > MAX_SHARE_OF_BAD_ITEMS) return;
		this.pace.restore(before, now, this.nextIndex);
		this.wasStoppedByItem = true;
	}

	/** Counts a request as admitted, although it may still be in flight. */
	admit(request: SentRequest, now: number): void {
		if (request.isAdmitted) return;
		request.isAdmitted = true;
		this.latestAdmittedIndex = Math.max(this.latestAdmittedIndex, request.index);
		this.refusedItem = undefined;
		this.refusedInARow = 0;
		this.refusedSinceAdmitted = 0;
		this.refusedShare -= this.refusedShare / OUTCOMES_PER_AVERAGE;
		this.admitted.add(request.startMs, now);
		this.pace.count(request, now, this.nextIndex);
		const { probing } = this;
		if (probing?.isChanceAfter(request)) this.probing = undefined;
		else if (probing?.isProbe(request)) {
			if (!this.pace.isLimited) this.beginPacing(probing, request, now);
			else if (probing.wasRestOfWindow(request)) this.pace.startAgain(now, this.nextIndex);
			this.probing = undefined;
			this.reactsFromIndex = this.nextIndex;
			this.pace.resume(request, now);
		}
	}

	/**
	 * Takes note of a 429 that shows something about the limit.
	 * @param pauseMs the wait of a `Retry-After` from now on, or 0 if there is none
	 */
	rateLimited(request: SentRequest, now: number, pauseMs: number): void {
		this.requestsInFlight--;
		if (request.isAdmitted) this.discount(request);
		this.refusedSinceAdmitted++;
		if (request.isFirst) this.refusedShare += (1 - this.refusedShare) / OUTCOMES_PER_AVERAGE;
		if (this.probing) this.refusedWhileProbing(this.probing, request, now, pauseMs);
		else this.refusedAtPace(request, now, pauseMs);
	}

	/** Says whether so few requests get a 429 that chance may be the reason, rather than a limit. */
	private get hasFewRefusals(): boolean {
		return this.refusedShare <= MAX_CHANCE_SHARE;
	}

	private refusedWhileProbing(probing: ProbePhase, request: SentRequest, now: number, pauseMs: number): void {
		// A request that started before the stop was sent at the rate, so its 429 counts for the rate.
		if (!probing.isProbe(request)) this.pace.count(request, now, this.nextIndex, true);
		if (!probing.isOfFirstItem(request)) this.refusedItem = undefined;
		const isLimit = probing.isConfirmedBy(request) || pauseMs > 0 || !this.hasFewRefusals;
		if (isLimit) probing.confirm();
		probing.refused(request, now, pauseMs);
	}

	private refusedAtPace(request: SentRequest, now: number, pauseMs: number): void {
		if (pauseMs > 0 && request.isFirst && this.pace.isLimited) {
			this.paceBefore.set(request.item, this.pace.state);
		}
		const isOfOther = request.item !== this.refusedItem;
		const isDoublingUndone = isOfOther && this.pace.count(request, now, this.nextIndex, true);
		this.refusedItem = request.item;
		if (request.index < this.reactsFromIndex) return;
		this.reactsFromIndex = this.nextIndex;
		if (this.pace.isLimited) {
			this.refusedInARow++;
			this.pace.delay(now);
			if (pauseMs === 0 && this.refusedInARow < MIN_REFUSALS_TO_STOP_PACE) return;
		}
		if (this.pace.isLimited && pauseMs > 0 && !isDoublingUndone) this.slowDown(now, pauseMs);
		this.stoppedMs = now;
		this.wasStoppedByItem = false;
		const probing = new ProbePhase(request, !this.pace.isLimited, now, this.random);
		if (pauseMs > 0 || !this.hasFewRefusals) probing.confirm();
		probing.refused(request, now, pauseMs);
		this.probing = probing;
	}

	/** Sets the first rate, because a probe has shown how long the limit lasted. */
	private beginPacing(probing: ProbePhase, probe: SentRequest, now: number): void {
		const { beganMs } = probing;
		const highest = this.admitted.highestRate(beganMs);
		// If nothing had been admitted before, no rate can be measured, and all requests may start.
		if (highest === 0) return;
		const rate = Math.min(highest, probing.shownRate(probe));
		this.pace.begin(rate, this.admitted.meanRate(beganMs), now, this.nextIndex);
	}

	private slowDown(now: number, pauseMs: number): void {
		// Most of the time since the previous stop was then a pause for nothing, so what got through in it says little about the limit.
		const isItemsFault = this.badItem !== undefined && this.wasStoppedByItem;
		if (isItemsFault && this.refusedShare <= MAX_SHARE_OF_BAD_ITEMS) {
			this.pace.slowDownByTenth(now, this.nextIndex);
			return;
		}
		const sinceMs = Math.max(this.stoppedMs, now - MAX_SINCE_STOP_MS);
		this.pace.slowDown(this.admitted.rateBetween(sinceMs, now), pauseMs, now, this.nextIndex);
	}

	/** Discounts a request that got a 429 although it was counted as admitted. */
	private discount(request: SentRequest): void {
		this.admitted.remove(request.startMs);
		this.pace.discount(request);
	}
}
