import type { IdleTimeout } from '../time/IdleTimeout';
import { responseFailure } from '../ServiceError';

const MIB = 1024 * 1024;

/** A decision takes some kilobytes, and the longest message a few hundred: what is larger is no answer of the service. */
const MAX_RESPONSE_BYTES = 16 * MIB;

/** A person reads only the beginning of an error. */
const MAX_ERROR_BYTES = 100_000;

/** What is read after the result is complete, so that the connection can be used again. To open a new one is cheaper than more. */
const MAX_REST_BYTES = 64 * 1024;
const MAX_REST_MS = 1000;

/**
 * A response's decoded bytes as they arrive. More than 16 MiB are an error. The reader may stop at any time, but that does not
 * end the response: whoever sent the request ends it, with `finish` or by aborting.
 */
export class ResponseBody implements AsyncIterableIterator<Uint8Array> {
	private receivedBytes = 0;

	private isComplete = false;

	private readonly iterator: AsyncIterator<Uint8Array>;

	/**
	 * @param chunks the body of a response whose headers have just arrived
	 * @param timeout ends the attempt that the response belongs to
	 */
	constructor(
		chunks: AsyncIterable<Uint8Array>,
		private readonly timeout: IdleTimeout,
	) {
		this.iterator = chunks[Symbol.asyncIterator]();
		timeout.refresh();
	}

	[Symbol.asyncIterator](): this {
		return this;
	}

	async next(): Promise<IteratorResult<Uint8Array>> {
		this.timeout.refresh();
		const result = await this.receive();
		// The time that a chat takes to accept a piece of text does not count as the service being idle.
		this.timeout.pause();
		this.timeout.signal.throwIfAborted();
		if (this.receivedBytes > MAX_RESPONSE_BYTES) {
			throw responseFailure(`The service's response is larger than ${MAX_RESPONSE_BYTES / MIB} MiB`);
		}
		return result;
	}

	/**
	 * The text of an error, or the beginning of one that is large, that breaks off or that takes longer than its timeout: its
	 * status counts all the same. Never rejects.
	 */
	async errorText(): Promise<string> {
		const decoder = new TextDecoder();
		let text = '';
		try {
			while (this.receivedBytes < MAX_ERROR_BYTES) {
				const leftBytes = MAX_ERROR_BYTES - this.receivedBytes;
				const { done, value } = await this.receive();
				if (done) break;
				text += decoder.decode(value.subarray(0, leftBytes), { stream: true });
			}
		} catch {
			// The status is known, and what has arrived.
		}
		return text;
	}

	/** Reads what is left after the result, because a connection cannot be reused before. Never rejects. */
	async finish(): Promise<void> {
		const maxBytes = this.receivedBytes + MAX_REST_BYTES;
		this.timeout.refresh();
		this.timeout.endIn(MAX_REST_MS);
		try {
			while (!this.isComplete && this.receivedBytes <= maxBytes) await this.receive();
		} catch {
			// The result does not need it.
		}
		if (this.isComplete) this.timeout.stop();
		else this.timeout.abort();
	}

	private async receive(): Promise<IteratorResult<Uint8Array, undefined>> {
		const result = (await this.iterator.next()) as IteratorResult<Uint8Array, undefined>;
		if (result.done) this.isComplete = true;
		else this.receivedBytes += result.value.length;
		return result;
	}
}
