import { type CallResult, type Credential } from '../Transport';
import type { ItemCalls } from '../limiter/ItemCalls';
import { MAX_ANSWERS, type AnswerStore, type PaidAnswer, type Run } from './AnswerStore';

/** Longer requests would fill the memory. A hash takes 11 to 60 µs and a turn of the event loop, so short ones are kept as they are. */
const MAX_UNHASHED_CHARS = 512;

/** Without a salt, somebody who can read the process's memory could guess the key and the request, and compare the hashes. */
const SALT = crypto.randomUUID();

/** How the answer to a request may be used again. */
export interface Reuse<Result> {
	/** Returns the response body that the result was made from. */
	bodyOf(result: Result): unknown;
	/**
	 * Makes the result from a kept body, with all checks that a new response gets.
	 * @throws CallFailure
	 */
	read(body: unknown): Result;
	mayKeep?(result: Result): boolean;
	/** Whether the caller traces the request, so that it must be sent. */
	isTraced?: boolean;
}

/** The parts of a request by which two requests are compared. */
interface ComparedRequest {
	path: string;
	json: string;
	credential: Credential;
	policy: { timeoutMs: number; maxRetries: number; item: ItemCalls };
}

interface RunAnswersParts {
	/** Undefined if nothing should be kept. */
	store: AnswerStore | undefined;
	/** The workflow and the node. Only the same node of the same workflow may use the answers. */
	owner: readonly string[];
	run: () => Run;
	/** Whether a person started the execution in the editor. */
	isManual: boolean;
	/** Whether equal requests of the run are sent once and share the answer. */
	shares: boolean;
}

/**
 * `continued`: some items failed, and the others were passed on. `failed`: nothing was passed on, or a person stopped the run.
 */
export type RunOutcome = 'succeeded' | 'continued' | 'failed';

/** The answers of one run of a node. It reuses those that were already paid for. */
export class RunAnswers {
	/** The number of calls that asked for an answer. */
	asked = 0;

	/** The number of calls whose answer was kept from an earlier run. */
	taken = 0;

	/** The age of the oldest of those answers when it was used: the time since the end of the run that paid for it. */
	takenAgeMs = 0;

	/** The number of calls that shared the request of another call. */
	shared = 0;

	/** The answers that equal requests share, by request. They may still be in flight. */
	private readonly shareable = new Map<string, Promise<PaidAnswer>>();

	/** The answers that the run paid for: the latest `MAX_ANSWERS`. */
	private readonly paid: PaidAnswer[] = [];

	/** The answers that the run took from the store. They go back if this run fails too. */
	private readonly takenOut = new Set<PaidAnswer>();

	/** What the requests of the run have in common. The key must not be kept in readable form. */
	private ownerHash: Promise<string> | undefined;

	constructor(private readonly parts: RunAnswersParts) {}

	/**
	 * Gets the answer to a request: from an equal request of the run (which may be in flight), from an earlier run, or by sending it.
	 * @param ask sends the request
	 * @throws the error of the request, or of the equal request that it shares
	 */
	async answer<Result>(
		reuse: Reuse<Result>,
		compared: ComparedRequest,
		ask: () => Promise<CallResult<Result>>,
	): Promise<CallResult<Result>> {
		this.asked++;
		const request = await this.keyOf(compared);
		const shareKey = this.parts.shares && !reuse.isTraced ? shareKeyOf(request, compared.policy) : undefined;
		const equal = shareKey === undefined ? undefined : this.shareable.get(shareKey);
		if (equal) return readAgain(reuse, await this.share(equal, compared.policy.item));
		const kept = this.take(request);
		if (kept) {
			if (shareKey !== undefined) this.shareable.set(shareKey, Promise.resolve(kept));
			return readAgain(reuse, kept);
		}
		const asking = ask();
		const paying = asking.then((called) => this.pay(request, reuse, called));
		// The error is thrown below, where its stack shows the call that sent the request.
		paying.catch(() => {});
		if (shareKey !== undefined) this.shareable.set(shareKey, paying);
		try {
			const called = await asking;
			await paying;
			return called;
		} catch (error) {
			// Calls that already wait for this request fail with it. An item that begins later sends its own.
			if (shareKey !== undefined) this.shareable.delete(shareKey);
			throw error;
		}
	}

	/**
	 * Keeps the run's answers for the next run, unless this run succeeded.
	 * @returns how many answers are kept for the next run
	 */
	end(how: RunOutcome): number {
		const { store, run } = this.parts;
		if (!store || how === 'succeeded') return 0;
		const end = { run: run(), isPassedOn: how === 'continued', endedMs: store.now() };
		const count = [...this.takenOut, ...this.paid].filter((answer) =>
			store.add({ ...answer, ...end }),
		).length;
		return Math.min(count, store.size);
	}

	/** Returns the text by which equal requests of the same owner are found. */
	private async keyOf({ path, json, credential }: ComparedRequest): Promise<string> {
		const { baseUrl, apiKey } = credential;
		this.ownerHash ??= hash(JSON.stringify([...this.parts.owner, baseUrl, apiKey]));
		const text = `${path}\n${json}`;
		return `${await this.ownerHash} ${text.length > MAX_UNHASHED_CHARS ? await hash(text) : text}`;
	}

	/** Waits for the answer to an equal request. An item that does so must not take a slot of `concurrency`. */
	private async share(equal: Promise<PaidAnswer>, item: ItemCalls): Promise<PaidAnswer> {
		item.setAside(true);
		const answer = await equal.finally(() => item.setAside(false));
		if (this.takenOut.has(answer)) this.taken++;
		else this.shared++;
		return answer;
	}

	/** Takes an answer of an earlier run out of the store, if there is one. */
	private take(request: string): PaidAnswer | undefined {
		const { store, run, isManual } = this.parts;
		const kept = store?.take(request, run, isManual);
		if (!store || !kept) return undefined;
		this.takenOut.add(kept);
		this.taken++;
		this.takenAgeMs = Math.max(this.takenAgeMs, store.now() - kept.endedMs);
		return kept;
	}

	/** Makes a new answer reusable. */
	private pay<Result>(request: string, reuse: Reuse<Result>, called: CallResult<Result>): PaidAnswer {
		const { result, traceId } = called;
		const answer = { request, json: JSON.stringify(reuse.bodyOf(result)), traceId };
		if (!this.parts.store || reuse.mayKeep?.(result) === false) return answer;
		if (this.paid.push(answer) > MAX_ANSWERS) this.paid.shift();
		return answer;
	}
}

/** Items share a request only if they would wait equally long for it. */
function shareKeyOf(request: string, { timeoutMs, maxRetries, item }: ComparedRequest['policy']): string {
	return `${timeoutMs} ${maxRetries} ${item.maxWaitMs} ${request}`;
}

/** Parses the JSON again, so that items that share an answer do not share objects. */
function readAgain<Result>(reuse: Reuse<Result>, { json, traceId }: PaidAnswer): CallResult<Result> {
	return { result: reuse.read(JSON.parse(json)), traceId };
}

async function hash(text: string): Promise<string> {
	const digest = await crypto.subtle.digest('SHA-256', Buffer.from(SALT + text));
	return Buffer.from(digest).toString('hex');
}
