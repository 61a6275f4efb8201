import type { SentRequest } from './SentRequest';

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

/** The outcomes since the latest adjustment. Requests before `fromIndex` are left out: they were sent at the previous rate. */
interface Period {
	fromIndex: number;
	sinceMs: number;
	succeeded: number;
	refused: number;
	/** Whether the period before had no 429. */
	followsClean: boolean;
}

/** Spaces requests evenly, like a token bucket without a burst, at a rate that follows the outcomes. */
export class PacedRate {
	/** Requests per millisecond. Infinity as long as no limit is known. */
	private ratePerMs = Infinity;

	private earliestMs = -Infinity;

	private period: Period = { fromIndex: 0, sinceMs: 0, succeeded: 0, refused: 0, followsClean: false };

	/** Whether a limit is known. */
	get isLimited(): boolean {
		return this.ratePerMs < Infinity;
	}

	/** When the next request may start. */
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

	/** After a 429, the next request waits for half a gap at least. */
	delay(now: number): void {
		this.earliestMs = Math.max(this.earliestMs, now + this.gapMs / 2);
	}

	/**
	 * @param nextIndex the index of the next request
	 * @param followsClean whether the period that ends had no 429
	 */
	set(ratePerMs: number, now: number, nextIndex: number, followsClean = false): void {
		this.ratePerMs = Math.max(MIN_RATE_PER_MS, ratePerMs);
		this.period = { fromIndex: nextIndex, sinceMs: now, succeeded: 0, refused: 0, followsClean };
	}

	/** Discounts a request that got a 429 although it was counted as admitted. */
	discount({ index }: SentRequest): void {
		if (index >= this.period.fromIndex) this.period.succeeded--;
	}

	/** Counts an outcome, and adjusts the rate when there are enough of them. */
	count({ index, startMs }: SentRequest, now: number, nextIndex: number, isRefused = false): void {
		const { period, ratePerMs } = this;
		if (!this.isLimited || index < period.fromIndex) return;
		if (isRefused) period.refused++;
		else period.succeeded++;
		const { succeeded, refused, sinceMs, fromIndex, followsClean } = period;
		const isClean = refused === 0;
		const needed = isClean && followsClean ? OUTCOMES_PER_CLEAN_INCREASE : OUTCOMES_PER_ADJUSTMENT;
		if (succeeded + 2 * refused < needed) return;
		const periodMs = Math.max(1, startMs - sinceMs);
		if (refused / (succeeded + refused) > MAX_TOLERATED_SHARE) {
			const admittedPerMs = succeeded / periodMs;
			const rate = Math.max(DECREASE_FACTOR * admittedPerMs, MIN_DECREASE_FACTOR * ratePerMs);
			this.set(rate, now, nextIndex);
		} else {
			const isUsed = (index - fromIndex) / periodMs > MIN_USED_SHARE * ratePerMs;
			this.set(isUsed ? (1 + INCREASE) * ratePerMs : ratePerMs, now, nextIndex, isClean);
		}
	}

	private get gapMs(): number {
		return 1 / this.ratePerMs;
	}
}
