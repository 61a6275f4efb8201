import { type EmulatedResponse, rateLimited } from './EmulatedResponse';
import { createMeter, type Meter } from './Meter';
import type { RateLimit, RefusalRules } from './RateLimit';

const LONGEST_RETRY_AFTER_S = 86_400;
const ANY_SCOPE = '';

/**
 * Checks requests against a rate limit. It has no clock: times are Unix milliseconds that never go back, so a simulation can
 * use its own.
 */
export class RateLimiter {
	private readonly meters = new Map<string, Meter>();

	constructor(private readonly rateLimit: RateLimit) {}

	/**
	 * Asks for one request of a model, or of a path without one. Returns 0 when it passes, otherwise the milliseconds
	 * until one would, or Infinity if none ever will.
	 */
	take(scope: string, nowMs: number): number {
		const meter = this.meterOf(scope, nowMs);
		const waitMs = meter.waitMs(nowMs);
		if (waitMs > 0) {
			if (!countsRefused(this.rateLimit)) return waitMs;
			meter.add(1, nowMs);
			return meter.waitMs(nowMs);
		}
		if (this.rateLimit.counts !== 'tokens') meter.add(1, nowMs);
		return 0;
	}

	/** Counts the tokens of a request that has passed. */
	spend(scope: string, tokens: number, nowMs: number): void {
		if (this.rateLimit.counts === 'tokens') this.meterOf(scope, nowMs).add(tokens, nowMs);
	}

	/** The 429 for a request that would have to wait this long. */
	refusal(waitMs: number, nowMs: number): EmulatedResponse {
		const response = rateLimited(this.rateLimit.limit);
		const retryAfter = retryAfterOf(this.rateLimit.retryAfter, waitMs, nowMs);
		return retryAfter === undefined
			? response
			: { ...response, headers: { ...response.headers, 'retry-after': retryAfter } };
	}

	private meterOf(scope: string, nowMs: number): Meter {
		const name = this.rateLimit.perModel === true ? scope : ANY_SCOPE;
		const meter = this.meters.get(name) ?? createMeter(this.rateLimit, nowMs);
		this.meters.set(name, meter);
		return meter;
	}
}

function countsRefused(rateLimit: RateLimit): boolean {
	return (
		rateLimit.kind === 'sliding-window' && rateLimit.countsRefused === true && rateLimit.counts !== 'tokens'
	);
}

function retryAfterOf(
	retryAfter: RefusalRules['retryAfter'],
	waitMs: number,
	nowMs: number,
): string | undefined {
	const longestMs = LONGEST_RETRY_AFTER_S * 1000;
	// A date has no fractions of a second, and following a date that is too early would not help.
	const moment = new Date(Math.ceil((nowMs + Math.min(waitMs, longestMs)) / 1000) * 1000);
	switch (retryAfter) {
		case undefined:
		case false:
			return undefined;
		case true:
			return String(Math.min(LONGEST_RETRY_AFTER_S, Math.max(1, Math.ceil(waitMs / 1000))));
		case 'date':
			return moment.toUTCString();
		default:
			return String(retryAfter);
	}
}
