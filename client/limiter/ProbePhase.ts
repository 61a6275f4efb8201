import type { SentRequest } from './SentRequest';

/** The first probe waits so long, and the waits between probes double from there. */
const FIRST_PROBE_MS = 500;

/** When a window of a minute ends, the next probe comes at most 8 s later, so that at most a seventh of the new window is lost. */
const MAX_PROBE_GAP_MS = 8000;

/** A request in flight usually has its outcome by this time after the start of the request that got a first 429. */
const MAX_WAIT_FOR_OUTCOME_MS = 2000;

/**
 * One probe got through, so a bucket refilled one request since the probe before. As gaps double, that gap is half of the phase or
 * more, and the rate at most two requests per phase.
 */
const PROBES_PER_PHASE = 2;

/**
 * A longer phase says nothing about the rate: it was probably the rest of a window, or others took what was free. Two requests in
 * ten seconds are fewer than the lowest rate that is used at all.
 */
const MAX_PHASE_SHOWING_RATE_MS = 10_000;

/** After a phase of over half a minute, a window of a minute has probably ended, as the service's limits are per minute. */
const MIN_REST_OF_WINDOW_MS = 30_000;

/** Lets only single probes start from a 429 until a request succeeds. */
export class ProbePhase {
	private probe: SentRequest | undefined;

	private refusedProbes = 0;

	private hasRetryAfter = false;

	private nextProbeMs: number;

	/**
	 * Begins the phase.
	 * @param first the request that was refused
	 * @param mayBeChance whether the 429 may be chance, because no limit is known yet
	 */
	constructor(
		private readonly first: SentRequest,
		private mayBeChance: boolean,
		readonly beganMs: number,
		private readonly random: () => number,
	) {
		this.nextProbeMs = beganMs;
	}

	/**
	 * Returns when the next request may start. It is Infinity if a probe has to end first.
	 * @param isFresh whether the item of that request has not failed since it last succeeded
	 * @param isSending whether requests are in flight, whose outcomes may show that the 429 was chance
	 */
	nextStartMs(isFresh: boolean, isSending: boolean): number {
		if (this.probe) return Infinity;
		if (!this.mayBeChance) return this.nextProbeMs;
		const dueMs = isFresh ? -Infinity : this.nextProbeMs;
		return isSending ? Math.max(dueMs, this.first.startMs + MAX_WAIT_FOR_OUTCOME_MS) : dueMs;
	}

	started(request: SentRequest): void {
		this.probe = request;
	}

	/**
	 * Lets another probe start if this request was the probe.
	 * @returns whether it was
	 */
	unrelated(request: SentRequest): boolean {
		if (this.probe !== request) return false;
		this.probe = undefined;
		return true;
	}

	/** Returns whether a request that was admitted shows that the first 429 was chance. */
	isChanceAfter(request: SentRequest): boolean {
		return this.mayBeChance && request.index > this.first.index;
	}

	isProbe(request: SentRequest): boolean {
		return this.probe === request;
	}

	/** Returns whether the request is of the item that was refused first, so that its 429 may be the item's own fault. */
	isOfFirstItem(request: SentRequest): boolean {
		return request.item === this.first.item;
	}

	/** Returns whether a 429 shows that the first one was not chance: it is of another item, and was sent later. */
	isConfirmedBy(request: SentRequest): boolean {
		return !this.isOfFirstItem(request) && request.index > this.first.index;
	}

	/**
	 * Rules out chance: from now on probes keep their gaps, and only an admitted probe ends the phase, not a request that was already
	 * in flight.
	 */
	confirm(): void {
		this.mayBeChance = false;
	}

	/**
	 * Returns the rate, per millisecond, that the length of the phase shows once a probe was admitted: a bucket that had to refill for
	 * a second admits one request per second. A `Retry-After` says nothing, because many services always ask for the same time.
	 */
	shownRate(admittedProbe: SentRequest): number {
		const lengthMs = admittedProbe.startMs - this.first.startMs;
		const showsRate = !this.hasRetryAfter && lengthMs <= MAX_PHASE_SHOWING_RATE_MS;
		return showsRate ? PROBES_PER_PHASE / lengthMs : Infinity;
	}

	/** Returns whether the phase was so long, once a probe was admitted, that a new window has probably begun. */
	wasRestOfWindow(admittedProbe: SentRequest): boolean {
		return admittedProbe.startMs - this.first.startMs > MIN_REST_OF_WINDOW_MS;
	}

	/** Plans the next probe after a 429. */
	refused(request: SentRequest, now: number, pauseMs: number): void {
		if (pauseMs > 0) this.hasRetryAfter = true;
		if (this.unrelated(request)) this.refusedProbes++;
		const gapMs = Math.min(MAX_PROBE_GAP_MS, FIRST_PROBE_MS * 2 ** this.refusedProbes);
		// The jitter keeps several processes from probing at the same time.
		const earliestMs = request.startMs + gapMs * (0.9 + 0.2 * this.random());
		this.nextProbeMs = Math.max(this.nextProbeMs, earliestMs, now + pauseMs);
	}
}
