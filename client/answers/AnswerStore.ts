const HOUR_MS = 3_600_000;

/** Enough to rerun a large run. This many decisions of usual size fit into the bytes below. */
const MAX_ANSWERS = 10_000;

const MAX_BYTES = 32 * 1024 * 1024;

/** So that a few large answers cannot drive out all others. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/**
 * Memory that an answer takes besides its texts, rounded up: 10,000 answers of 300 characters were measured as 11 MiB with
 * Node 24.
 */
const OVERHEAD_BYTES = 512;

/** An answer as the service sent it. */
export interface PaidAnswer {
	/**
	 * The request that it answers: a hash of the workflow, the node, the base URL and the key, which alone get the answer,
	 * then its path and body, or a hash of them.
	 */
	request: string;
	/** The JSON of the response's body, without the key. */
	json: string;
	traceId?: string | undefined;
}

/** A moment by both clocks: the machine's may be set, and the process's may stand still while the machine sleeps. */
export interface Moment {
	/** Unix milliseconds. */
	wallMs: number;
	/** Milliseconds since the process started. */
	elapsedMs: number;
}

/** One run of a node in an execution. */
export interface Run {
	/** Undefined if it is not known. */
	executionId: string | undefined;
	/** The tries of a run have the same index; the passes of a loop do not. */
	index: unknown;
}

export interface KeptAnswer extends PaidAnswer {
	/** The end of the run that paid for it. */
	ended: Moment;
	run: Run;
	/** Whether the items of that run were passed on, so that a schedule must not take their answers. */
	isPassedOn: boolean;
}

/** Answers up to a maximum of their number and memory. The oldest are dropped first. */
export class BoundedAnswers<One extends PaidAnswer = PaidAnswer> implements Iterable<One> {
	private readonly answers = new Set<One>();

	private bytes = 0;

	get size(): number {
		return this.answers.size;
	}

	[Symbol.iterator](): Iterator<One> {
		return this.answers.values();
	}

	/** @returns whether it is small enough */
	add(answer: One): boolean {
		if (Buffer.byteLength(answer.json) > MAX_ANSWER_BYTES) return false;
		this.answers.add(answer);
		this.bytes += bytesOf(answer);
		for (const oldest of this.answers) {
			if (this.size <= MAX_ANSWERS && this.bytes <= MAX_BYTES) break;
			this.delete(oldest);
		}
		return true;
	}

	delete(answer: One): void {
		if (this.answers.delete(answer)) this.bytes -= bytesOf(answer);
	}
}

/** Answers of runs that ended, for an hour after their end. They are kept in the memory of the process only. */
export class AnswerStore extends BoundedAnswers<KeptAnswer> {
	private readonly byRequest = new Map<string, Set<KeptAnswer>>();

	constructor(readonly now: () => Moment = () => ({ wallMs: Date.now(), elapsedMs: performance.now() })) {
		super();
	}

	/** Milliseconds since the end of the run that paid, by the clock that counted more. */
	ageOf({ ended }: KeptAnswer): number {
		const { wallMs, elapsedMs } = this.now();
		return Math.max(wallMs - ended.wallMs, elapsedMs - ended.elapsedMs);
	}

	override add(answer: KeptAnswer): boolean {
		this.dropExpired();
		if (!super.add(answer)) return false;
		const { request } = answer;
		this.byRequest.set(request, (this.byRequest.get(request) ?? new Set()).add(answer));
		return true;
	}

	override delete(answer: KeptAnswer): void {
		super.delete(answer);
		const answers = this.byRequest.get(answer.request);
		answers?.delete(answer);
		if (answers?.size === 0) this.byRequest.delete(answer.request);
	}

	/**
	 * An answer to the request, which stays in the store; undefined if there is none that the run may have.
	 * @param run that asks; called only if there is an answer
	 * @param isManual whether a person started the execution in the editor
	 */
	find(request: string, run: () => Run, isManual: boolean): KeptAnswer | undefined {
		for (const answer of this.byRequest.get(request) ?? []) {
			if (this.ageOf(answer) < HOUR_MS && mayTake(answer, run(), isManual)) return answer;
		}
		return undefined;
	}

	private dropExpired(): void {
		for (const oldest of this) {
			if (this.ageOf(oldest) < HOUR_MS) return;
			this.delete(oldest);
		}
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
