import type { LoggedRequest, RequestLog } from './RequestLog';

/** What a limit counts. */
export type Unit = 'requests' | 'tokens';

/** What the requests since a moving moment have taken of a limit. */
export class Usage {
	/** Whether the service counts refused requests as well. */
	private countsRefused = false;

	private headIndex: number;

	private countedToIndex: number;

	private sum = 0;

	constructor(
		private readonly log: RequestLog,
		private readonly unit: Unit,
	) {
		this.headIndex = log.beginIndex;
		this.countedToIndex = log.beginIndex;
		log.listen((before, after) => {
			if (after.index >= this.headIndex && after.index < this.countedToIndex) {
				this.sum += this.costOf(after) - this.costOf(before);
			}
		});
	}

	/** Expected cost of a request that has not started. */
	get nextCost(): number {
		return this.unit === 'tokens' ? this.log.meanTokens : 1;
	}

	costOf(entry: LoggedRequest): number {
		if (entry.outcome === 'refused' && !this.countsRefused) return 0;
		return this.unit === 'tokens' ? (entry.tokens ?? entry.expectedTokens) : 1;
	}

	countRefused(): void {
		this.countsRefused = true;
		this.recount();
	}

	get refusedAreCounted(): boolean {
		return this.countsRefused;
	}

	/** What the requests after the moment have taken. The moment must not go back. */
	after(momentMs: number): number {
		this.countNew();
		for (let entry = this.log.at(this.headIndex); entry && entry.startMs <= momentMs;) {
			this.sum -= this.costOf(entry);
			entry = this.log.at(++this.headIndex);
		}
		return this.sum;
	}

	/** Start of the request whose leaving brings the sum down by the excess. */
	startOfExcess(excess: number): number | undefined {
		let left = excess;
		for (let index = Math.max(this.headIndex, this.log.beginIndex); index < this.log.endIndex; index++) {
			const entry = this.log.at(index)!;
			left -= this.costOf(entry);
			if (left <= 1e-9) return entry.startMs;
		}
		return undefined;
	}

	/** What requests took that started after the moment, and before the request where one is given. */
	since(
		fromMs: number,
		before?: LoggedRequest,
		counted: (entry: LoggedRequest) => number = (e) => this.costOf(e),
	): number {
		let sum = 0;
		for (let index = this.log.endIndex - 1; index >= this.log.beginIndex; index--) {
			const entry = this.log.at(index)!;
			if (entry.startMs <= fromMs) break;
			if (!before || entry.index < before.index) sum += counted(entry);
		}
		return sum;
	}

	/** What requests took that started after one moment, and not after another. */
	between(fromMs: number, toMs: number): number {
		return this.startedBetween(fromMs, toMs).reduce((sum, entry) => sum + this.costOf(entry), 0);
	}

	/** The requests that started after one moment, and not after another, in the order of their starts. */
	startedBetween(fromMs: number, toMs: number): LoggedRequest[] {
		const requests: LoggedRequest[] = [];
		for (let index = this.log.endIndex - 1; index >= this.log.beginIndex; index--) {
			const entry = this.log.at(index)!;
			if (entry.startMs <= fromMs) break;
			if (entry.startMs <= toMs) requests.push(entry);
		}
		return requests.reverse();
	}

	/** Start of the latest request that must leave before another has room, if refused requests took as much as others. */
	startOfExcessCountingRefused(capacity: number): number {
		let room = capacity - this.nextCost;
		for (let index = this.log.endIndex - 1; index >= this.log.beginIndex; index--) {
			const entry = this.log.at(index)!;
			room -= entry.outcome === 'refused' ? this.nextCost : this.costOf(entry);
			if (room < 0) return entry.startMs;
		}
		return -Infinity;
	}

	private countNew(): void {
		if (this.headIndex < this.log.beginIndex) this.recount();
		for (; this.countedToIndex < this.log.endIndex; this.countedToIndex++) {
			this.sum += this.costOf(this.log.at(this.countedToIndex)!);
		}
	}

	private recount(): void {
		this.headIndex = Math.max(this.headIndex, this.log.beginIndex);
		this.sum = 0;
		this.countedToIndex = this.headIndex;
	}
}
