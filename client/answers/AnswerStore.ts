const HOUR_MS = 3_600_000;

/** Enough to rerun a large run. This many decisions of usual size fit into the bytes below. */
const MOST_ANSWERS = 10_000;

const MOST_BYTES = 32 * 1024 * 1024;

/**
 * Memory that an answer takes besides its texts, rounded up: 10,000 answers of 300 characters were measured as 11 MiB with
 * Node 24.
 */
const OVERHEAD_BYTES = 512;

/** An answer as the service sent it. */
export interface Answer {
	/** The JSON of the response's body, without the key. */
	json: string;
	traceId?: string;
}

export interface KeptAnswer extends Answer {
	/** When its run ended, in Unix milliseconds. */
	endedMs: number;
	/** If set, only the tries of this run may take it, and runs that a person starts. */
	onlyForRun?: string;
}

/** The run that asks for an answer. */
interface Taker {
	/** Identifies the tries of one run. */
	run: string | undefined;
	/** Whether a person runs the workflow, or runs it again. */
	isByHand: boolean;
}

/**
 * Answers of runs that ended, for an hour after their end. They are kept in the memory of the process only, up to a maximum;
 * the oldest are dropped first. An answer is found by its ID: a keyed hash of everything that was sent, and of who sent it.
 */
export class AnswerStore {
	/** The oldest answers come first. */
	private readonly answers = new Map<string, KeptAnswer>();

	private bytes = 0;

	/** @param now Unix milliseconds by the machine's clock, which continues while it sleeps */
	constructor(readonly now: () => number) {}

	/** How many answers are kept now. */
	get size(): number {
		this.forgetOld();
		return this.answers.size;
	}

	keep(id: string, answer: KeptAnswer): void {
		this.forget(id);
		this.answers.set(id, answer);
		this.bytes += bytesOf(id, answer);
		this.forgetOld();
	}

	/** The answer, which stays in the store; undefined if there is none that the taker may have. */
	find(id: string, { run, isByHand }: Taker): KeptAnswer | undefined {
		this.forgetOld();
		const answer = this.answers.get(id);
		const mayTake = answer?.onlyForRun === undefined || isByHand || answer.onlyForRun === run;
		return mayTake ? answer : undefined;
	}

	forget(id: string): void {
		const answer = this.answers.get(id);
		if (!answer) return;
		this.answers.delete(id);
		this.bytes -= bytesOf(id, answer);
	}

	private forgetOld(): void {
		const oldestMs = this.now() - HOUR_MS;
		for (const [id, { endedMs }] of this.answers) {
			const isTooMuch = this.answers.size > MOST_ANSWERS || this.bytes > MOST_BYTES;
			if (!isTooMuch && endedMs > oldestMs) return;
			this.forget(id);
		}
	}
}

/** An upper bound: a character takes one byte in a text of Latin letters, and two in any other. */
function bytesOf(id: string, { json, traceId = '', onlyForRun = '' }: KeptAnswer): number {
	return OVERHEAD_BYTES + 2 * (id.length + json.length + traceId.length + onlyForRun.length);
}
