import type { Clock } from '../Clock';
import { isPerDay, ServiceError } from '../ServiceError';
import { Pacer } from './Pacer';
import { Pause } from './Pause';
import type { Permit } from './Permit';
import type { WaitBudget } from './WaitBudget';

const TIMER_NOT_NEEDED = new Error('The timer is not needed any more');

interface Waiter {
	budget: WaitBudget;
	/** `pausedMs` of the limiter when the waiter came. */
	pausedMsBefore: number;
	start: (permit: Permit) => void;
	fail: (error: Error) => void;
}

/**
 * Lets requests start no faster than the service allows. One limiter serves all calls of a node's execution: what one of
 * them learns of the limit holds for all. A refusal (429) pauses everything, and what follows is paced. Unlike AWS's
 * adaptive mode, it has nothing start within the pause, and probes where the service does not say how long that is.
 */
export class Limiter {
	/** Refusals so far. */
	refusals = 0;

	private readonly queue: Waiter[] = [];

	private inFlight = 0;

	/** Set once no call that has not started may start any more. */
	private closedBy: ServiceError | undefined;

	private lastRefusal: ServiceError | undefined;

	private readonly pacer: Pacer;

	private readonly pause: Pause;

	/** When the queue is looked at again, by the clock. */
	private wakeAtMs = Infinity;

	private timer = new AbortController();

	/** @param random from 0 (inclusive) to 1 (exclusive) */
	constructor(
		private readonly clock: Clock,
		random: () => number,
	) {
		this.pacer = new Pacer(clock);
		this.pause = new Pause(clock, random);
	}

	/** Milliseconds for which nothing could start, so far. */
	get pausedMs(): number {
		return this.pause.totalMs;
	}

	/**
	 * Waits until a request may start.
	 * @throws ServiceError the refusal that leaves the call no chance
	 * @throws the signal's reason after an abort
	 */
	async acquire(budget: WaitBudget, signal: AbortSignal): Promise<Permit> {
		signal.throwIfAborted();
		if (this.closedBy && budget.attempts === 0) throw refusalFor(budget, this.closedBy);
		if (this.queue.length === 0 && this.isOpen()) return this.admit(budget);
		return await this.queueUp(budget, signal);
	}

	private async queueUp(budget: WaitBudget, signal: AbortSignal): Promise<Permit> {
		return await new Promise<Permit>((resolve, reject) => {
			const abort = () => {
				this.queue.splice(this.queue.indexOf(waiter), 1);
				this.dispatch();
				reject(signal.reason as Error);
			};
			const settle = () => {
				signal.removeEventListener('abort', abort);
				budget.waitedMs += this.pausedMs - waiter.pausedMsBefore;
			};
			const waiter: Waiter = {
				budget,
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
			this.dispatch();
		});
	}

	private admit(budget: WaitBudget): Permit {
		const isProbe = this.pause.start();
		const { epoch } = this.pacer;
		this.pacer.start();
		this.inFlight++;
		budget.attempts++;
		return {
			succeeded: () => this.succeeded(epoch, isProbe),
			throttled: (refusal) => this.throttled(epoch, isProbe, refusal, budget),
			released: () => {
				this.leave(isProbe);
				this.dispatch();
			},
		};
	}

	private succeeded(epoch: number, isProbe: boolean): void {
		this.leave(isProbe);
		if (isProbe) {
			this.pause.endProbing();
			this.resume();
		}
		if (epoch === this.pacer.epoch) {
			this.pause.succeeded();
			this.pacer.succeeded();
		}
		this.dispatch();
	}

	private throttled(epoch: number, isProbe: boolean, refusal: ServiceError, budget: WaitBudget): boolean {
		const { limit, retryAfterMs } = refusal.facts;
		const inFlight = this.inFlight;
		this.refusals++;
		this.leave(isProbe);
		if (isPerDay(limit)) {
			this.close(refusal);
			this.dispatch();
			return false;
		}
		const isNews = epoch === this.pacer.epoch;
		this.pacer.throttled(epoch, isProbe, inFlight);
		if (this.pause.throttled(retryAfterMs, isNews)) this.resume();
		if (retryAfterMs !== undefined && retryAfterMs > budget.leftMs) this.close(refusal);
		this.lastRefusal = refusal;
		this.dispatch();
		return retryAfterMs === undefined ? budget.leftMs > 0 : this.pause.leftMs <= budget.leftMs;
	}

	private leave(isProbe: boolean): void {
		this.inFlight--;
		if (isProbe) this.pause.takeBackProbe();
	}

	private resume(): void {
		this.pacer.resumeAt(Math.max(this.clock.now(), this.pause.untilMs));
	}

	private close(refusal: ServiceError): void {
		this.closedBy = refusal;
		this.failWaiting(({ budget }) => budget.attempts === 0, refusal);
	}

	/**
	 * Fails the waiting calls that have no time left: before a pause of known length those whose time will be over before
	 * the pause is, in a back-off, which may be longer than it need be, those whose time is over now.
	 */
	private failThoseOutOfTime(): void {
		const pauseMs = this.pause.leftMs;
		if (!this.lastRefusal || pauseMs <= 0) return;
		const neededMs = this.pause.isGuess ? 1 : pauseMs;
		this.failWaiting((waiter) => this.leftMsOf(waiter) < neededMs, this.lastRefusal);
	}

	private failWaiting(isHopeless: (waiter: Waiter) => boolean, refusal: ServiceError): void {
		for (const waiter of this.queue.filter(isHopeless)) {
			this.queue.splice(this.queue.indexOf(waiter), 1);
			waiter.fail(refusalFor(waiter.budget, refusal));
		}
	}

	private leftMsOf({ budget, pausedMsBefore }: Waiter): number {
		return budget.leftMs - (this.pausedMs - pausedMsBefore);
	}

	/** Does for the waiting calls what can be done now. */
	private dispatch(): void {
		this.failThoseOutOfTime();
		while (this.queue.length > 0) {
			const now = this.clock.now();
			const startMs = this.earliestStartMs;
			if (startMs > now) {
				const leftMs = this.pause.leftMs > 0 ? this.queue.map((waiter) => this.leftMsOf(waiter)) : [];
				return this.wakeAt(Math.min(startMs, ...leftMs.map((left) => now + left)));
			}
			if (!this.isOpen()) break;
			const { budget, start } = this.queue.shift()!;
			start(this.admit(budget));
		}
		this.wakeAt(Infinity);
	}

	private get earliestStartMs(): number {
		return Math.max(this.pause.untilMs, this.pacer.nextStartMs);
	}

	/** Whether a request may start now. */
	private isOpen(): boolean {
		if (this.earliestStartMs > this.clock.now()) return false;
		return this.inFlight < Math.min(this.pause.maxInFlight, this.pacer.maxInFlight);
	}

	/** Looks at the queue again then, and at no other time that was set before. */
	private wakeAt(atMs: number): void {
		if (atMs === this.wakeAtMs) return;
		this.timer.abort(TIMER_NOT_NEEDED);
		this.wakeAtMs = atMs;
		if (atMs === Infinity) return;
		this.timer = new AbortController();
		this.clock.wait(atMs - this.clock.now(), this.timer.signal).then(
			() => {
				this.wakeAtMs = Infinity;
				this.dispatch();
			},
			() => {},
		);
	}
}

/** A call that is turned away has sent nothing since its last attempt: the trace ID is another call's. */
function refusalFor({ attempts }: WaitBudget, { facts }: ServiceError): ServiceError {
	return new ServiceError({ ...facts, traceId: undefined, attempts });
}
