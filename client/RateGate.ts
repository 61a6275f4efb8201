import { Alarm } from './Alarm';
import { backOff } from './backOff';
import type { Clock } from './Clock';
import type { ServiceError } from './ServiceError';

/** Growth of the pace while all goes well, in requests per second, each second. */
const PACE_GROWTH = 0.5;

/** How long the calls of one item have waited for rate limits so far, and how long they may. */
export class Ticket {
	waitedMs = 0;

	/** Whether a request has been let through. */
	started = false;

	/** Requests sent so far. */
	attempts = 0;

	constructor(readonly maxWaitMs: number) {}

	get leftMs(): number {
		return this.maxWaitMs - this.waitedMs;
	}
}

interface Waiter {
	ticket: Ticket;
	/** `pausedMs` of the gate when the waiter came. */
	pausedMsBefore: number;
	start: (permit: Permit) => void;
	fail: (error: Error) => void;
}

/**
 * Lets requests start no faster than the service allows. One gate serves all calls of a node's execution: what one of
 * them learns of the limit holds for all.
 *
 * A refusal (429) pauses everything, for as long as the service says or else a back-off that ends with a single probe.
 * Then the number in flight is halved, and requests start at the pace at which they got through between the last two
 * refusals, the pause included: that is the limit's own rate, whatever burst it allows. Both grow additively from there.
 */
export class RateGate {
	/** Refusals so far. */
	refusals = 0;

	private readonly queue: Waiter[] = [];

	private inFlight = 0;

	private maxInFlight = Infinity;

	/** Requests that got through since `maxInFlight` last grew. */
	private throughSinceGrowth = 0;

	/** Requests per second at `paceSetAtMs`. */
	private pace = Infinity;

	private paceSetAtMs = 0;

	private nextStartMs = 0;

	/** Requests started since `learningSinceMs`, without the refused. */
	private started = 0;

	private learningSinceMs: number;

	/** What went through between the last two refusals. */
	private learned = { requests: 0, seconds: 0 };

	/** Counts the refusals that were news: those of requests started since the one before. */
	private epoch = 0;

	private pauseFromMs = 0;

	private pauseUntilMs = 0;

	private endedPausesMs = 0;

	/** `due` after a pause of unknown length: the next request goes alone. */
	private probe: 'none' | 'due' | 'out' = 'none';

	/** Refusals that were news since a request last got through. */
	private refusedInARow = 0;

	/** Set once no call that has not started may start any more. */
	private shutBy: ServiceError | undefined;

	private lastRefusal: ServiceError | undefined;

	private readonly alarm: Alarm;

	constructor(
		private readonly clock: Clock,
		private readonly random: () => number,
	) {
		this.learningSinceMs = clock.now();
		this.alarm = new Alarm(clock, () => this.dispatch());
	}

	/** Milliseconds for which nothing could start, so far. */
	get pausedMs(): number {
		const now = this.clock.now();
		return this.endedPausesMs + Math.max(0, Math.min(now, this.pauseUntilMs) - this.pauseFromMs);
	}

	/**
	 * Waits until a request may start.
	 * @throws ServiceError the refusal that leaves the call no chance
	 * @throws the signal's reason after an abort
	 */
	async enter(ticket: Ticket, signal: AbortSignal): Promise<Permit> {
		signal.throwIfAborted();
		if (this.shutBy && !ticket.started) throw this.shutBy;
		if (this.queue.length === 0 && this.isOpen()) return this.admit(ticket);
		return await new Promise<Permit>((resolve, reject) => {
			const abort = () => {
				this.queue.splice(this.queue.indexOf(waiter), 1);
				reject(signal.reason as Error);
			};
			const settle = () => {
				signal.removeEventListener('abort', abort);
				ticket.waitedMs += this.pausedMs - waiter.pausedMsBefore;
			};
			const waiter: Waiter = {
				ticket,
				pausedMsBefore: this.pausedMs,
				start: (permit) => {
					settle();
					resolve(permit);
				},
				fail: (error) => {
					settle();
					reject(error);
				},
			};
			signal.addEventListener('abort', abort, { once: true });
			this.queue.push(waiter);
			this.failThoseOutOfTime();
			this.dispatch();
		});
	}

	/** A request got past the rate limit. */
	passed(permit: Permit): void {
		this.leave(permit);
		if (permit.isProbe) {
			this.probe = 'none';
			this.resume();
		}
		if (permit.epoch === this.epoch) {
			this.refusedInARow = 0;
			this.growInFlight();
		}
		this.dispatch();
	}

	/** A request ended without telling anything about the rate limit. */
	ended(permit: Permit): void {
		this.leave(permit);
		this.dispatch();
	}

	/**
	 * A request was refused with 429.
	 * @param refusal what the service said
	 * @returns whether the call may enter again
	 */
	refused(permit: Permit, refusal: ServiceError, ticket: Ticket): boolean {
		this.refusals++;
		const { limit, retryAfterMs } = refusal.facts;
		const isNews = permit.epoch === this.epoch;
		const inFlightBefore = this.inFlight;
		this.leave(permit);
		if (limit?.endsWith('D')) {
			this.shut(refusal);
			this.dispatch();
			return false;
		}
		if (permit.isProbe) this.started--;
		else if (isNews) this.learn(inFlightBefore);
		else if (permit.epoch === this.epoch - 1) this.learnOfStraggler();
		if (isNews) this.refusedInARow++;
		if (retryAfterMs !== undefined) this.pause(this.atLeast(retryAfterMs), 'none');
		else if (isNews) this.pause(backOff(this.refusedInARow, this.random), 'due');

		if (retryAfterMs !== undefined && retryAfterMs > ticket.leftMs) this.shut(refusal);
		this.lastRefusal = refusal;
		this.failThoseOutOfTime();
		this.dispatch();
		return retryAfterMs === undefined
			? ticket.leftMs > 0
			: this.pauseUntilMs - this.clock.now() <= ticket.leftMs;
	}

	private growInFlight(): void {
		this.throughSinceGrowth++;
		if (this.throughSinceGrowth < this.maxInFlight) return;
		this.maxInFlight++;
		this.throughSinceGrowth = 0;
	}

	private learn(inFlightBefore: number): void {
		const now = this.clock.now();
		// What is in flight now started earlier than the refused request, so most of it will get through.
		this.learned = { requests: this.started - 1, seconds: (now - this.learningSinceMs) / 1000 };
		this.takeLearnedPace();
		this.epoch++;
		this.started = 0;
		this.learningSinceMs = now;
		this.maxInFlight = Math.max(1, Math.floor(Math.min(this.maxInFlight, inFlightBefore) / 2));
		this.throughSinceGrowth = 0;
	}

	private learnOfStraggler(): void {
		this.learned.requests--;
		this.takeLearnedPace();
	}

	private takeLearnedPace(): void {
		const { requests, seconds } = this.learned;
		if (requests > 0 && seconds > 0) this.pace = requests / seconds;
	}

	/** "Retry after 0 seconds", or at a time that is over, would have a request sent again and again without end. */
	private atLeast(retryAfterMs: number): number {
		if (retryAfterMs >= SHORTEST_REPEATED_PAUSE_MS || this.refusedInARow <= 1) return retryAfterMs;
		return SHORTEST_REPEATED_PAUSE_MS + backOff(this.refusedInARow - 1, this.random);
	}

	private pause(milliseconds: number, probe: 'none' | 'due'): void {
		const now = this.clock.now();
		if (now >= this.pauseUntilMs) {
			this.endedPausesMs += this.pauseUntilMs - this.pauseFromMs;
			this.pauseFromMs = now;
			this.pauseUntilMs = now;
		}
		this.pauseUntilMs = Math.max(this.pauseUntilMs, now + milliseconds);
		this.probe = probe;
		this.resume();
	}

	/** The pace counts from the end of the pause. */
	private resume(): void {
		this.paceSetAtMs = Math.max(this.clock.now(), this.pauseUntilMs);
		this.nextStartMs = this.paceSetAtMs;
	}

	private shut(refusal: ServiceError): void {
		this.shutBy = refusal;
		this.failWaiting(({ ticket }) => !ticket.started, refusal);
	}

	/**
	 * Fails the waiting calls that have no time left: before a pause of known length those whose time will be over before
	 * the pause is, in a back-off, which may be longer than it need be, those whose time is over now.
	 */
	private failThoseOutOfTime(): void {
		const pauseMs = this.pauseUntilMs - this.clock.now();
		if (!this.lastRefusal || pauseMs <= 0) return;
		const neededMs = this.probe === 'none' ? pauseMs : 1;
		this.failWaiting((waiter) => this.leftMsOf(waiter) < neededMs, this.lastRefusal);
	}

	private leftMsOf({ ticket, pausedMsBefore }: Waiter): number {
		return ticket.leftMs - (this.pausedMs - pausedMsBefore);
	}

	private failWaiting(isHopeless: (waiter: Waiter) => boolean, refusal: ServiceError): void {
		for (const waiter of this.queue.filter(isHopeless)) {
			this.queue.splice(this.queue.indexOf(waiter), 1);
			waiter.fail(refusal);
		}
	}

	private leave(permit: Permit): void {
		this.inFlight--;
		if (permit.isProbe && this.probe === 'out') this.probe = 'due';
	}

	private dispatch(): void {
		while (this.queue.length > 0) {
			const now = this.clock.now();
			const startMs = this.earliestStartMs;
			if (startMs > now) {
				this.failThoseOutOfTime();
				const leftMs = this.pauseUntilMs > now ? this.queue.map((waiter) => this.leftMsOf(waiter)) : [];
				return this.alarm.set(Math.min(startMs, ...leftMs.map((left) => now + left)));
			}
			if (!this.isOpen()) return;
			const { ticket, start } = this.queue.shift()!;
			start(this.admit(ticket));
		}
	}

	private get earliestStartMs(): number {
		return Math.max(this.pauseUntilMs, this.nextStartMs);
	}

	/** Whether a request may start now. */
	private isOpen(): boolean {
		if (this.probe === 'out' || this.earliestStartMs > this.clock.now()) return false;
		return this.inFlight < (this.probe === 'due' ? 1 : this.maxInFlight);
	}

	private admit(ticket: Ticket): Permit {
		const now = this.clock.now();
		const isProbe = this.probe === 'due';
		if (isProbe) this.probe = 'out';
		this.inFlight++;
		this.started++;
		this.nextStartMs = Math.max(this.nextStartMs, now - MOST_CATCHING_UP_MS) + 1000 / this.paceAt(now);
		ticket.started = true;
		return { epoch: this.epoch, isProbe };
	}

	private paceAt(now: number): number {
		return this.pace + (PACE_GROWTH * Math.max(0, now - this.paceSetAtMs)) / 1000;
	}
}

const SHORTEST_REPEATED_PAUSE_MS = 500;

/** A timer that fires late must not slow the pace down. */
const MOST_CATCHING_UP_MS = 50;

/** Leave to send one request. */
export interface Permit {
	epoch: number;
	isProbe: boolean;
}
