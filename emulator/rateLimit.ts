import { type Answer, jsonAnswer } from './Answer';

/** A token bucket, and how its refusals look. */
export interface RateLimit {
	/** Requests that it regains in a second. */
	perSecond: number;
	/** Requests that it holds at most, and at first. */
	burst: number;
	/** The limit that refusals name. */
	limit: 'RPM' | 'TPM' | 'IPM' | 'RPD' | 'TPD' | 'IPD';
	/**
	 * Whether refusals carry `Retry-After`: true for the whole seconds until the next request passes, a number for
	 * that many seconds, `date` for an HTTP date.
	 */
	retryAfter?: boolean | number | 'date';
}

/** Counts requests against a rate limit. */
export class TokenBucket {
	private tokens: number;
	private filledAtMs: number;

	constructor(
		private readonly rateLimit: RateLimit,
		nowMs: number,
	) {
		this.tokens = rateLimit.burst;
		this.filledAtMs = nowMs;
	}

	/** Takes one request; undefined lets it pass, else the 429. `nowMs` is any steady clock in milliseconds. */
	take(nowMs: number): Answer | undefined {
		const { perSecond, burst, limit, retryAfter } = this.rateLimit;
		this.tokens = Math.min(burst, this.tokens + ((nowMs - this.filledAtMs) / 1000) * perSecond);
		this.filledAtMs = nowMs;
		if (this.tokens >= 1) {
			this.tokens -= 1;
			return undefined;
		}
		const answer = jsonAnswer(429, {
			message: `Request was rejected due to rate limiting. ${limit} limit reached.`,
			data: '',
		});
		const seconds =
			typeof retryAfter === 'number'
				? retryAfter
				: Math.min(86_400, Math.max(1, Math.ceil((1 - this.tokens) / perSecond)));
		if (retryAfter === 'date')
			answer.headers['retry-after'] = new Date(Date.now() + seconds * 1000).toUTCString();
		else if (retryAfter !== undefined && retryAfter !== false)
			answer.headers['retry-after'] = String(seconds);
		return answer;
	}
}
