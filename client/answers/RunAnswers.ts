import { type CallResult, type Credential } from '../Transport';
import type { ItemCalls } from '../limiter/ItemCalls';
import { MAX_ANSWERS, type AnswerStore, type PaidAnswer, type Run } from './AnswerStore';

/** Without it, whoever reads the memory could find out by guessing what was hashed. */
const SALT = crypto.randomUUID();

/** How the answer to a request may be used again. */
export interface Reuse<Result> {
	/** The body of the response that the result was made of. */
	bodyOf(result: Result): unknown;
	/**
	 * Makes the result again, with every check of a new one.
	 * @throws ServiceError
	 */
	read(body: unknown): Result;
	mayKeep?(result: Result): boolean;
	/** Whether the caller traces the request, so that it must be sent. */
	isTraced?: boolean;
}

/** What decides whether two requests are equal. */
interface SentRequest {
	path: string;
	json: string;
	credential: Credential;
	policy: { timeoutMs: number; maxRetries: number; item: ItemCalls };
}

interface RunAnswersParts {
	/** Undefined if nothing should be kept. */
	store: AnswerStore | undefined;
	/** The workflow and the node, which alone get the answers. */
	owner: readonly string[];
	run: () => Run;
	/** Whether a person started the execution in the editor. */
	isManual: boolean;
	/** Whether equal requests of the run share one. */
	shares: boolean;
}

/**
 * `continued`: items failed, and the others were passed on. `failed`: nothing was passed on, or a person stopped the run.
 */
export type RunEnd = 'succeeded' | 'continued' | 'failed';

/** The answers of one run of a node, so that none is paid for twice. */
export class RunAnswers {
	/** Calls that asked for an answer. */
	asked = 0;

	/** Calls whose answer was kept from an earlier run. */
	taken = 0;

	/** How long ago the earliest of these runs had ended, in milliseconds. */
	takenAgeMs = 0;

	/** Calls that shared the request of another. */
	shared = 0;

	/** Answers that equal requests share, which may be in flight. */
	private readonly shareable = new Map<string, Promise<PaidAnswer>>();

	/** The latest answers that the run paid for. */
	private readonly paid: PaidAnswer[] = [];

	/** What the run took from the store. */
	private readonly takenOut = new Set<PaidAnswer>();

	constructor(private readonly parts: RunAnswersParts) {}

	/**
	 * The answer to a request: that of an equal request, which may be in flight, one that was kept, or else a new one.
	 * @param ask gets a new one
	 * @throws what the request, or the equal one, failed with
	 */
	async answer<Result>(
		reuse: Reuse<Result>,
		{ path, json, credential, policy }: SentRequest,
		ask: () => Promise<CallResult<Result>>,
	): Promise<CallResult<Result>> {
		this.asked++;
		const { store, owner, run, isManual, shares } = this.parts;
		const { timeoutMs, maxRetries, item } = policy;
		const request = await hash([...owner, credential.baseUrl, credential.apiKey, path, json]);
		const mayShare = shares && !reuse.isTraced;
		const shareKey = `${timeoutMs} ${maxRetries} ${item.maxWaitMs} ${request}`;
		const equal = mayShare ? this.shareable.get(shareKey) : undefined;
		if (equal) {
			// An item that waits for another's request takes no place of its execution.
			item.setAside(true);
			const answer = await equal.finally(() => item.setAside(false));
			if (this.takenOut.has(answer)) this.taken++;
			else this.shared++;
			return readAgain(reuse, answer);
		}
		const kept = store?.take(request, run, isManual);
		if (store && kept) {
			const result = readAgain(reuse, kept);
			this.takenOut.add(kept);
			this.taken++;
			this.takenAgeMs = Math.max(this.takenAgeMs, store.now() - kept.endedMs);
			if (mayShare) this.shareable.set(shareKey, Promise.resolve(kept));
			return result;
		}
		// The others wait for a promise of their own, so that the stack of the request shows who asked.
		let share = (_answer: PaidAnswer) => {};
		let fail = (_error: unknown) => {};
		const shared = new Promise<PaidAnswer>((resolve, reject) => {
			share = resolve;
			fail = reject;
		});
		shared.catch(() => {});
		if (mayShare) this.shareable.set(shareKey, shared);
		try {
			const called = await ask();
			const { result, traceId } = called;
			const answer = { request, json: JSON.stringify(reuse.bodyOf(result)), traceId };
			share(answer);
			if (store && reuse.mayKeep?.(result) !== false && this.paid.push(answer) > MAX_ANSWERS) {
				this.paid.shift();
			}
			return called;
		} catch (error) {
			// Those that wait for it share its failure. An item that begins later asks anew.
			this.shareable.delete(shareKey);
			fail(error);
			throw error;
		}
	}

	/**
	 * Keeps what the run was answered, unless it succeeded.
	 * @returns how many answers are kept for the next run
	 */
	end(how: RunEnd): number {
		const { store, run } = this.parts;
		if (!store || how === 'succeeded') return 0;
		const end = { run: run(), isPassedOn: how === 'continued', endedMs: store.now() };
		const count = [...this.takenOut, ...this.paid].filter((answer) =>
			store.add({ ...answer, ...end }),
		).length;
		return Math.min(count, store.size);
	}
}

/** Each item that shares the answer gets its own copy. */
function readAgain<Result>(reuse: Reuse<Result>, { json, traceId }: PaidAnswer): CallResult<Result> {
	return { result: reuse.read(JSON.parse(json)), traceId };
}

/** The key and the base URL must not be kept in readable form, and long requests would fill the memory. */
async function hash(parts: string[]): Promise<string> {
	const digest = await crypto.subtle.digest('SHA-256', Buffer.from(SALT + JSON.stringify(parts)));
	return Buffer.from(digest).toString('hex');
}
