import { type EmulatedResponse, rateLimited } from './EmulatedResponse';
import type { RateLimit, SlidingWindowRules, TokenBucketRules } from './RateLimit';

const MAX_RETRY_AFTER_S = 86_400;

/** Measures how much of a limit has been used. */
interface Meter {
	/** Returns the milliseconds until the next request is admitted: 0 for now, Infinity for never. */
	waitMs(nowMs: number): number;
	add(amount: number, nowMs: number): void;
}

/** Checks requests against a rate limit. It has no clock, so callers must pass Unix milliseconds that never go back. */
export class RateLimiter {
	private meter: Meter | undefined;

	constructor(private readonly rateLimit: RateLimit) {}

	/** Asks for one request. Returns 0 if it is admitted, else the milliseconds until one would be, or Infinity for never. */
	take(nowMs: number): number {
		const { rateLimit } = this;
		this.meter ??=
			rateLimit.kind === 'sliding-window' ? new SlidingWindow(rateLimit) : new TokenBucket(rateLimit, nowMs);
		const waitMs = this.meter.waitMs(nowMs);
		if (rateLimit.counts !== 'tokens' && waitMs === 0) this.meter.add(1, nowMs);
		return waitMs;
	}

	/** Counts the tokens of a request that was admitted. */
	spend(tokens: number, nowMs: number): void {
		if (this.rateLimit.counts === 'tokens') this.meter?.add(tokens, nowMs);
	}

	/** Makes the 429 for a request that would have to wait this long. */
	refusal(waitMs: number): EmulatedResponse {
		const { limit, retryAfter = false } = this.rateLimit;
		const response = rateLimited(limit);
		if (retryAfter === false) return response;
		const untilNextS = Math.min(MAX_RETRY_AFTER_S, Math.max(1, Math.ceil(waitMs / 1000)));
		const seconds = retryAfter === true ? untilNextS : retryAfter;
		return { ...response, headers: { ...response.headers, 'retry-after': String(seconds) } };
	}
}

class TokenBucket implements Meter {
	private level: number;

	constructor(
		private readonly rules: TokenBucketRules,
		private filledAtMs: number,
	) {
		this.level = rules.burst;
	}

	waitMs(nowMs: number): number {
		const { perSecond, burst } = this.rules;
		this.level = Math.min(burst, this.level + ((nowMs - this.filledAtMs) / 1000) * perSecond);
		this.filledAtMs = nowMs;
		return this.level >= 1 ? 0 : ((1 - this.level) / perSecond) * 1000;
	}

	add(amount: number, nowMs: number): void {
		this.waitMs(nowMs);
		this.level -= amount;
	}
}

class SlidingWindow implements Meter {
	private entries: { amount: number; atMs: number }[] = [];

	constructor(private readonly rules: SlidingWindowRules) {}

	waitMs(nowMs: number): number {
		const { max, windowMs } = this.rules;
		if (max <= 0) return Infinity;
		this.entries = this.entries.filter(({ atMs }) => atMs > nowMs - windowMs);
		let left = this.entries.reduce((sum, { amount }) => sum + amount, 0);
		if (left < max) return 0;
		const freeing = this.entries.find(({ amount }) => (left -= amount) < max);
		return freeing!.atMs + windowMs - nowMs;
	}

	add(amount: number, nowMs: number): void {
		this.entries.push({ amount, atMs: nowMs });
	}
}
