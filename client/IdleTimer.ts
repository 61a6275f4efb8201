import type { Clock } from './Clock';

/**
 * Aborts one attempt when nothing has happened for its time-out, when the whole call is aborted, or when it is left
 * before its response was complete: an open response would keep its connection.
 */
export class IdleTimer {
	private readonly attempt = new AbortController();

	private readonly stopped = new AbortController();

	private lastActivityMs: number;

	private isComplete = false;

	private readonly onCallAborted = () => this.attempt.abort(this.callSignal.reason);

	constructor(
		private readonly clock: Clock,
		private readonly timeoutMs: number,
		private readonly callSignal: AbortSignal,
	) {
		this.lastActivityMs = clock.now();
		callSignal.addEventListener('abort', this.onCallAborted);
		if (callSignal.aborted) this.onCallAborted();
		void this.watch();
	}

	/** Aborted when the attempt must end. */
	get signal(): AbortSignal {
		return this.attempt.signal;
	}

	/** Whether it was the timer that ended the attempt. */
	get expired(): boolean {
		return this.attempt.signal.aborted && !this.callSignal.aborted;
	}

	/** Something happened: the time-out begins anew. */
	touch(): void {
		this.lastActivityMs = this.clock.now();
	}

	/** The response has arrived as a whole. */
	complete(): void {
		this.isComplete = true;
	}

	/** To be called when the attempt is over. */
	stop(): void {
		if (!this.isComplete) this.attempt.abort();
		this.callSignal.removeEventListener('abort', this.onCallAborted);
		this.stopped.abort();
	}

	private async watch(): Promise<void> {
		try {
			for (;;) {
				const leftMs = this.lastActivityMs + this.timeoutMs - this.clock.now();
				if (leftMs <= 0) break;
				await this.clock.wait(leftMs, this.stopped.signal);
			}
			this.attempt.abort();
		} catch {
			// Stopped: the attempt was over in time.
		}
	}
}
