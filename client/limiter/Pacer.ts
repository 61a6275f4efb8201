import type { Clock } from '../Clock';

/** Growth of the pace while all goes well, in requests per second, each second. */
const PACE_GROWTH = 0.5;

/** A timer that fires late must not slow the pace down. */
const MOST_CATCHING_UP_MS = 50;

/**
 * AIMD as in TCP, after Netflix's concurrency-limits: a refusal halves the number in flight, and requests then start at
 * the pace at which they got through between the last two refusals, the pause included: that is the limit's own rate,
 * whatever burst it allows. Both grow additively from there.
 */
export class Pacer {
	/** Counts the refusals that were news: those of requests started since the one before. */
	epoch = 0;

	/** Requests in flight. */
	maxInFlight = Infinity;

	/** When the next request may start, by the clock. */
	nextStartMs = 0;

	/** Requests that got through since `maxInFlight` last grew. */
	private throughSinceGrowth = 0;

	/** Requests per second at `paceSetAtMs`. */
	private pace = Infinity;

	private paceSetAtMs = 0;

	/** Requests started since `measuringSinceMs`, without the refused. */
	private started = 0;

	private measuringSinceMs: number;

	/** What got through between the last two refusals. */
	private measured = { requests: 0, seconds: 0 };

	constructor(private readonly clock: Clock) {
		this.measuringSinceMs = clock.now();
	}

	start(): void {
		const now = this.clock.now();
		this.started++;
		this.nextStartMs = Math.max(this.nextStartMs, now - MOST_CATCHING_UP_MS) + 1000 / this.paceAt(now);
	}

	/** A request of the present epoch got through. */
	succeeded(): void {
		this.throughSinceGrowth++;
		if (this.throughSinceGrowth < this.maxInFlight) return;
		this.maxInFlight++;
		this.throughSinceGrowth = 0;
	}

	/**
	 * A request was refused.
	 * @param epoch in which it started
	 * @param inFlight how many requests were, itself included
	 */
	throttled(epoch: number, isProbe: boolean, inFlight: number): void {
		if (isProbe) this.started--;
		else if (epoch === this.epoch) this.slowDown(inFlight);
		else if (epoch === this.epoch - 1) this.correctMeasurement();
	}

	/** The pace counts from then on. */
	resumeAt(atMs: number): void {
		this.paceSetAtMs = atMs;
		this.nextStartMs = atMs;
	}

	private slowDown(inFlight: number): void {
		const now = this.clock.now();
		// What is in flight now started earlier than the refused request, so most of it will get through.
		this.measured = { requests: this.started - 1, seconds: (now - this.measuringSinceMs) / 1000 };
		this.takeMeasuredPace();
		this.epoch++;
		this.started = 0;
		this.measuringSinceMs = now;
		this.maxInFlight = Math.max(1, Math.floor(Math.min(this.maxInFlight, inFlight) / 2));
		this.throughSinceGrowth = 0;
	}

	/** A request that was counted among those that got through was refused too. */
	private correctMeasurement(): void {
		this.measured.requests--;
		this.takeMeasuredPace();
	}

	private takeMeasuredPace(): void {
		const { requests, seconds } = this.measured;
		if (requests > 0 && seconds > 0) this.pace = requests / seconds;
	}

	private paceAt(now: number): number {
		return this.pace + (PACE_GROWTH * Math.max(0, now - this.paceSetAtMs)) / 1000;
	}
}
