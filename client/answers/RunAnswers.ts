import type { CallResult } from '../CallResult';
import type { Credential } from '../Credential';
import type { ExecutionBudget, WaitBudget } from '../limiter/WaitBudget';
import { ServiceError } from '../ServiceError';
import type { Answer, AnswerStore, KeptAnswer } from './AnswerStore';
import { keyedHash } from './keyedHash';

/**
 * Hashing takes 11 to 60 µs, so within a run a short request is compared as it is. Long ones would fill the memory, and are
 * hashed.
 */
const LONGEST_UNHASHED = 1024;

/** In Node's thread pool, parallel hashes take a fifth of the time of sequential ones. */
const HASHED_AT_ONCE = 64;

/** How the answer to a request may be used again. */
export interface Reuse<Result> {
	/** The body of the response that the result was made of. */
	bodyOf(result: Result): unknown;
	/**
	 * Makes the result again, with every check of a new one.
	 * @throws ServiceError
	 */
	read(body: unknown): Result;
	/** Whether the answer may be kept for a later run. */
	mayKeep?(result: Result): boolean;
	/** Whether the caller traces the request, so that it must be sent. */
	isTraced?: boolean;
}

/** What decides whether two requests are equal. */
interface SentRequest {
	path: string;
	json: string;
	credential: Credential;
	policy: { timeoutMs: number; maxRetries: number; budget: WaitBudget };
}

/**
 * An answer that exists, or one that must be requested. For the latter, exactly one of the methods must be called,
 * once.
 */
export type Question<Result> =
	| { answered: CallResult<Result> }
	| { answered?: undefined; settle(result: CallResult<Result>): void; fail(reason: unknown): void };

interface RunAnswersParts {
	/** Undefined if nothing should be kept. */
	store: AnswerStore | undefined;
	/** The workflow and the node, which alone get the answers. */
	owner: readonly string[];
	/** Identifies the tries of the run; undefined if they cannot be recognized. */
	run: () => string | undefined;
	/** Whether a person runs the workflow, or runs it again. */
	isByHand: boolean;
	/** Whether equal requests of the run share one. */
	shares: boolean;
	/** Whether the answers of a run without failures are kept as well. */
	keepsAlways: boolean;
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

	/** When the earliest of these runs ended, in Unix milliseconds. */
	takenSinceMs = Infinity;

	/** Calls that shared the request of another. */
	shared = 0;

	private readonly shareable = new Map<string, Promise<Answer | KeptAnswer>>();

	/** New answers, by what was sent. */
	private readonly answered = new Map<string, Answer>();

	private readonly takenIds = new Set<string>();

	private credential: Credential | undefined;

	constructor(private readonly parts: RunAnswersParts) {}

	/**
	 * Asks for an answer that needs no request: a kept one, or that of an equal request, which may be in flight.
	 * @throws what the equal request failed with
	 */
	async ask<Result>(reuse: Reuse<Result>, sent: SentRequest): Promise<Question<Result>> {
		this.credential ??= sent.credential;
		this.asked++;
		const text = `${sent.path}\n${sent.json}`;
		const key = text.length > LONGEST_UNHASHED ? await keyedHash(text) : text;
		const { timeoutMs, maxRetries, budget } = sent.policy;
		const isShareable = this.parts.shares && !reuse.isTraced;
		const shareKey = `${timeoutMs} ${maxRetries} ${budget.maxWaitMs} ${key}`;
		const equal = isShareable ? this.shareable.get(shareKey) : undefined;
		if (equal) {
			const answer = await whileSetAside(budget.execution, equal);
			if ('endedMs' in answer) this.countTaken(answer);
			else this.shared++;
			return { answered: readAgain(reuse, answer) };
		}
		const open = isShareable ? this.share(shareKey) : undefined;
		const taken = await this.take(key, reuse);
		if (taken) {
			open?.resolve(taken.answer);
			return { answered: taken.result };
		}
		return {
			settle: ({ result, traceId }) => {
				const answer = { json: JSON.stringify(reuse.bodyOf(result)), traceId };
				if (reuse.mayKeep?.(result) !== false) this.answered.set(key, answer);
				open?.resolve(answer);
			},
			fail: (reason) => open?.reject(reason),
		};
	}

	/** Keeps or forgets what the run was answered, by how it ended. */
	async end(how: RunEnd): Promise<void> {
		const { store, run, keepsAlways } = this.parts;
		if (!store) return;
		const keeps = keepsAlways || how !== 'succeeded';
		if (!keeps) for (const id of this.takenIds) store.forget(id);
		if (!keeps && store.size === 0) return;
		const origin = {
			endedMs: store.now(),
			...(how === 'continued' && !keepsAlways ? { onlyForRun: run() ?? '' } : {}),
		};
		const answers = [...this.answered];
		for (let first = 0; first < answers.length; first += HASHED_AT_ONCE) {
			const some = answers.slice(first, first + HASHED_AT_ONCE);
			const ids = await Promise.all(some.map(async ([key]) => await this.idOf(key)));
			for (const [index, [, answer]] of some.entries()) {
				if (keeps) store.keep(ids[index]!, { ...answer, ...origin });
				else store.forget(ids[index]!);
			}
		}
	}

	private share(shareKey: string) {
		let resolve!: (answer: Answer | KeptAnswer) => void;
		let reject!: (reason: unknown) => void;
		const answer = new Promise<Answer | KeptAnswer>((...settle) => ([resolve, reject] = settle));
		// If nobody waits for the answer, its failure must not count as unhandled.
		answer.catch(() => {});
		this.shareable.set(shareKey, answer);
		return { resolve, reject };
	}

	private async take<Result>(
		key: string,
		reuse: Reuse<Result>,
	): Promise<{ answer: KeptAnswer; result: CallResult<Result> } | undefined> {
		const { store, run, isByHand } = this.parts;
		if (!store || store.size === 0) return undefined;
		const id = await this.idOf(key);
		const answer = store.find(id, { run: run(), isByHand });
		if (!answer) return undefined;
		try {
			const result = readAgain(reuse, answer);
			this.takenIds.add(id);
			this.countTaken(answer);
			return { answer, result };
		} catch (error) {
			if (error instanceof ServiceError) return undefined;
			throw error;
		}
	}

	private countTaken({ endedMs }: KeptAnswer): void {
		this.taken++;
		this.takenSinceMs = Math.min(this.takenSinceMs, endedMs);
	}

	private async idOf(key: string): Promise<string> {
		const { baseUrl, apiKey } = this.credential!;
		return await keyedHash(`${JSON.stringify([...this.parts.owner, baseUrl, apiKey])}\n${key}`);
	}
}

/** An item that waits for another item's request takes no place of its execution. */
async function whileSetAside<Value>(execution: ExecutionBudget, wait: Promise<Value>): Promise<Value> {
	execution.setAside++;
	execution.onSetAside?.();
	try {
		return await wait;
	} finally {
		execution.setAside--;
		execution.onSetAside?.();
	}
}

/** Each item that shares the answer gets its own copy. */
function readAgain<Result>(reuse: Reuse<Result>, { json, traceId }: Answer): CallResult<Result> {
	return { result: reuse.read(JSON.parse(json)), traceId };
}
