import { AdmittedStarts } from './AdmittedStarts';
import { PacedRate } from './PacedRate';
import { ProbePhase } from './ProbePhase';
import type { SentRequest } from './SentRequest';

/** Up to this share, 429s may be chance or the fault of items. If more than half of the requests get one, a limit is the reason. */
const MAX_CHANCE_SHARE = 0.5;

/** The share of 429s is a moving average over about this many outcomes: the fewest that tell a half from a tenth. */
const OUTCOMES_PER_AVERAGE = 10;

/** This many 429s in a row stop everything but probes. If a tenth of the requests get one at random, three in a row are one in a thousand. */
const MIN_REFUSALS_IN_A_ROW = 3;

/**
 * Learns the service's rate limit from its 429s, and says when the next request may start.
 *
 * - Until the first 429, every request starts at once.
 * - After one 429, nothing starts until a later request of another item has its outcome: a request in flight, or else a single
 *   probe. This lasts 2 s at most. If only the refused item waits, it is the probe, after 0.5, 1, 2, 4 and then every 8 s. If the
 *   request is admitted, the 429 was chance, and nothing changes.
 * - If that request gets a 429 too, or the first 429 had a `Retry-After`, there is a limit. The rate becomes the highest one at
 *   which requests were admitted until then, and single probes start after 0.5, 1, 2, 4 and then every 8 s until one succeeds. If nothing was
 *   admitted yet, there is no rate, and everything may start after that probe.
 * - Once there is a rate, requests are spaced evenly, like those of a token bucket without a burst. After every 16 outcomes the
 *   rate is adjusted: if more than a tenth are 429s, it falls to nine tenths of what was admitted, but at most by half;
 *   otherwise it grows by a tenth, if at least 0.7 of it was used. As long as there is no 429, it then grows after every 4
 *   outcomes. After a 429, the next request starts half a gap later at the earliest.
 * - Three 429s in a row, or a `Retry-After`, stop everything but probes again. The rate stays as it is.
 *
 * A request counts as admitted when it succeeds, or earlier, when `admit` is called. If it gets a 429 after all, it is discounted.
 */
export class AdaptiveRate {
	private readonly pace = new PacedRate();

	private readonly admitted = new AdmittedStarts();

	private probing: ProbePhase | undefined;

	private inFlight = 0;

	private starts = 0;

	private latestAdmittedIndex = -1;

	/** 429s of requests before this index are ignored, because they were sent before the latest reaction to a 429. */
	private ignoredBeforeIndex = 0;

	/** The item of the latest 429, if nothing has been admitted since. */
	private refusedItem: object | undefined;

	/** The moving average of the share of 429s. Only an item's first request may raise it, so that one bad item cannot. */
	private refusedShare = 0;

	private refusedInARow = 0;

	constructor(private readonly random: () => number) {}

	/** The index of the next request. */
	get nextIndex(): number {
		return this.starts;
	}

	/** The index of the latest request that was admitted. */
	get lastAdmittedIndex(): number {
		return this.latestAdmittedIndex;
	}

	/** Whether the only 429s since a request was last admitted are this item's, so that the item itself may be the reason. */
	isSuspect(item: object): boolean {
		return this.refusedItem === item;
	}

	/** Whether so few requests get a 429 that chance or single items may be the reason, rather than a limit. */
	get hasFewRefusals(): boolean {
		return this.refusedShare <= MAX_CHANCE_SHARE;
	}

	/** Whether the next request tests the limit. It should not be of an item that may itself be the reason for its 429s. */
	get isTestingLimit(): boolean {
		return (this.probing ?? this.refusedItem) !== undefined;
	}

	/**
	 * When the next request may start. Infinity if a probe has to end first.
	 * @param isFresh whether the item of that request has got no 429 yet
	 */
	nextStartMs(isFresh: boolean): number {
		return this.probing?.nextStartMs(isFresh, this.inFlight > 0) ?? this.pace.nextStartMs;
	}

	started(now: number, item: object, isFirst: boolean): SentRequest {
		const request = { startMs: now, index: this.starts++, item, isFirst, isAdmitted: false };
		if (this.probing) this.probing.started(request);
		else this.pace.started(now);
		this.inFlight++;
		return request;
	}

	succeeded(request: SentRequest, now: number): void {
		this.inFlight--;
		this.admit(request, now);
	}

	/** Takes note of a request that ended without showing anything about the limit. The next request may start in its place. */
	unrelated(request: SentRequest): void {
		this.inFlight--;
		if (!this.probing?.unrelated(request) && !request.isAdmitted) this.pace.giveBack();
	}

	/** Counts a request as admitted, although it may still be in flight. */
	admit(request: SentRequest, now: number): void {
		if (request.isAdmitted) return;
		request.isAdmitted = true;
		this.latestAdmittedIndex = Math.max(this.latestAdmittedIndex, request.index);
		this.refusedItem = undefined;
		this.refusedInARow = 0;
		this.refusedShare -= this.refusedShare / OUTCOMES_PER_AVERAGE;
		this.admitted.add(request.startMs, now);
		this.pace.count(request, now, this.nextIndex);
		const { probing } = this;
		if (probing?.isChanceAfter(request)) this.probing = undefined;
		else if (probing?.isProbe(request)) {
			this.probing = undefined;
			this.ignoredBeforeIndex = this.nextIndex;
			this.pace.resume(request, now);
		}
	}

	/** @param pauseMs the wait of a `Retry-After` from now on, or 0 if there is none */
	rateLimited(request: SentRequest, now: number, pauseMs: number): void {
		this.inFlight--;
		if (request.isAdmitted) this.discount(request);
		if (request.isFirst) this.refusedShare += (1 - this.refusedShare) / OUTCOMES_PER_AVERAGE;
		if (this.probing) this.refusedWhileProbing(this.probing, request, now, pauseMs);
		else this.refusedAtPace(request, now, pauseMs);
	}

	private refusedWhileProbing(probing: ProbePhase, request: SentRequest, now: number, pauseMs: number): void {
		if (!probing.isOfFirstItem(request)) this.refusedItem = undefined;
		const isLimit = probing.isConfirmedBy(request) || pauseMs > 0 || !this.hasFewRefusals;
		if (probing.mayBeChance && isLimit) this.beginPacing(probing, now);
		probing.refused(request, now, pauseMs);
	}

	private refusedAtPace(request: SentRequest, now: number, pauseMs: number): void {
		if (request.item !== this.refusedItem) this.pace.count(request, now, this.nextIndex, true);
		this.refusedItem = request.item;
		if (request.index < this.ignoredBeforeIndex) return;
		this.ignoredBeforeIndex = this.nextIndex;
		if (this.pace.isLimited) {
			this.refusedInARow++;
			this.pace.delay(now);
			if (pauseMs === 0 && this.refusedInARow < MIN_REFUSALS_IN_A_ROW) return;
		}
		const probing = new ProbePhase(request, !this.pace.isLimited, now, this.random);
		if (probing.mayBeChance && (pauseMs > 0 || !this.hasFewRefusals)) this.beginPacing(probing, now);
		probing.refused(request, now, pauseMs);
		this.probing = probing;
	}

	/** Sets the first rate, because it is clear now that there is a limit. */
	private beginPacing(probing: ProbePhase, now: number): void {
		probing.confirm();
		// If nothing has been admitted yet, no rate can be measured, and all requests may start after the probe.
		if (this.admitted.isEmpty) return;
		this.pace.set(this.admitted.highestRate(now), now, this.nextIndex);
	}

	/** Discounts a request that got a 429 although it was counted as admitted. */
	private discount(request: SentRequest): void {
		this.admitted.remove(request.startMs);
		this.pace.discount(request);
	}
}
