import type { LoggedRequest } from './RequestLog';

/** A trial that has gone so well for so many requests is over: the limit is unknown again. */
const LONGEST_TRIAL = 100;

interface TrialBeginning {
	/** After an outage that ended unexpectedly, or for a place more than the limit had so far. */
	kind: 'return' | 'raise';
	/** Index of its first request. */
	fromIndex: number;
	/** Last refusal, or start, before. */
	afterMs: number;
	startMs: number;
}

/** Goes on beyond what is known of the limit, in steps that grow as long as all requests of one get through. */
export class Trial {
	/** Requests that got through in the steps that are over. */
	total = 0;

	private size = 1;

	private started = 0;

	private open = 0;

	private passed = 0;

	constructor(private readonly beginning: TrialBeginning) {}

	/** One that goes on after a probe that got through. */
	static afterProbe(beginning: Omit<TrialBeginning, 'kind'>): Trial {
		const trial = new Trial({ ...beginning, kind: 'return' });
		trial.size = 2;
		trial.total = 1;
		return trial;
	}

	get kind(): TrialBeginning['kind'] {
		return this.beginning.kind;
	}

	get afterMs(): number {
		return this.beginning.afterMs;
	}

	get startMs(): number {
		return this.beginning.startMs;
	}

	get hasRoom(): boolean {
		return this.started < this.size;
	}

	get isLongest(): boolean {
		return this.total >= LONGEST_TRIAL;
	}

	includes({ index }: LoggedRequest): boolean {
		return index >= this.beginning.fromIndex;
	}

	requestStarted(): void {
		this.started++;
		this.open++;
	}

	requestEnded(hasPassed: boolean): void {
		if (hasPassed) this.passed++;
		this.open--;
	}

	/**
	 * Goes on to the next step when one is over.
	 * @param capacity of the limit, in requests
	 * @returns whether one was
	 */
	step(capacity: number): boolean {
		if (this.open > 0 || this.hasRoom) return false;
		this.total += this.passed;
		const most = Math.max(2, Math.ceil(Math.max(capacity / 5, this.total / 2)));
		this.size = Math.min(this.size * 2, most);
		this.started = 0;
		this.passed = 0;
		return true;
	}
}
