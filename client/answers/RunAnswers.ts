import type { CallResult, Credential } from '../Transport';
import type { ItemCalls } from '../limiter/ItemCalls';
import { MAX_ANSWERS, type AnswerStore, type PaidAnswer, type Run } from './AnswerStore';

/** Longer requests would fill the memory. A hash takes 11 to 60 µs and a turn of the event loop, so short ones are kept as they are. */
const MAX_UNHASHED_CHARS = 512;

/** Without a salt, somebody who can read the process's memory could guess the key and the request, and compare the hashes. */
const SALT = crypto.randomUUID();

/** Describes how the answer to a request may be used again. */
export interface Reuse<Result> {
	/** Returns whether a later run may use the answer. The default is true. */
	mayKeep?(result: Result): boolean;
	/** Says whether the caller traces the request, so that it must be sent. */
	isTraced?: boolean;
}

interface ComparedRequest {
	path: string;
	json: string;
	credential: Credential;
}

/** Describes the parts of a policy that are equal for items that share a request, because they would wait equally long for it. */
interface ComparedPolicy {
	timeoutMs: number;
	maxRetries: number;
	item: ItemCalls;
}

interface AnswerKey {
	/** Two requests with the same text are answered by the same answer of an earlier run. */
	request: string;
	/** Two requests of the run with the same text share an answer. It is undefined for a request that shares none. */
	shared: string | undefined;
}

interface RunAnswersParts {
	/** Holds the store that keeps the answers for later runs. It is undefined if nothing should be kept. */
	store: AnswerStore | undefined;
	/** Holds the workflow and the node. Only the same node of the same workflow may use the answers. */
	owner: readonly string[];
	run: () => Run;
	/** Says whether a person started the execution in the editor. */
	isManual: boolean;
	/** Says whether equal requests of the run are sent once and share the answer. */
	shares: boolean;
}

/**
 * `continued`: some items failed, and the others were passed on. `failed`: nothing was passed on, or a person stopped the run.
 */
type RunOutcome = 'succeeded' | 'continued' | 'failed';

interface ReuseCounts {
	asked: number;
	/** Counts the calls whose answer was kept from an earlier run. */
	taken: number;
	/**
	 * Holds the age of the oldest answer that was kept from an earlier run, when it was used. An answer's age is the time since
	 * the end of the run that paid for it.
	 */
	takenAgeMs: number;
	/** Counts the calls that shared the request of another call. */
	shared: number;
}

/** Holds the answers of one run of a node, and reuses those that were already paid for. */
export class RunAnswers {
	private readonly counted: ReuseCounts = { asked: 0, taken: 0, takenAgeMs: 0, shared: 0 };

	/** Holds the answers that equal requests share, by request. They may still be in flight. */
	private readonly shareable = new Map<string, Promise<PaidAnswer>>();

	/** Holds the answers that the run paid for: the latest `MAX_ANSWERS`. */
	private readonly paid: PaidAnswer[] = [];

	/** Holds the answers that the run took from the store. They go back if this run fails too. */
	private readonly takenOut = new Set<PaidAnswer>();

	/** Says what the requests of the run have in common. The key must not be kept in readable form. */
	private ownerHash: Promise<string> | undefined;

	constructor(private readonly parts: RunAnswersParts) {}

	get counts(): Readonly<ReuseCounts> {
		return this.counted;
	}

	async keyOf(
		{ path, json, credential }: ComparedRequest,
		{ isTraced }: Pick<Reuse<unknown>, 'isTraced'>,
		{ timeoutMs, maxRetries, item }: ComparedPolicy,
	): Promise<AnswerKey> {
		const { baseUrl, apiKey } = credential;
		this.ownerHash ??= hash(JSON.stringify([...this.parts.owner, baseUrl, apiKey]));
		const text = `${path}\n${json}`;
		const request = `${await this.ownerHash} ${text.length > MAX_UNHASHED_CHARS ? await hash(text) : text}`;
		const isShared = this.parts.shares && !isTraced;
		const wait = `${timeoutMs} ${maxRetries} ${item.maxWaitMs}`;
		return { request, shared: isShared ? `${wait} ${request}` : undefined };
	}

	/**
	 * Finds the answer of an equal request of the run, which may be in flight, or of an earlier run. The promise rejects with the
	 * error of the equal request.
	 * @returns undefined if there is none, so that the request must be sent
	 */
	find({ request, shared }: AnswerKey, item: ItemCalls): Promise<PaidAnswer> | undefined {
		this.counted.asked++;
		const equal = shared === undefined ? undefined : this.shareable.get(shared);
		if (equal) return this.share(equal, item);
		const taken = this.take(request);
		if (!taken) return undefined;
		const found = Promise.resolve(taken);
		if (shared !== undefined) this.shareable.set(shared, found);
		return found;
	}

	/**
	 * Makes the answer to a request that is sent reusable, and lets equal requests wait for it. If the request fails, those that
	 * already wait fail with it, and later ones are sent.
	 */
	pay<Result>(
		{ request, shared }: AnswerKey,
		reuse: Reuse<Result>,
		sending: Promise<CallResult<Result>>,
	): Promise<PaidAnswer> {
		const paying = sending.then((called) => this.keep(request, reuse, called));
		if (shared !== undefined) this.shareable.set(shared, paying);
		paying.catch(() => {
			if (shared !== undefined) this.shareable.delete(shared);
		});
		return paying;
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

	/** Waits for the answer to an equal request. An item that does so must not take a slot of `concurrency`. */
	private async share(equal: Promise<PaidAnswer>, item: ItemCalls): Promise<PaidAnswer> {
		item.setAside(true);
		const answer = await equal.finally(() => item.setAside(false));
		if (this.takenOut.has(answer)) this.counted.taken++;
		else this.counted.shared++;
		return answer;
	}

	private take(request: string): PaidAnswer | undefined {
		const { store, run, isManual } = this.parts;
		const kept = store?.take(request, run, isManual);
		if (!store || !kept) return undefined;
		this.takenOut.add(kept);
		this.counted.taken++;
		this.counted.takenAgeMs = Math.max(this.counted.takenAgeMs, store.now() - kept.endedMs);
		return kept;
	}

	private keep<Result>(
		request: string,
		{ mayKeep }: Reuse<Result>,
		{ result, body, traceId }: CallResult<Result>,
	): PaidAnswer {
		const answer = { request, json: JSON.stringify(body), traceId };
		if (!this.parts.store || mayKeep?.(result) === false) return answer;
		if (this.paid.push(answer) > MAX_ANSWERS) this.paid.shift();
		return answer;
	}
}

async function hash(text: string): Promise<string> {
	const digest = await crypto.subtle.digest('SHA-256', Buffer.from(SALT + text));
	return Buffer.from(digest).toString('hex');
}
