/** Longer than the minute of a limit, for what is read from the log a while after a refusal. */
const KEPT_MS = 65_000;

/** A service that lets more through within a minute has no limit that matters here. */
const MOST_KEPT = 50_000;

/** A request as the log has it. */
export interface LoggedRequest {
	/** When it was let go, by the clock of the limiter. */
	readonly startMs: number;
	/** Counts all requests of the log, from 0. */
	readonly index: number;
	/** Tokens it was expected to take when it started. */
	readonly expectedTokens: number;
	outcome: 'open' | 'passed' | 'refused' | 'released';
	/** What the answer told. */
	tokens?: number;
}

/** The requests of the last minute, in the order of their starts. */
export class RequestLog {
	private entries: LoggedRequest[] = [];

	private firstIndex = 0;

	private readonly listeners: Array<(before: LoggedRequest, after: LoggedRequest) => void> = [];

	private told = { tokens: 0, answers: 0 };

	/** Index after the last. */
	get endIndex(): number {
		return this.firstIndex + this.entries.length;
	}

	get beginIndex(): number {
		return this.firstIndex;
	}

	/** Mean of what the latest answers told, 1 before any has. */
	get meanTokens(): number {
		return this.told.answers > 0 ? this.told.tokens / this.told.answers : 1;
	}

	at(index: number): LoggedRequest | undefined {
		return this.entries[index - this.firstIndex];
	}

	/** Calls back after every change of an entry. */
	listen(listener: (before: LoggedRequest, after: LoggedRequest) => void): void {
		this.listeners.push(listener);
	}

	start(nowMs: number): LoggedRequest {
		this.forgetBefore(nowMs - KEPT_MS);
		const entry: LoggedRequest = {
			startMs: nowMs,
			index: this.endIndex,
			expectedTokens: this.meanTokens,
			outcome: 'open',
		};
		this.entries.push(entry);
		return entry;
	}

	settle(entry: LoggedRequest, outcome: LoggedRequest['outcome'], tokens?: number): void {
		const before = { ...entry };
		entry.outcome = outcome;
		entry.tokens = tokens;
		for (const listener of this.listeners) listener(before, entry);
		if (tokens !== undefined) this.learnTokens(tokens);
	}

	private learnTokens(tokens: number): void {
		// Halved now and then, so that another kind of requests shows soon.
		if (this.told.answers >= MOST_ANSWERS_TOLD) {
			this.told = { tokens: this.told.tokens / 2, answers: this.told.answers / 2 };
		}
		this.told.tokens += tokens;
		this.told.answers++;
	}

	private forgetBefore(timeMs: number): void {
		const { entries } = this;
		const isOld = (index: number) => entries[index]!.startMs < timeMs || entries.length - index > MOST_KEPT;
		// Moving the rest costs as much as it has entries, so nothing goes before a quarter may.
		let dropped = Math.ceil(entries.length / 4);
		if (dropped === 0 || !isOld(dropped - 1)) return;
		while (dropped < entries.length && isOld(dropped)) dropped++;
		this.entries = entries.slice(dropped);
		this.firstIndex += dropped;
	}
}

const MOST_ANSWERS_TOLD = 64;
