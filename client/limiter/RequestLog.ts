/** What a limit counts. */
export type Unit = 'requests' | 'tokens';

/** Longer than the minute of a limit, for what is read from the log a while after a refusal. */
const KEPT_MS = 65_000;

/** A service that lets more through within a minute has no limit that matters here. */
const MOST_KEPT = 50_000;

/** Answers after which the mean of their tokens counts half, so that another kind of request shows soon. */
const MOST_ANSWERS_TOLD = 64;

/** A request as the log has it. */
export interface LoggedRequest {
	/** When it was let go, by the clock of the limiter. */
	readonly startMs: number;
	/** Counts all requests of the log, from 0. */
	readonly index: number;
	/** Tokens: what the answer told, and until then what was expected. */
	tokens: number;
	outcome: 'open' | 'passed' | 'refused' | 'released';
}

/** The requests of the last minute, in the order of their starts. */
export class RequestLog {
	private entries: LoggedRequest[] = [];

	/** Index of the first. */
	beginIndex = 0;

	/** Without an outcome. */
	inFlight = 0;

	private readonly listeners: Array<(changed: LoggedRequest) => void> = [];

	private told = { tokens: 0, answers: 0 };

	/** Index after the last. */
	get endIndex(): number {
		return this.beginIndex + this.entries.length;
	}

	/** Mean of what the latest answers told, 1 before any has. */
	get meanTokens(): number {
		return this.told.answers > 0 ? this.told.tokens / this.told.answers : 1;
	}

	at(index: number): LoggedRequest | undefined {
		return this.entries[index - this.beginIndex];
	}

	/** Index of the first request that started after the moment. */
	firstAfter(momentMs: number): number {
		return this.beginIndex + lowestThat(this.entries.length, (at) => this.entries[at]!.startMs > momentMs);
	}

	listen(listener: (changed: LoggedRequest) => void): void {
		this.listeners.push(listener);
	}

	start(startMs: number): LoggedRequest {
		this.forgetBefore(startMs - KEPT_MS);
		this.inFlight++;
		const entry: LoggedRequest = { startMs, index: this.endIndex, tokens: this.meanTokens, outcome: 'open' };
		this.entries.push(entry);
		return entry;
	}

	settle(entry: LoggedRequest, outcome: LoggedRequest['outcome'], tokens?: number): void {
		this.inFlight--;
		entry.outcome = outcome;
		if (tokens !== undefined) {
			entry.tokens = tokens;
			const { told } = this;
			const kept = told.answers >= MOST_ANSWERS_TOLD ? 0.5 : 1;
			this.told = { tokens: told.tokens * kept + tokens, answers: told.answers * kept + 1 };
		}
		for (const listener of this.listeners) listener(entry);
	}

	private forgetBefore(timeMs: number): void {
		const { entries } = this;
		const isOld = (index: number) => entries[index]!.startMs < timeMs || entries.length - index > MOST_KEPT;
		// Moving the rest costs as much as it has entries, so nothing goes before a quarter may.
		let dropped = Math.ceil(entries.length / 4);
		if (dropped === 0 || !isOld(dropped - 1)) return;
		while (dropped < entries.length && isOld(dropped)) dropped++;
		this.entries = entries.slice(dropped);
		this.beginIndex += dropped;
	}
}

/** What the requests of the log have taken of a limit. */
export class Usage {
	/** What all before a request have taken, from the first in the log; the end is missing where something has changed. */
	private sums = [0];

	private beginIndex = 0;

	constructor(
		readonly log: RequestLog,
		private readonly unit: Unit,
		public countsRefused = false,
	) {
		log.listen(({ index }) => {
			if (index >= this.beginIndex) {
				this.sums.length = Math.min(this.sums.length, index - this.beginIndex + 1);
			}
		});
	}

	/** Expected cost of a request that has not started. */
	get nextCost(): number {
		return this.unit === 'tokens' ? this.log.meanTokens : 1;
	}

	costOf({ outcome, tokens }: LoggedRequest): number {
		if (outcome === 'refused' && !this.countsRefused) return 0;
		return this.unit === 'tokens' ? tokens : 1;
	}

	/** Refused requests take places of this limit too. */
	countRefused(): void {
		this.countsRefused = true;
		this.sums = [0];
	}

	/** What requests took that started after one moment, and not after another. */
	between(fromMs: number, toMs = Infinity): number {
		return this.sumBefore(this.log.firstAfter(toMs)) - this.sumBefore(this.log.firstAfter(fromMs));
	}

	/** What requests took that started after the moment, and before the request. */
	upTo(fromMs: number, { index }: LoggedRequest): number {
		return Math.max(0, this.sumBefore(index) - this.sumBefore(this.log.firstAfter(fromMs)));
	}

	/** Start of the request with which those that started after the moment had taken as much. */
	startOf(fromMs: number, amount: number): number | undefined {
		const first = this.log.firstAfter(fromMs);
		const sum = this.sumBefore(first) + amount - 1e-6;
		const count = this.log.endIndex - first;
		return this.log.at(first + lowestThat(count, (at) => this.sumBefore(first + at + 1) >= sum))?.startMs;
	}

	/** The requests that started after one moment, and not after another, in the order of their starts. */
	startedBetween(fromMs: number, toMs: number): LoggedRequest[] {
		const first = this.log.firstAfter(fromMs);
		return Array.from({ length: this.log.firstAfter(toMs) - first }, (_, at) => this.log.at(first + at)!);
	}

	private sumBefore(index: number): number {
		const { log, sums } = this;
		if (this.beginIndex !== log.beginIndex) {
			this.beginIndex = log.beginIndex;
			sums.length = 1;
		}
		for (let at = this.beginIndex + sums.length - 1; at < index; at++) {
			sums.push(sums.at(-1)! + this.costOf(log.at(at)!));
		}
		return sums[Math.max(0, index - this.beginIndex)]!;
	}
}

/** The lowest number below the count from which on something holds; the count where it never does. */
function lowestThat(count: number, holds: (at: number) => boolean): number {
	let low = 0;
	let high = count;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (holds(middle)) high = middle;
		else low = middle + 1;
	}
	return low;
}
