import type { IdleTimeout } from '../time/IdleTimeout';
import { responseFailure } from '../ServiceError';

const MIB = 1024 * 1024;

/** A decision has some kilobytes and the longest message a few hundred, so a larger response is not from the service. */
const MAX_RESPONSE_BYTES = 16 * MIB;

/** More of an error response is not read, because a person reads only the beginning of an error. */
const MAX_ERROR_BYTES = 100_000;

/** After the result is complete, this much of the rest is read. A longer rest costs more than a new connection. */
const MAX_REST_BYTES = 64 * 1024;
const MAX_REST_MS = 1000;

/**
 * Represents the bytes of a response as they arrive. More than 16 MiB are an error. A reader that stops early does not end the
 * response: the sender of the request must call `finish` or abort.
 */
export class ResponseBody implements AsyncIterableIterator<Uint8Array> {
	private receivedBytes = 0;

	private isComplete = false;

	private readonly iterator: AsyncIterator<Uint8Array>;

	/**
	 * Takes over a body. The idle timeout begins anew, because the headers have arrived.
	 * @param chunks the body of a response whose headers have just arrived
	 * @param timeout the idle timeout of the attempt
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
		// The timeout is paused while the reader works, for example while a chat accepts a piece of text.
		this.timeout.pause();
		this.timeout.signal.throwIfAborted();
		if (this.receivedBytes > MAX_RESPONSE_BYTES) {
			throw responseFailure(`The service's response is larger than ${MAX_RESPONSE_BYTES / MIB} MiB`);
		}
		return result;
	}

	/**
	 * Reads the text of an error response. If it is too large, breaks off or times out, the beginning is returned, because the
	 * status is known anyway. Never rejects.
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
			// The status and the beginning of the text are known.
		}
		return text;
	}

	/**
	 * Reads the rest of the response after the result. Before that, the connection cannot be reused, and closing it would look to the
	 * service as if the client had given up. Never rejects.
	 */
	async finish(): Promise<void> {
		if (!this.isComplete) await this.readRest();
		if (this.isComplete) this.timeout.stop();
		else this.timeout.abort();
	}

	private async readRest(): Promise<void> {
		const maxBytes = this.receivedBytes + MAX_REST_BYTES;
		this.timeout.refresh();
		this.timeout.endIn(MAX_REST_MS);
		try {
			while (!this.isComplete && this.receivedBytes <= maxBytes) await this.receive();
		} catch {
			// The result is complete without the rest.
		}
	}

	private async receive(): Promise<IteratorResult<Uint8Array, undefined>> {
		const result = (await this.iterator.next()) as IteratorResult<Uint8Array, undefined>;
		if (result.done) this.isComplete = true;
		else this.receivedBytes += result.value.length;
		return result;
	}
}
