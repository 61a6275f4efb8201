/** A limit as a service keeps it. Times are milliseconds by the service's clock, and never go back. */
export interface ServiceLimit {
	/** Admits the cost if there is room, otherwise refuses it. */
	admit(atMs: number, cost: number): boolean;
	/** When a request of this cost would be admitted, if none came before it. */
	nextAdmissionMs(atMs: number, cost: number): number;
}

interface LimitNumbers {
	/** What may get through in a minute, at a given time. */
	perMinute: (atMs: number) => number;
	/** Of a bucket: how much it holds. It is full at the start. */
	burst: number;
	/** Of a window: its length. */
	windowMs: number;
	/** Of a fixed window: when one begins. */
	edgeMs: number;
}

const MINUTE_MS = 60_000;

export const LIMITS = {
	none: (): ServiceLimit => ({ admit: () => true, nextAdmissionMs: (atMs) => atMs }),
	bucket: (numbers: LimitNumbers): ServiceLimit => new Bucket(numbers),
	fixed: (numbers: LimitNumbers): ServiceLimit => new FixedWindow(numbers),
	sliding: (numbers: LimitNumbers): ServiceLimit => new SlidingWindow(numbers),
};

/** It fills at its limit, and holds a burst. */
class Bucket implements ServiceLimit {
	private level: number;

	private levelAtMs = 0;

	constructor(private readonly numbers: LimitNumbers) {
		this.level = numbers.burst;
	}

	admit(atMs: number, cost: number): boolean {
		this.fill(atMs);
		const isAdmitted = this.level >= cost - 1e-6;
		if (isAdmitted) this.level -= cost;
		return isAdmitted;
	}

	nextAdmissionMs(atMs: number, cost: number): number {
		this.fill(atMs);
		if (this.level >= cost - 1e-6) return atMs;
		return atMs + ((cost - this.level) * MINUTE_MS) / this.numbers.perMinute(atMs);
	}

	private fill(atMs: number): void {
		const { perMinute, burst } = this.numbers;
		const filled = ((atMs - this.levelAtMs) * perMinute(atMs)) / MINUTE_MS;
		this.level = Math.min(burst, this.level + filled);
		this.levelAtMs = atMs;
	}
}

/** A maximum in each window. */
class FixedWindow implements ServiceLimit {
	private used = 0;

	private window = -Infinity;

	constructor(private readonly numbers: LimitNumbers) {}

	admit(atMs: number, cost: number): boolean {
		const isAdmitted = this.nextAdmissionMs(atMs, cost) <= atMs;
		if (isAdmitted) this.used += cost;
		return isAdmitted;
	}

	nextAdmissionMs(atMs: number, cost: number): number {
		const { perMinute, windowMs, edgeMs } = this.numbers;
		// The quotient of an edge may be slightly below a whole number.
		const window = Math.floor((atMs - edgeMs) / windowMs + 1e-9);
		if (window !== this.window) this.used = 0;
		this.window = window;
		const hasRoom = this.used + cost <= (perMinute(atMs) * windowMs) / MINUTE_MS;
		return hasRoom ? atMs : edgeMs + (window + 1) * windowMs;
	}
}

/** A maximum in any span of the window's length. */
class SlidingWindow implements ServiceLimit {
	private readonly admitted: Array<{ atMs: number; cost: number }> = [];

	private used = 0;

	constructor(private readonly numbers: LimitNumbers) {}

	admit(atMs: number, cost: number): boolean {
		const isAdmitted = this.nextAdmissionMs(atMs, cost) <= atMs;
		if (isAdmitted) {
			this.admitted.push({ atMs, cost });
			this.used += cost;
		}
		return isAdmitted;
	}

	nextAdmissionMs(atMs: number, cost: number): number {
		const { perMinute, windowMs } = this.numbers;
		while (this.admitted.length > 0 && this.admitted[0]!.atMs + windowMs <= atMs) {
			this.used -= this.admitted.shift()!.cost;
		}
		let excess = this.used + cost - (perMinute(atMs) * windowMs) / MINUTE_MS;
		if (excess <= 0) return atMs;
		for (const entry of this.admitted) {
			excess -= entry.cost;
			if (excess <= 0) return entry.atMs + windowMs;
		}
		return Infinity;
	}
}
