import type { IdleTimeout } from './IdleTimeout';
import { responseError } from './ServiceError';

/**
 * How many bytes, decompressed, may arrive before the result has grown enough. A response without parts has one result, at
 * its end.
 */
const LARGEST_BODY = 16 * 1024 * 1024;

/** In characters. A larger result is an error. */
const LARGEST_RESULT = 16 * 1024 * 1024;

/**
 * How much the result must grow while `LARGEST_BODY` bytes arrive, in characters. An event of a stream takes about a hundred
 * bytes for a few characters of the result.
 */
const LEAST_GROWTH = LARGEST_BODY / 1024;

/** How long it may take until the result has grown, in multiples of the timeout. */
const LONGEST_IN_TIMEOUTS = 10;

/** How long the rest of a response is read after the result is complete. */
const LONGEST_REST_MS = 1000;

/** How much of the rest is read, in bytes. */
const LARGEST_REST = 64 * 1024;

/**
 * A response's bytes as they arrive. Too many bytes are an error, and so is too long a time. The reader may stop at any
 * time, but that does not end the response: whoever sent the request ends it, with `finish` or by aborting.
 */
export class ResponseBody implements AsyncIterableIterator<Uint8Array> {
	/** The bytes received since the result was last measured. */
	private receivedBytes = 0;

	private measure = () => 0;

	/** The size of the result when bytes were last counted, and when the deadline was last extended. */
	private measured = { byBytes: 0, byTime: 0 };

	private readonly iterator: AsyncIterator<Uint8Array>;

	/**
	 * @param chunks of the response whose headers have just arrived
	 * @param timeout of its attempt
	 */
	constructor(
		chunks: AsyncIterable<Uint8Array>,
		private readonly timeout: IdleTimeout,
	) {
		this.iterator = chunks[Symbol.asyncIterator]();
		timeout.refresh();
		timeout.setDeadline(timeout.timeoutMs * LONGEST_IN_TIMEOUTS, () => this.grows('byTime', 1));
	}

	/**
	 * Lets the body continue as long as a result grows. Comments, white space and empty events would otherwise keep a
	 * response open without end.
	 * @param measure gives the size of the result so far, in characters; called seldom
	 */
	measureBy(measure: () => number): void {
		this.measure = measure;
		const size = measure();
		this.measured = { byBytes: size, byTime: size };
	}

	[Symbol.asyncIterator](): this {
		return this;
	}

	/**
	 * Reads what is left after the result, because a connection cannot be reused until its response has been read to the
	 * end. Gives up if that takes long. Never rejects.
	 */
	async finish(): Promise<void> {
		if (!this.timeout.isComplete) {
			this.timeout.resume();
			this.timeout.setDeadline(LONGEST_REST_MS);
			await this.readRest().catch(() => {});
		}
		this.timeout.stop();
	}

	private async readRest(): Promise<void> {
		let restBytes = 0;
		while (restBytes <= LARGEST_REST) {
			const { done, value } = await this.iterator.next();
			if (done) return this.timeout.complete();
			restBytes += value.length;
		}
	}

	async next(): Promise<IteratorResult<Uint8Array>> {
		this.timeout.resume();
		const result = await this.iterator.next();
		if (result.done) {
			this.timeout.complete();
			return result;
		}
		this.receivedBytes += result.value.length;
		if (this.receivedBytes > LARGEST_BODY) {
			this.receivedBytes = 0;
			if (!this.grows('byBytes', LEAST_GROWTH) || this.measured.byBytes > LARGEST_RESULT) {
				throw responseError(`The service's response is larger than ${LARGEST_BODY / 1024 ** 2} MiB`);
			}
		}
		// The time that a slow chat takes for a chunk does not count as the service being idle.
		this.timeout.pause();
		return result;
	}

	private grows(since: keyof typeof this.measured, least: number): boolean {
		const before = this.measured[since];
		this.measured[since] = this.measure();
		return this.measured[since] - before >= least;
	}
}
