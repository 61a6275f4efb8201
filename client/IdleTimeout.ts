import type { Clock } from './Clock';

const ATTEMPT_OVER = new Error('The attempt is over');

/**
 * Aborts one attempt when nothing has happened for its timeout, when the whole call is aborted, or when it is left
 * before its response was complete: an open response would keep its connection.
 */
export class IdleTimeout {
	/** Whether the timeout has ended the attempt. */
	expired = false;

	private readonly attempt = new AbortController();

	private readonly over = new AbortController();

	private isComplete = false;

	private dueMs = 0;

	private readonly followCall = () => this.attempt.abort(this.callSignal.reason);

	/**
	 * @param timeoutMs how long nothing may happen
	 * @param callSignal ends the attempt too; not aborted yet
	 */
	constructor(
		private readonly clock: Clock,
		private readonly timeoutMs: number,
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

	/** Something happened: the timeout begins anew. */
	refresh(): void {
		this.dueMs = this.clock.now() + this.timeoutMs;
	}

	/** The response has arrived as a whole. */
	complete(): void {
		this.isComplete = true;
	}

	/** The attempt is over. */
	stop(): void {
		this.callSignal.removeEventListener('abort', this.followCall);
		this.over.abort(ATTEMPT_OVER);
		if (!this.isComplete) this.attempt.abort(ATTEMPT_OVER);
	}

	private async run(): Promise<void> {
		try {
			for (let leftMs = this.timeoutMs; leftMs > 0; leftMs = this.dueMs - this.clock.now()) {
				await this.clock.wait(leftMs, this.over.signal);
			}
		} catch {
			return;
		}
		this.expired = true;
		this.attempt.abort();
	}
}
