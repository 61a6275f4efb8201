import type { AdmittedStarts } from './AdmittedStarts';
import type { SentRequest } from './SentRequest';
import { SteadyRefusals } from './SteadyRefusals';

/**
 * The rate is adjusted after this many outcomes. A 429 counts twice, so that one 429 stays below the tolerated share and two exceed
 * it.
 */
const OUTCOMES_PER_ADJUSTMENT = 16;

/**
 * After a period without a 429, this many outcomes without one are enough for the next increase, so that a rate that was learned
 * while others took most of the limit recovers: it doubles in some 30 outcomes, and is tenfold after about 100.
 * Outcomes of requests that were in flight at an increase do not count, so many at once take longer. With fewer, a single late start
 * would look like an unused rate.
 */
const OUTCOMES_PER_CLEAN_INCREASE = 4;

/** A rate that equals the limit exceeds it after one increase by no more than the tolerated share. */
const INCREASE = 0.1;

/** At the start, nothing is known about the limit but that something got through, so the rate doubles until the first 429. */
const START_FACTOR = 2;

/**
 * After a `Retry-After`, the rate is at most this multiple of what got through since the previous one: a rate that was far too
 * high comes down at once, and one that was a little too high falls by the usual tenth.
 */
const MAX_MULTIPLE_OF_PASSED = 1.5;

/**
 * An increase that ends in a refusal costs another pause. So after a `Retry-After`, the rate does not grow for ten times as long:
 * then pauses take a tenth of the time, which is the share of 429s that is tolerated, too. It is a minute at most, because the
 * service's limits are per minute.
 */
const PAUSES_UNTIL_INCREASE = 10;
const MAX_MS_UNTIL_INCREASE = 60_000;

/** A rate that was too high falls a little below what was admitted, so that other processes with the same key get a share. */
const DECREASE_FACTOR = 0.9;

/** One decrease at most halves the rate, because 16 outcomes are too few to justify more. The next ones may halve it again. */
const MIN_DECREASE_FACTOR = 0.5;

/** A rate does not grow if fewer requests started than this share of it, because then it was not put to the test. */
const MIN_USED_SHARE = 0.7;

/** At the start it is less: after a doubling, the first gap is still the old one, which is two of four new ones. */
const MIN_USED_SHARE_AT_START = 0.5;

/**
 * While calls wait, a request has to start at least every ten seconds. With one every five seconds, this holds even if one is
 * refused.
 */
const MIN_RATE_PER_MS = 1 / 5000;

/** Counts the outcomes since the latest adjustment. Requests before `fromIndex` are left out: they were sent at the previous rate. */
interface Period {
	fromIndex: number;
	sinceMs: number;
	succeeded: number;
	refused: number;
	/** Says whether `OUTCOMES_PER_CLEAN_INCREASE` outcomes without a 429 are enough for the next increase. */
	growsEarly: boolean;
}

/** Holds what a 429 may change, so that it can be undone. */
export interface PaceState {
	readonly ratePerMs: number;
	readonly isStarting: boolean;
}

/** Spaces requests evenly, like a token bucket without a burst, at a rate that follows the outcomes. */
export class PacedRate {
	/** Counts requests per millisecond. It is Infinity as long as no limit is known. */
	private ratePerMs = Infinity;

	private earliestMs = -Infinity;

	/** Says whether the rate doubles: since the first rate was set, or since `startAgain`. */
	private isStarting = false;

	/** Says whether the rate has doubled since `isStarting` was set. */
	private hasDoubled = false;

	/** Says when the first rate was set. */
	private pacedSinceMs = 0;

	/** The rate does not grow before this time. */
	private growsFromMs = -Infinity;

	/** Holds the rate at which requests got through before the first 429. The start does not end below it. */
	private provenPerMs = 0;

	private readonly steadyRefusals = new SteadyRefusals();

	private period: Period = { fromIndex: 0, sinceMs: 0, succeeded: 0, refused: 0, growsEarly: false };

	constructor(private readonly admitted: AdmittedStarts) {}

	/** Says whether a limit is known. Before that, requests are not spaced. */
	get isLimited(): boolean {
		return this.ratePerMs < Infinity;
	}

	get nextStartMs(): number {
		return this.earliestMs;
	}

	started(now: number): void {
		this.earliestMs = Math.max(now - this.gapMs / 2, this.earliestMs) + this.gapMs;
	}

	/** Lets another request start in the place of one that showed nothing about the limit. */
	giveBack(): void {
		this.earliestMs -= this.gapMs;
	}

	/** Goes on after a probe that was admitted. */
	resume(probe: SentRequest, now: number): void {
		this.earliestMs = Math.max(now, probe.startMs + this.gapMs);
	}

	/** Keeps half a gap between a 429 and the next start. A start that is planned later stays as it is. */
	delay(now: number): void {
		this.earliestMs = Math.max(this.earliestMs, now + this.gapMs / 2);
	}

	get state(): PaceState {
		return { ratePerMs: this.ratePerMs, isStarting: this.isStarting };
	}

	/**
	 * Sets the first rate, which doubles until the first 429.
	 * @param provenPerMs the mean rate in the minute before
	 * @param nextIndex the index of the next request
	 */
	begin(ratePerMs: number, provenPerMs: number, now: number, nextIndex: number): void {
		this.provenPerMs = provenPerMs;
		this.pacedSinceMs = now;
		this.start(Math.max(provenPerMs, ratePerMs), now, nextIndex);
	}

	/** Lets the rate double until the next 429, like the first one. */
	startAgain(now: number, nextIndex: number): void {
		this.start(this.ratePerMs, now, nextIndex);
	}

	private start(ratePerMs: number, now: number, nextIndex: number): void {
		this.isStarting = true;
		this.hasDoubled = false;
		this.beginPeriod(ratePerMs, now, nextIndex, true);
	}

	/**
	 * Lowers the rate because of a `Retry-After`, which costs more than a request.
	 * @param passedPerMs the rate at which requests got through since the previous stop
	 * @param pauseMs the wait of the `Retry-After`
	 */
	slowDown(passedPerMs: number, pauseMs: number, now: number, nextIndex: number): void {
		this.isStarting = false;
		this.measure(now);
		if (this.steadyRefusals.isSteady) return;
		this.growsFromMs = now + Math.min(MAX_MS_UNTIL_INCREASE, PAUSES_UNTIL_INCREASE * pauseMs);
		const highest = Math.min(DECREASE_FACTOR * this.ratePerMs, MAX_MULTIPLE_OF_PASSED * passedPerMs);
		this.lower(highest, now, nextIndex);
	}

	/** Lowers the rate because of a `Retry-After` if what got through before says nothing. */
	slowDownByTenth(now: number, nextIndex: number): void {
		this.isStarting = false;
		this.lower(DECREASE_FACTOR * this.ratePerMs, now, nextIndex);
	}

	/** Goes back to what was known before a 429. */
	restore({ ratePerMs, isStarting }: PaceState, now: number, nextIndex: number): void {
		this.isStarting ||= isStarting;
		if (ratePerMs > this.ratePerMs || isStarting) {
			this.beginPeriod(Math.max(ratePerMs, this.ratePerMs), now, nextIndex, true);
		}
	}

	/** Discounts a request that got a 429 although it was counted as admitted. */
	discount({ index }: SentRequest): void {
		if (index >= this.period.fromIndex) this.period.succeeded--;
	}

	/**
	 * Counts an outcome, and adjusts the rate when there are enough of them.
	 * @returns whether a doubling was taken back, so that the rate is one that got through before
	 */
	count({ index, startMs }: SentRequest, now: number, nextIndex: number, isRefused = false): boolean {
		const { period } = this;
		if (!this.isLimited || index < period.fromIndex) return false;
		this.steadyRefusals.count(isRefused);
		if (isRefused) period.refused++;
		else period.succeeded++;
		if (isRefused && this.isStarting) {
			this.endStart(now, nextIndex);
			return this.hasDoubled;
		}
		if (isComplete(period)) this.adjust(index, startMs, now, nextIndex);
		return false;
	}

	/** Halves the rate, but not below what was proven: the latest doubling was too much, or the first rate was, after a burst. */
	private endStart(now: number, nextIndex: number): void {
		this.isStarting = false;
		this.beginPeriod(Math.max(this.provenPerMs, this.ratePerMs / START_FACTOR), now, nextIndex);
	}

	/**
	 * Adjusts the rate to the outcomes of the period that ends.
	 * @param index the index of the latest request with an outcome
	 * @param startMs when it started
	 */
	private adjust(index: number, startMs: number, now: number, nextIndex: number): void {
		const { ratePerMs, steadyRefusals } = this;
		const { succeeded, refused, sinceMs, fromIndex } = this.period;
		const periodMs = Math.max(1, startMs - sinceMs);
		const isClean = refused === 0;
		this.measure(now);
		if (isClean) steadyRefusals.periodWithout429();
		if (steadyRefusals.tolerates(refused / (succeeded + refused))) {
			const minUsedShare = this.isStarting ? MIN_USED_SHARE_AT_START : MIN_USED_SHARE;
			const isUsed = (index - fromIndex) / periodMs > minUsedShare * ratePerMs;
			const mayGrow = this.isStarting || steadyRefusals.isSteady || now >= this.growsFromMs;
			const factor = this.isStarting ? START_FACTOR : 1 + INCREASE;
			const grows = isUsed && mayGrow;
			if (grows && this.isStarting) this.hasDoubled = true;
			this.beginPeriod(grows ? factor * ratePerMs : ratePerMs, now, nextIndex, isClean);
			return;
		}
		const admittedPerMs = succeeded / periodMs;
		this.lower(Math.max(DECREASE_FACTOR * admittedPerMs, MIN_DECREASE_FACTOR * ratePerMs), now, nextIndex);
	}

	/**
	 * Lowers the rate, but not below what got through in the best minute allows. If even the lowest rate has not ended the 429s, the
	 * rate was not the reason, and that of the best minute is back.
	 */
	private lower(ratePerMs: number, now: number, nextIndex: number): void {
		const { steadyRefusals } = this;
		const minRatePerMs = Math.max(MIN_RATE_PER_MS, steadyRefusals.minRatePerMs);
		if (ratePerMs < minRatePerMs && steadyRefusals.reachedMinRate()) {
			this.beginPeriod(Math.max(this.ratePerMs, steadyRefusals.bestRatePerMs), now, nextIndex);
		} else this.beginPeriod(Math.min(this.ratePerMs, Math.max(minRatePerMs, ratePerMs)), now, nextIndex);
	}

	/** The burst before the first rate does not count, because a rate that it proves would exceed the limit. */
	private measure(now: number): void {
		this.steadyRefusals.measured(this.admitted.meanRate(now, this.pacedSinceMs));
	}

	/**
	 * Sets the rate, and begins to count its outcomes.
	 * @param growsEarly whether four outcomes without a 429 are enough for the next increase
	 */
	private beginPeriod(ratePerMs: number, now: number, nextIndex: number, growsEarly = false): void {
		this.ratePerMs = Math.max(MIN_RATE_PER_MS, ratePerMs);
		this.period = { fromIndex: nextIndex, sinceMs: now, succeeded: 0, refused: 0, growsEarly };
	}

	private get gapMs(): number {
		return 1 / this.ratePerMs;
	}
}

function isComplete({ succeeded, refused, growsEarly }: Period): boolean {
	const isClean = refused === 0;
	const needed = isClean && growsEarly ? OUTCOMES_PER_CLEAN_INCREASE : OUTCOMES_PER_ADJUSTMENT;
	return succeeded + 2 * refused >= needed;
}
