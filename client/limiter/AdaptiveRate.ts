/** A request that has been started. */
export interface SentRequest {
	readonly startMs: number;
	/** The number of requests that started before it. */
	readonly index: number;
	/** The item that sent it. An item may itself be the reason for its 429. */
	readonly item: object;
	/** Whether it is the first request of its item. */
	readonly isFirst: boolean;
	/** Whether it counts as admitted, because it succeeded or was in flight for two seconds without a 429. */
	isAdmitted: boolean;
}

/** The rate is measured over a minute, because the service's limits are per minute (RPM, TPM, IPM). */
const MEASURED_MS = 60_000;

/** A shorter time may hold only a burst of a few requests, which says little about the rate. */
const MIN_MEASURED_MS = 1000;

/** The first wait for a probe, and the base of the exponential backoff between probes. */
const FIRST_PROBE_MS = 500;

/** When a window of a minute ends, the next probe comes at most 8 s later, so that at most a seventh of the new window is lost. */
const MAX_PROBE_GAP_MS = 8000;

/** Up to this share, 429s may be chance or the fault of items. If more than half of the requests get one, a limit is the reason. */
const MAX_CHANCE_SHARE = 0.5;

/** The share of 429s is a moving average over about this many outcomes: the fewest that tell a half from a tenth. */
const OUTCOMES_PER_AVERAGE = 10;

/** After a first 429, the next request waits at most this long for the outcomes of requests in flight, which usually take less. */
const MAX_WAIT_FOR_OUTCOME_MS = 2000;

/** This many 429s in a row stop everything but probes. If a tenth of the requests get one at random, three in a row are one in a thousand. */
const MIN_REFUSALS_IN_A_ROW = 3;

/**
 * The rate is adjusted after this many outcomes. A 429 counts twice, so that one 429 stays below the tolerated share and two exceed
 * it.
 */
const OUTCOMES_PER_ADJUSTMENT = 16;

/**
 * After a period without a 429, this many outcomes without one are enough for the next increase, so that a rate that was learned
 * while others took most of the limit recovers in seconds. With fewer, a single late start would look like an unused rate.
 */
const OUTCOMES_PER_CLEAN_INCREASE = 4;

/** Up to this share of 429s, the rate grows. It is half of the fifth of requests that may be refused at all. */
const MAX_TOLERATED_SHARE = 0.1;

/** A rate that equals the limit exceeds it after one increase by no more than the tolerated share. */
const INCREASE = 0.1;

/** A rate that was too high falls a little below what was admitted, so that other processes with the same key get a share. */
const DECREASE_FACTOR = 0.9;

/** One decrease at most halves the rate, because 16 outcomes are too few to justify more. The next ones may halve it again. */
const MIN_DECREASE_FACTOR = 0.5;

/** A rate does not grow if fewer requests started than this share of it, because then it was not put to the test. */
const MIN_USED_SHARE = 0.7;

/**
 * While calls wait, a request has to start at least every ten seconds. With one every five seconds, this holds even if one is
 * refused.
 */
const MIN_RATE_PER_MS = 1 / 5000;

/** The time from a 429 until a request succeeds, during which only single probes start. */
interface Probing {
	/** The first request that was refused. */
	first: SentRequest;
	/** Whether the 429 may be chance, because no limit is known yet. */
	mayBeChance: boolean;
	probe?: SentRequest | undefined;
	refusedProbes: number;
	/** When the next probe may start. */
	earliestMs: number;
}

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
	/** The number of requests without an outcome. */
	inFlight = 0;

	nextIndex = 0;

	/** The index of the latest request that was admitted. */
	lastAdmittedIndex = -1;

	/** Requests per millisecond. Infinity as long as no limit is known. */
	private ratePerMs = Infinity;

	private earliestMs = -Infinity;

	private probing: Probing | undefined;

	/** When the admitted requests of at least the last minute started. */
	private admittedStartsMs: number[] = [];

	/** 429s of requests before this index are ignored, because they were sent before the latest reaction to a 429. */
	private ignoredBeforeIndex = 0;

	/** The item of the latest 429, if nothing has been admitted since. */
	private refusedItem: object | undefined;

	/** The moving average of the share of 429s. Only an item's first request may raise it, so that one bad item cannot. */
	private refusedShare = 0;

	private refusedInARow = 0;

	/** The outcomes since the latest adjustment. Requests before `fromIndex` are left out: they were sent at the previous rate. */
	private period = { fromIndex: 0, sinceMs: 0, succeeded: 0, refused: 0, followsClean: false };

	constructor(private readonly random: () => number) {}

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
		const { probing, inFlight } = this;
		if (!probing) return this.earliestMs;
		if (probing.probe) return Infinity;
		if (!probing.mayBeChance) return probing.earliestMs;
		const dueMs = isFresh ? -Infinity : probing.earliestMs;
		return inFlight > 0 ? Math.max(dueMs, probing.first.startMs + MAX_WAIT_FOR_OUTCOME_MS) : dueMs;
	}

	started(now: number, item: object, isFirst: boolean): SentRequest {
		const request = { startMs: now, index: this.nextIndex++, item, isFirst, isAdmitted: false };
		if (this.probing) this.probing.probe ??= request;
		else this.earliestMs = Math.max(now - this.gapMs / 2, this.earliestMs) + this.gapMs;
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
		if (this.probing?.probe === request) this.probing.probe = undefined;
		else if (!request.isAdmitted) this.earliestMs -= this.gapMs;
	}

	/** Counts a request as admitted, although it may still be in flight. */
	admit(request: SentRequest, now: number): void {
		if (request.isAdmitted) return;
		request.isAdmitted = true;
		this.lastAdmittedIndex = Math.max(this.lastAdmittedIndex, request.index);
		this.refusedItem = undefined;
		this.refusedInARow = 0;
		this.refusedShare -= this.refusedShare / OUTCOMES_PER_AVERAGE;
		this.admittedStartsMs.push(request.startMs);
		if (
			this.admittedStartsMs.length > 64 &&
			this.admittedStartsMs[this.admittedStartsMs.length >> 1]! < now - MEASURED_MS
		) {
			this.admittedStartsMs.splice(0, this.admittedStartsMs.length >> 1);
		}
		this.countOutcome(request, now);
		const { probing } = this;
		if (!probing) return;
		if (probing.mayBeChance && request.index > probing.first.index) this.probing = undefined;
		else if (probing.probe === request) {
			this.probing = undefined;
			this.ignoredBeforeIndex = this.nextIndex;
			this.earliestMs = Math.max(now, request.startMs + this.gapMs);
		}
	}

	/** @param pauseMs the wait of a `Retry-After` from now on, or 0 if there is none */
	rateLimited(request: SentRequest, now: number, pauseMs: number): void {
		this.inFlight--;
		if (request.isAdmitted) this.discount(request);
		if (request.isFirst) this.refusedShare += (1 - this.refusedShare) / OUTCOMES_PER_AVERAGE;
		const { probing } = this;
		if (probing) {
			if (probing.probe === request) {
				probing.probe = undefined;
				probing.refusedProbes++;
			}
			const isOther = request.item !== probing.first.item;
			if (isOther) this.refusedItem = undefined;
			const isLimit = isOther && request.index > probing.first.index;
			this.planProbe(probing, request.startMs, now, pauseMs, isLimit);
			return;
		}
		if (request.item !== this.refusedItem) this.countOutcome(request, now, true);
		this.refusedItem = request.item;
		if (request.index < this.ignoredBeforeIndex) return;
		this.ignoredBeforeIndex = this.nextIndex;
		const isPaced = this.ratePerMs < Infinity;
		if (isPaced) {
			this.refusedInARow++;
			this.earliestMs = Math.max(this.earliestMs, now + this.gapMs / 2);
			if (pauseMs === 0 && this.refusedInARow < MIN_REFUSALS_IN_A_ROW) return;
		}
		this.probing = {
			first: request,
			mayBeChance: !isPaced,
			refusedProbes: 0,
			earliestMs: now,
		};
		this.planProbe(this.probing, request.startMs, now, pauseMs);
	}

	private get gapMs(): number {
		return 1 / this.ratePerMs;
	}

	/**
	 * The highest rate, per millisecond, at which requests were admitted in a time that ends now and is at most a minute long. In a
	 * longer time with a pause in it, such as between a form and a large run, the service would have admitted more.
	 */
	private measuredRate(now: number): number {
		const recent = this.admittedStartsMs.filter((ms) => ms > now - MEASURED_MS);
		return recent.reduce((highest, startMs, index) => {
			const rate = (recent.length - index) / Math.max(MIN_MEASURED_MS, now - startMs);
			return Math.max(highest, rate);
		}, 0);
	}

	/** Plans the next probe, and sets the rate if it is now clear that there is a limit. */
	private planProbe(probing: Probing, probedMs: number, now: number, pauseMs: number, isLimit = false): void {
		if (probing.mayBeChance && (isLimit || pauseMs > 0 || !this.hasFewRefusals)) {
			probing.mayBeChance = false;
			// If nothing has been admitted yet, no rate can be measured, and all requests may start after the probe.
			if (this.admittedStartsMs.length > 0) this.setRate(this.measuredRate(now), now);
		}
		const gapMs = Math.min(MAX_PROBE_GAP_MS, FIRST_PROBE_MS * 2 ** probing.refusedProbes);
		// The jitter keeps several processes from probing at the same time.
		const earliestMs = probedMs + gapMs * (0.9 + 0.2 * this.random());
		probing.earliestMs = Math.max(probing.earliestMs, earliestMs, now + pauseMs);
	}

	/** Discounts a request that got a 429 although it was counted as admitted. */
	private discount({ startMs, index }: SentRequest): void {
		const at = this.admittedStartsMs.lastIndexOf(startMs);
		if (at >= 0) this.admittedStartsMs.splice(at, 1);
		if (index >= this.period.fromIndex) this.period.succeeded--;
	}

	/** @param followsClean whether the period that ends had no 429 */
	private setRate(ratePerMs: number, now: number, followsClean = false): void {
		this.ratePerMs = Math.max(MIN_RATE_PER_MS, ratePerMs);
		this.period = { fromIndex: this.nextIndex, sinceMs: now, succeeded: 0, refused: 0, followsClean };
	}

	/** Counts an outcome, and adjusts the rate when there are enough of them. */
	private countOutcome({ index, startMs }: SentRequest, now: number, isRefused = false): void {
		const { period, ratePerMs } = this;
		if (ratePerMs === Infinity || index < period.fromIndex) return;
		if (isRefused) period.refused++;
		else period.succeeded++;
		const { succeeded, refused, sinceMs, fromIndex, followsClean } = period;
		const isClean = refused === 0;
		const needed = isClean && followsClean ? OUTCOMES_PER_CLEAN_INCREASE : OUTCOMES_PER_ADJUSTMENT;
		if (succeeded + 2 * refused < needed) return;
		const periodMs = Math.max(1, startMs - sinceMs);
		if (refused / (succeeded + refused) > MAX_TOLERATED_SHARE) {
			this.setRate(Math.max((DECREASE_FACTOR * succeeded) / periodMs, MIN_DECREASE_FACTOR * ratePerMs), now);
		} else {
			const isUsed = (index - fromIndex) / periodMs > MIN_USED_SHARE * ratePerMs;
			this.setRate(isUsed ? (1 + INCREASE) * ratePerMs : ratePerMs, now, isClean);
		}
	}
}
