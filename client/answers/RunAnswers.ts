import { type CallResult, type Credential } from '../Transport';
import type { ItemCalls } from '../limiter/ItemCalls';
import { BoundedAnswers, type PaidAnswer, type AnswerStore, type KeptAnswer, type Run } from './AnswerStore';

/** In characters. Longer requests would fill the memory, and are hashed, which takes 11 to 60 µs. */
const MAX_UNHASHED_LENGTH = 512;

/** So that nobody can find what was hashed by guessing. */
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

	private readonly shareable = new Map<string, Promise<PaidAnswer | KeptAnswer>>();

	private readonly paid = new BoundedAnswers();

	/** What it took from the store, where nobody else can get it until the run ends. */
	private readonly takenOut = new Set<KeptAnswer>();

	private owner: string | undefined;

	constructor(private readonly parts: RunAnswersParts) {}

	/**
	 * The answer to a request: one that was kept, that of an equal request, which may be in flight, or else a new one.
	 * @param send gets a new one
	 * @throws what the request, or the equal one, failed with
	 */
	async answer<Result>(
		reuse: Reuse<Result>,
		{ path, json, credential, policy }: SentRequest,
		send: () => Promise<CallResult<Result>>,
	): Promise<CallResult<Result>> {
		this.asked++;
		const { store, owner, shares } = this.parts;
		if (store) {
			const { baseUrl, apiKey } = credential;
			this.owner ??= await hash(JSON.stringify([...owner, baseUrl, apiKey]));
		}
		const text = `${path}\n${json}`;
		const request = `${this.owner} ${text.length > MAX_UNHASHED_LENGTH ? await hash(text) : text}`;
		if (!shares || reuse.isTraced) return (await this.takeOrSend(request, reuse, send)).result;

		const { timeoutMs, maxRetries, item } = policy;
		const shareKey = `${timeoutMs} ${maxRetries} ${item.maxWaitMs} ${request}`;
		const equal = this.shareable.get(shareKey);
		if (equal) {
			// An item that waits for another's request takes no place of its execution.
			item.setAside(true);
			const answer = await equal.finally(() => item.setAside(false));
			if ('ended' in answer) this.taken++;
			else this.shared++;
			return readAgain(reuse, answer);
		}
		const first = this.takeOrSend(request, reuse, send);
		const shared = first.then(({ answer }) => answer);
		this.shareable.set(shareKey, shared);
		// Those that wait for it share its failure. An item that begins later asks anew.
		shared.catch(() => this.shareable.delete(shareKey));
		return (await first).result;
	}

	/**
	 * Keeps what the run was answered, unless it succeeded.
	 * @returns how many answers are kept for the next run
	 */
	end(how: RunEnd): number {
		const { store, run } = this.parts;
		if (!store || how === 'succeeded') return 0;
		const kept = { run: run(), isPassedOn: how === 'continued' };
		const ended = store.now();
		let count = 0;
		for (const answer of this.takenOut) if (store.add({ ...answer, ...kept, ended })) count++;
		for (const answer of this.paid) if (store.add({ ...answer, ...kept, ended })) count++;
		return Math.min(count, store.size);
	}

	private async takeOrSend<Result>(
		request: string,
		reuse: Reuse<Result>,
		send: () => Promise<CallResult<Result>>,
	): Promise<{ answer: PaidAnswer; result: CallResult<Result> }> {
		const { store, run, isManual } = this.parts;
		const kept = store?.find(request, run, isManual);
		if (store && kept) {
			store.delete(kept);
			const result = readAgain(reuse, kept);
			this.takenOut.add(kept);
			this.taken++;
			this.takenAgeMs = Math.max(this.takenAgeMs, store.ageOf(kept));
			return { answer: kept, result };
		}
		const result = await send();
		const answer = { request, json: JSON.stringify(reuse.bodyOf(result.result)), traceId: result.traceId };
		if (store && reuse.mayKeep?.(result.result) !== false) this.paid.add(answer);
		return { answer, result };
	}
}

/** Each item that shares the answer gets its own copy. */
function readAgain<Result>(reuse: Reuse<Result>, { json, traceId }: PaidAnswer): CallResult<Result> {
	return { result: reuse.read(JSON.parse(json)), traceId };
}

async function hash(text: string): Promise<string> {
	const digest = await crypto.subtle.digest('SHA-256', Buffer.from(SALT + text));
	return Buffer.from(digest).toString('hex');
}
