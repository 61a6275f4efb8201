import type { FixedWindowRules, RateLimit, SlidingWindowRules, TokenBucketRules } from './RateLimit';

/** Measures what has been used of one limit. Times are Unix milliseconds that never go back. */
export interface Meter {
	/** Milliseconds until the next request is admitted; 0 for now, Infinity for never. */
	waitMs(nowMs: number): number;
	add(amount: number, nowMs: number): void;
}

/** A meter for a limit, with nothing used. */
export function createMeter(rateLimit: RateLimit, nowMs: number): Meter {
	switch (rateLimit.kind) {
		case 'fixed-window':
			return new FixedWindow(rateLimit);
		case 'sliding-window':
			return new SlidingWindow(rateLimit);
		default:
			return new TokenBucket(rateLimit, nowMs);
	}
}

class TokenBucket implements Meter {
	private level: number;
	private filledAtMs: number;

	constructor(
		private readonly rules: TokenBucketRules,
		nowMs: number,
	) {
		this.level = rules.burst;
		this.filledAtMs = nowMs;
	}

	waitMs(nowMs: number): number {
		this.fill(nowMs);
		return this.level >= 1 ? 0 : ((1 - this.level) / this.rules.perSecond) * 1000;
	}

	add(amount: number, nowMs: number): void {
		this.fill(nowMs);
		this.level -= amount;
	}

	private fill(nowMs: number): void {
		const { perSecond, burst } = this.rules;
		this.level = Math.min(burst, this.level + ((nowMs - this.filledAtMs) / 1000) * perSecond);
		this.filledAtMs = nowMs;
	}
}

class FixedWindow implements Meter {
	private used = 0;
	private startMs = -Infinity;

	constructor(private readonly rules: FixedWindowRules) {}

	waitMs(nowMs: number): number {
		this.turn(nowMs);
		if (this.rules.max <= 0) return Infinity;
		return this.used < this.rules.max ? 0 : this.startMs + this.rules.windowMs - nowMs;
	}

	add(amount: number, nowMs: number): void {
		this.turn(nowMs);
		if (this.startMs === -Infinity) this.startMs = nowMs;
		this.used += amount;
	}

	private turn(nowMs: number): void {
		const { windowMs, startsAt } = this.rules;
		if (nowMs < this.startMs + windowMs) return;
		this.used = 0;
		this.startMs = startsAt === 'clock' ? Math.floor(nowMs / windowMs) * windowMs : -Infinity;
	}
}

class SlidingWindow implements Meter {
	private readonly entries: { amount: number; atMs: number }[] = [];
	private used = 0;

	constructor(private readonly rules: SlidingWindowRules) {}

	waitMs(nowMs: number): number {
		this.forget(nowMs);
		const { max, windowMs } = this.rules;
		if (max <= 0) return Infinity;
		let left = this.used;
		for (const { amount, atMs } of this.entries) {
			if (left < max) break;
			left -= amount;
			if (left < max) return atMs + windowMs - nowMs;
		}
		return 0;
	}

	add(amount: number, nowMs: number): void {
		this.forget(nowMs);
		this.entries.push({ amount, atMs: nowMs });
		this.used += amount;
	}

	private forget(nowMs: number): void {
		const firstKept = this.entries.findIndex(({ atMs }) => atMs > nowMs - this.rules.windowMs);
		const gone = this.entries.splice(0, firstKept < 0 ? this.entries.length : firstKept);
		this.used -= gone.reduce((sum, { amount }) => sum + amount, 0);
	}
}
