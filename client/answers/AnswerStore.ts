const HOUR_MS = 3_600_000;

/** Enough to rerun a large run. This many decisions of usual size fit into the bytes below. */
export const MAX_ANSWERS = 10_000;

const MAX_BYTES = 32 * 1024 * 1024;

/** A few large answers must not drive out all others. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/**
 * Memory that an answer takes besides its texts, rounded up: 10,000 answers of 300 characters were measured as 11 MiB with
 * Node 24.
 */
const OVERHEAD_BYTES = 512;

/** An answer as the service sent it. */
export interface PaidAnswer {
	/** A hash of the workflow, the node, the base URL, the key, the path and the body: the request that it answers. */
	request: string;
	/** The JSON of the response's body. */
	json: string;
	traceId?: string | undefined;
}

/** One run of a node in an execution. */
export interface Run {
	/** Undefined if it is not known. */
	executionId: string | undefined;
	/** The tries of a run have the same index; the passes of a loop do not. */
	index: unknown;
}

export interface KeptAnswer extends PaidAnswer {
	/** The end of the run that paid for it, Unix milliseconds. */
	endedMs: number;
	run: Run;
	/** Whether the items of that run were passed on, so that a schedule must not take their answers. */
	isPassedOn: boolean;
}

/**
 * Answers of runs that failed, for an hour after their end, in the memory of the process. The oldest are dropped first. A
 * request may have several answers, which is more than `lru-cache` holds for a key.
 */
export class AnswerStore {
	private readonly answers = new Set<KeptAnswer>();

	private readonly byRequest = new Map<string, Set<KeptAnswer>>();

	private bytes = 0;

	/** @param now gives Unix milliseconds */
	constructor(readonly now: () => number = Date.now) {}

	get size(): number {
		return this.answers.size;
	}

	/** @returns whether the answer is small enough */
	add(answer: KeptAnswer): boolean {
		if (Buffer.byteLength(answer.json) > MAX_ANSWER_BYTES) return false;
		this.answers.add(answer);
		this.bytes += bytesOf(answer);
		const { request } = answer;
		this.byRequest.set(request, (this.byRequest.get(request) ?? new Set()).add(answer));
		for (const oldest of this.answers) {
			const hasSpace = this.size <= MAX_ANSWERS && this.bytes <= MAX_BYTES;
			if (hasSpace && !this.isExpired(oldest)) break;
			this.delete(oldest);
		}
		return true;
	}

	/**
	 * Takes an answer to the request out of the store, so that nobody else gets it.
	 * @param run that asks; called only if there is an answer
	 * @param isManual whether a person started the execution in the editor
	 * @returns undefined if there is none that the run may have
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
		return this.now() - endedMs >= HOUR_MS;
	}

	private delete(answer: KeptAnswer): void {
		this.answers.delete(answer);
		this.bytes -= bytesOf(answer);
		const answers = this.byRequest.get(answer.request);
		answers?.delete(answer);
		if (answers?.size === 0) this.byRequest.delete(answer.request);
	}
}

/** A later pass of an execution takes nothing from an earlier one: each pass of a loop may be meant to ask anew. */
function mayTake({ run, isPassedOn }: KeptAnswer, taker: Run, isManual: boolean): boolean {
	if (run.executionId !== undefined && run.executionId === taker.executionId) {
		return run.index === taker.index;
	}
	return isManual || !isPassedOn;
}

function bytesOf({ request, json, traceId = '' }: PaidAnswer): number {
	return OVERHEAD_BYTES + Buffer.byteLength(request) + Buffer.byteLength(json) + Buffer.byteLength(traceId);
}
