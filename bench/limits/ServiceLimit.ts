/**
 * A limit as a service keeps it. Times are milliseconds by the service's clock, and never go back.
 *
 * The emulator's limits (`emulator/Meter.ts`) count tokens after a reply and never change. These change while a simulation
 * runs, know the cost of a request when it arrives, and tell when the ideal sender would have sent it.
 */
export interface ServiceLimit {
	/** Admits the cost if there is room, otherwise refuses it. */
	admit(atMs: number, cost: number): boolean;
	/** When a request of this cost would be admitted, if none came before it. */
	nextAdmissionMs(atMs: number, cost: number): number;
}

/** The limit at a given time, for limits that change. */
export type LimitAt = (atMs: number) => number;

const MINUTE_MS = 60_000;

interface WindowOptions {
	limit: LimitAt;
	/** Whether refused requests count too. */
	countsRefused?: boolean;
	/** Milliseconds; the default is a minute. */
	windowMs?: number | undefined;
}

export class NoLimit implements ServiceLimit {
	admit(): boolean {
		return true;
	}

	nextAdmissionMs(atMs: number): number {
		return atMs;
	}
}

/** Several limits at once. What exceeds one of them is refused, and does not count for the others. */
export class AllLimits implements ServiceLimit {
	/** @param limits `counts` what a request costs there: its tokens, or one */
	constructor(private readonly limits: Array<{ limit: ServiceLimit; counts: 'tokens' | 'requests' }>) {}

	admit(atMs: number, cost: number): boolean {
		if (this.nextAdmissionMs(atMs, cost) > atMs) return false;
		for (const { limit, counts } of this.limits) limit.admit(atMs, counts === 'tokens' ? cost : 1);
		return true;
	}

	nextAdmissionMs(atMs: number, cost: number): number {
		return Math.max(
			...this.limits.map(({ limit, counts }) => limit.nextAdmissionMs(atMs, counts === 'tokens' ? cost : 1)),
		);
	}
}

/** A maximum in each window. The windows begin at an offset on the clock. */
export class ClockWindow implements ServiceLimit {
	private used = 0;

	private window = -1;

	private readonly windowMs: number;

	constructor(private readonly options: WindowOptions & { offsetMs: number }) {
		this.windowMs = options.windowMs ?? MINUTE_MS;
	}

	admit(atMs: number, cost: number): boolean {
		const window = this.windowAt(atMs);
		if (window !== this.window) this.used = 0;
		this.window = window;
		const admitted = this.used + cost <= this.options.limit(atMs);
		if (admitted || this.options.countsRefused) this.used += cost;
		return admitted;
	}

	nextAdmissionMs(atMs: number, cost: number): number {
		const window = this.windowAt(atMs);
		const used = window === this.window ? this.used : 0;
		if (used + cost <= this.options.limit(atMs)) return atMs;
		return (window + 1) * this.windowMs + this.options.offsetMs;
	}

	private windowAt(atMs: number): number {
		// The window includes the moment at which it begins, although the quotient may be slightly below a whole number.
		return Math.floor((atMs - this.options.offsetMs) / this.windowMs + 1e-9);
	}
}

/** A maximum in each window. A window begins with the first request after the previous window is over. */
export class FirstRequestWindow implements ServiceLimit {
	private used = 0;

	private endMs = -Infinity;

	private readonly windowMs: number;

	constructor(private readonly options: WindowOptions) {
		this.windowMs = options.windowMs ?? MINUTE_MS;
	}

	admit(atMs: number, cost: number): boolean {
		if (atMs >= this.endMs) {
			this.used = 0;
			this.endMs = atMs + this.windowMs;
		}
		const admitted = this.used + cost <= this.options.limit(atMs);
		if (admitted || this.options.countsRefused) this.used += cost;
		return admitted;
	}

	nextAdmissionMs(atMs: number, cost: number): number {
		const isOver = atMs >= this.endMs;
		if ((isOver ? 0 : this.used) + cost <= this.options.limit(atMs)) return atMs;
		return isOver ? atMs + this.windowMs : this.endMs;
	}
}

/** A maximum in any span of the window's length. */
export class SlidingWindow implements ServiceLimit {
	private readonly log: Array<{ atMs: number; cost: number }> = [];

	private used = 0;

	private readonly windowMs: number;

	constructor(private readonly options: WindowOptions) {
		this.windowMs = options.windowMs ?? MINUTE_MS;
	}

	admit(atMs: number, cost: number): boolean {
		this.expire(atMs);
		const admitted = this.used + cost <= this.options.limit(atMs);
		if (admitted || this.options.countsRefused) {
			this.log.push({ atMs, cost });
			this.used += cost;
		}
		return admitted;
	}

	nextAdmissionMs(atMs: number, cost: number): number {
		this.expire(atMs);
		let excess = this.used + cost - this.options.limit(atMs);
		if (excess <= 0) return atMs;
		for (const entry of this.log) {
			excess -= entry.cost;
			if (excess <= 0) return entry.atMs + this.windowMs;
		}
		return Infinity;
	}

	private expire(atMs: number): void {
		while (this.log.length > 0 && this.log[0]!.atMs + this.windowMs <= atMs) {
			this.used -= this.log.shift()!.cost;
		}
	}
}

/** A bucket that fills at its limit per minute, and holds a burst. It is full at the start. */
export class TokenBucket implements ServiceLimit {
	private level: number;

	private levelAtMs = 0;

	constructor(private readonly options: WindowOptions & { burst: number }) {
		this.level = options.burst;
	}

	admit(atMs: number, cost: number): boolean {
		this.fill(atMs);
		const admitted = this.level >= cost - 1e-6;
		if (admitted) this.level -= cost;
		else if (this.options.countsRefused) this.level = Math.max(0, this.level - cost);
		return admitted;
	}

	nextAdmissionMs(atMs: number, cost: number): number {
		this.fill(atMs);
		if (this.level >= cost - 1e-6) return atMs;
		return atMs + ((cost - this.level) * MINUTE_MS) / this.options.limit(atMs);
	}

	private fill(atMs: number): void {
		const filled = ((atMs - this.levelAtMs) * this.options.limit(atMs)) / MINUTE_MS;
		this.level = Math.min(this.options.burst, this.level + filled);
		this.levelAtMs = atMs;
	}
}
