import type { IdleTimeout } from '../time/IdleTimeout';
import {
	LARGEST_ERROR_BODY,
	LARGEST_RESPONSE,
	LARGEST_REST,
	LONGEST_REST_MS,
	LONGEST_STRETCH_MS,
	MOST_BYTES_PER_CHARACTER,
	TOO_LARGE,
} from './ResponseBounds';
import { responseError, ServiceError } from '../ServiceError';
import { untilAborted } from '../time/untilAborted';

/** Gateways send comments while a model that is slow, but alive, has not begun. Nobody waits for one forever. */
const MAX_EVENTLESS_TIMEOUTS = 4;

/** How long all readers together have worked, or waited for a slow chat, since everything else last got a turn. */
let stretchMs = 0;

/** Waiting readers resume one by one, each after everything else had a turn. */
let turns = Promise.resolve();

/**
 * A response's bytes as they arrive. Too many bytes are an error. The reader may stop at any time, but that does not end the
 * response: whoever sent the request ends it, with `finish` or by aborting.
 */
export class ResponseBody implements AsyncIterableIterator<Uint8Array> {
	/** Gives the characters gathered from it so far: with more of them, it may be larger. */
	gathered = () => 0;

	private receivedBytes = 0;

	private givenAtMs = performance.now();

	/** How long the service was waited for since its latest event, in milliseconds. Undefined if it sends no events. */
	private eventlessMs: number | undefined;

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
	}

	[Symbol.asyncIterator](): this {
		return this;
	}

	/**
	 * The text of an error, or the beginning of one that is large, that breaks off or that takes longer than its timeout: its
	 * status counts all the same.
	 */
	async errorText(): Promise<string> {
		const decoder = new TextDecoder();
		let text = '';
		let leftBytes = LARGEST_ERROR_BODY;
		try {
			// It takes no turns: an error is small, and a long wait would cut it off. Nor does its timeout start again.
			while (leftBytes > 0 && !this.timeout.isComplete) {
				const { done = false, value } = await this.iterator.next();
				this.timeout.isComplete = done;
				text += decoder.decode(value?.subarray(0, leftBytes), { stream: true });
				leftBytes -= value?.length ?? 0;
			}
		} catch {
			// The status is known, and what has arrived.
		}
		return text;
	}

	/**
	 * Reads what is left after the result, because a connection cannot be reused until its response has been read to the
	 * end. Gives up if that takes long. Never rejects.
	 */
	async finish(): Promise<void> {
		const { timeout } = this;
		const mostBytes = this.receivedBytes + LARGEST_REST;
		if (!timeout.isComplete) timeout.endIn(LONGEST_REST_MS);
		try {
			while (!timeout.isComplete && this.receivedBytes <= mostBytes) await this.next();
		} catch {
			// The result does not need it.
		}
		timeout.stop();
	}

	/** An event has arrived, or a stream begins: comments keep its connection open, but are no progress. */
	progressed(): void {
		this.eventlessMs = 0;
	}

	async next(): Promise<IteratorResult<Uint8Array>> {
		this.countWork();
		this.timeout.refresh();
		const result = await this.iterator.next();
		this.countEventless(performance.now() - this.givenAtMs);
		// Neither a wait for a turn nor the time that a slow chat takes for a chunk counts as the service being idle.
		this.timeout.pause();
		this.givenAtMs = performance.now();
		await this.giveWay();
		this.timeout.signal.throwIfAborted();
		if (result.done) {
			this.timeout.isComplete = true;
			return result;
		}
		this.receivedBytes += result.value.length;
		if (this.receivedBytes > LARGEST_RESPONSE + this.gathered() * MOST_BYTES_PER_CHARACTER) {
			throw responseError(`The service's response ${TOO_LARGE}`);
		}
		return result;
	}

	private countEventless(waitedMs: number): void {
		if (this.eventlessMs === undefined) return;
		this.eventlessMs += waitedMs;
		const maxMs = MAX_EVENTLESS_TIMEOUTS * this.timeout.timeoutMs;
		if (this.eventlessMs <= maxMs) return;
		const message = `Timed out: the service kept the connection open, but sent nothing else for ${maxMs} ms`;
		throw new ServiceError({ kind: 'timeout', message });
	}

	/** Lets everything else have a turn if the readers have worked too long. */
	async giveWay(): Promise<void> {
		this.countWork();
		if (stretchMs <= LONGEST_STRETCH_MS || this.timeout.signal.aborted) return;
		turns = turns.then(async () => {
			await this.timeout.giveWay();
			stretchMs = 0;
		});
		await untilAborted(turns, this.timeout.signal).catch(() => {});
		this.givenAtMs = performance.now();
	}

	private countWork(): void {
		const now = performance.now();
		stretchMs += now - this.givenAtMs;
		this.givenAtMs = now;
	}
}
