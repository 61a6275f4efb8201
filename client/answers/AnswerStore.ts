const TTL_MS = 3_600_000;

/** A large run should find all its answers. This many decisions of usual size fit into `MAX_BYTES`. */
export const MAX_ANSWERS = 10_000;

const MAX_BYTES = 32 * 1024 * 1024;

/** Larger answers are not kept, so that a few of them cannot drive out all others. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/**
 * This is the memory that an answer takes besides its texts, rounded up. It was measured with Node 24, where 10,000 answers of
 * 300 characters took 11 MiB.
 */
const OVERHEAD_BYTES = 512;

/** Describes an answer as the service sent it. */
export interface PaidAnswer {
	/**
	 * Holds the request that was answered: a hash of the workflow, the node, the base URL and the key, then the path and the body.
	 */
	request: string;
	/** Holds the JSON of the response's body. */
	json: string;
	traceId?: string | undefined;
}

export interface Run {
	/** Holds the ID of the execution. It is undefined if the ID is not known. */
	executionId: string | undefined;
	/** Retries of a whole run have the same index. Passes of a loop have different ones. */
	index: unknown;
}

export interface KeptAnswer extends PaidAnswer {
	/** Holds the end of the run that paid for the answer, in Unix milliseconds. */
	endedMs: number;
	run: Run;
	/**
	 * Says whether the run that paid for the answer passed its items on, so that later nodes have used the answer. An execution that no
	 * person started must then ask again, because an equal text is more likely a new one than the same one once more. A retry of the
	 * same run need not.
	 */
	isPassedOn: boolean;
}

/**
 * Keeps the answers of failed runs in the memory of the process for an hour after the run's end. If there are too many, the
 * oldest are dropped first. It is not an `lru-cache`, because a request may have several answers.
 */
export class AnswerStore {
	private readonly answers = new Set<KeptAnswer>();

	private readonly byRequest = new Map<string, Set<KeptAnswer>>();

	private keptBytes = 0;

	/**
	 * Makes an empty store. Its clock is a parameter so that a test can let an hour pass.
	 * @param now returns Unix milliseconds
	 */
	constructor(readonly now: () => number = Date.now) {}

	get size(): number {
		return this.answers.size;
	}

	/**
	 * Keeps an answer, unless it is too large.
	 * @returns whether it is kept
	 */
	add(answer: KeptAnswer): boolean {
		if (Buffer.byteLength(answer.json) > MAX_ANSWER_BYTES) return false;
		this.answers.add(answer);
		this.keptBytes += bytesOf(answer);
		const { request } = answer;
		this.byRequest.set(request, (this.byRequest.get(request) ?? new Set()).add(answer));
		for (const oldest of this.answers) {
			const hasSpace = this.size <= MAX_ANSWERS && this.keptBytes <= MAX_BYTES;
			if (hasSpace && !this.isExpired(oldest)) break;
			this.delete(oldest);
		}
		return true;
	}

	/**
	 * Takes an answer to the request out of the store, so that no other request gets it.
	 * @param run returns the run that sends the request; called only if there is an answer
	 * @param isManual whether a person started the execution in the editor
	 * @returns undefined if there is no answer that the run may use
	 */
	take(request: string, run: () => Run, isManual: boolean): KeptAnswer | undefined {
		for (const answer of this.byRequest.get(request) ?? []) {
			if (this.isExpired(answer) || !mayTake(answer, run(), isManual)) continue;
			this.delete(answer);
			return answer;
		}
		return undefined;
	}

	private isExpired({ endedMs }: KeptAnswer): boolean {
		return this.now() - endedMs >= TTL_MS;
	}

	private delete(answer: KeptAnswer): void {
		this.answers.delete(answer);
		this.keptBytes -= bytesOf(answer);
		const answers = this.byRequest.get(answer.request);
		answers?.delete(answer);
		if (answers?.size === 0) this.byRequest.delete(answer.request);
	}
}

/** In one execution, only a retry of the same run may use an answer, because each pass of a loop may be meant to ask again. */
function mayTake({ run, isPassedOn }: KeptAnswer, taker: Run, isManual: boolean): boolean {
	if (run.executionId !== undefined && run.executionId === taker.executionId) {
		return run.index === taker.index;
	}
	return isManual || !isPassedOn;
}

function bytesOf({ request, json, traceId = '' }: PaidAnswer): number {
	return OVERHEAD_BYTES + Buffer.byteLength(request) + Buffer.byteLength(json) + Buffer.byteLength(traceId);
}
