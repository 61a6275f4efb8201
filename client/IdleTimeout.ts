import type { Clock } from './Clock';

const ATTEMPT_OVER = new Error('The attempt is over');

/**
 * Aborts one attempt when nothing has happened for its timeout, when its deadline has passed, when the whole call is aborted,
 * or when it is left before its response was complete: an open response would keep its connection.
 */
export class IdleTimeout {
	/** What has ended the attempt, if one of the two has. */
	expired: 'timeout' | 'deadline' | undefined;

	private readonly attempt = new AbortController();

	private readonly over = new AbortController();

	private isComplete = false;

	private dueMs = 0;

	private deadlineMs = Infinity;

	private pausedSinceMs: number | undefined;

	private readonly followCall = () => this.attempt.abort(this.callSignal.reason);

	/**
	 * @param timeoutMs how long nothing may happen
	 * @param callSignal ends the attempt too; not aborted yet
	 */
	constructor(
		private readonly clock: Clock,
		readonly timeoutMs: number,
		private readonly callSignal: AbortSignal,
	) {
		callSignal.addEventListener('abort', this.followCall);
		this.refresh();
		void this.run();
	}

	/** Aborted when the attempt must end. */
	get signal(): AbortSignal {
		return this.attempt.signal;
	}

	/** Something happened: the timeout starts again. */
	refresh(): void {
		this.dueMs = this.clock.now() + this.timeoutMs;
	}

	/**
	 * Ends the attempt after these milliseconds, whatever happens; in place of the deadline set before.
	 * @param milliseconds no fewer than the timeout's
	 */
	setDeadline(milliseconds: number): void {
		this.deadlineMs = this.clock.now() + milliseconds;
	}

	/** Until the timeout is resumed, the time that passes is not the service's. */
	pause(): void {
		this.pausedSinceMs = this.clock.now();
	}

	resume(): void {
		if (this.pausedSinceMs !== undefined) this.deadlineMs += this.clock.now() - this.pausedSinceMs;
		this.pausedSinceMs = undefined;
		this.refresh();
	}

	/** The response has arrived as a whole. */
	complete(): void {
		this.isComplete = true;
	}

	/** Ends the attempt at once. */
	abort(reason: Error): void {
		this.attempt.abort(reason);
	}

	/** The attempt is over for its caller, and ends for good within these milliseconds. */
	stopWithin(milliseconds: number): void {
		this.clock.wait(milliseconds, this.over.signal).then(
			() => this.stop(),
			() => {},
		);
	}

	/** The attempt is over. */
	stop(): void {
		this.callSignal.removeEventListener('abort', this.followCall);
		this.over.abort(ATTEMPT_OVER);
		if (!this.isComplete) this.attempt.abort(ATTEMPT_OVER);
	}

	private get leftMs(): number {
		if (this.pausedSinceMs !== undefined) return this.timeoutMs;
		return Math.min(this.dueMs, this.deadlineMs) - this.clock.now();
	}

	private async run(): Promise<void> {
		try {
			do {
				await this.clock.wait(Math.max(0, this.leftMs), this.over.signal);
				// Where the process was busy, what has come meanwhile is read first.
				if (this.leftMs <= 0) {
					await this.clock.wait(0, this.over.signal);
				}
			} while (this.leftMs > 0);
		} catch {
			return;
		}
		this.expired = this.clock.now() >= this.deadlineMs ? 'deadline' : 'timeout';
		this.attempt.abort();
	}
}
