import { WORTH, type Emptiness, type Rate, type Stretch } from './Bucket';
import { MINUTE_MS } from './Window';
import type { LoggedRequest, RequestLog } from './RequestLog';

/** Requests over which the share of others is averaged, and after which a proof of the gap is forgotten. */
const REMEMBERED = 32;

/** Proofs after which they count, though all are longer than the gap that was guessed. */
const FEW = 4;

/** One request of 16 comes too soon, to see whether the gap is shorter: 6% are refused, of the 10% that the rows of the bench allow. */
const PROBE_EVERY = 16;

/** So many in a row are others' doing in one case of a hundred, even where they take half of the places. */
const MOST_IN_A_ROW = 6;

/** In gaps. The first probe comes after half of one. After a refused probe the next step is about half as large, at least 8%. */
const SOONEST = 0.5;

const LEAST_SOONER = 0.92;

/** Until requests have shown it, others are thought to take about a third of the places. */
const UNKNOWN_OTHERS = 0.3;

/** The mean part of a gap that is left to others: always a little, because clients that are shut out cannot be seen, and more where they are. */
const LEAST_ROOM = 0.05;

const MOST_ROOM = 0.2;

/**
 * A limit that lets one request through and then none for a while: a bucket without a burst. Whoever comes first gets the place, so
 * a refusal may be another client's doing. A short time between two requests that both get through is proof.
 */
export class Spacing implements Rate {
	private gapMs: number;

	/** The times between the latest ones that got through. */
	private proofs: number[] = [];

	/** The share of the latest requests that were refused although they were not too soon. */
	othersShare = UNKNOWN_OTHERS;

	private refusedInARow = 0;

	/** When the next probe comes, in gaps. */
	private sooner = SOONEST;

	private sinceProbe = PROBE_EVERY;

	/** When the next request comes if the last one gets through, in gaps. */
	private next = SOONEST;

	private refusedMs = -Infinity;

	/** The `Retry-After` of the latest refusal. */
	private pauseMs = 0;

	/** The first request whose outcome has not been read. */
	private unreadIndex: number;

	private passedMs = -Infinity;

	constructor(
		private readonly log: RequestLog,
		private readonly random: () => number,
		{ fromMs, toMs }: Stretch,
	) {
		this.unreadIndex = log.firstAfter(fromMs);
		this.gapMs = toMs - fromMs;
		this.read();
		// Others may have taken half of the places. Refusals soon correct a gap that is too short; one that is too long lasts.
		this.gapMs /= 2;
		this.proofs = [];
	}

	get shareMs(): number {
		return this.gapMs;
	}

	/** A probe in at least every fourth gap, because others that leave little look like an outage. */
	get longestGapMs(): number {
		return 4 * this.gapMs;
	}

	toString(): string {
		return `one each ${this.gapMs} ms, others take ${Math.round(100 * this.othersShare)}%`;
	}

	nextStartMs(now: number): number {
		const last = this.log.at(this.log.endIndex - 1);
		if (!last) return now;
		return Math.max(now, last.startMs + this.gapMs * (last.outcome === 'refused' ? 1 : this.next));
	}

	requestStarted({ startMs }: LoggedRequest): void {
		const isWorthIt = startMs >= this.refusedMs + WORTH * this.pauseMs;
		const isDue = ++this.sinceProbe >= PROBE_EVERY;
		const room = Math.min(MOST_ROOM, LEAST_ROOM + this.othersShare);
		this.next = isDue && isWorthIt ? this.sooner : 1 + 2 * room * this.random();
	}

	requestEnded(_entry: LoggedRequest, hasPassed: boolean): void {
		if (hasPassed) this.refusedInARow = 0;
		this.read();
	}

	requestRefused({ toMs }: Stretch, _now: number, toldMs: number | undefined): boolean {
		this.refusedInARow++;
		this.refusedMs = toMs;
		this.pauseMs = toldMs ?? 0;
		this.read();
		return toldMs === undefined && this.refusedInARow <= MOST_IN_A_ROW;
	}

	refusedLate(): void {
		this.read();
	}

	giveBack(): void {
		this.read();
	}

	outageEnded(): void {
		this.refusedInARow = 0;
		this.read();
	}

	isEmptyTooLong({ sinceMs, refusedMs }: Emptiness): boolean {
		return refusedMs - sinceMs > MINUTE_MS;
	}

	/** In the order of starts, because the time since the last success is only known when all requests before have ended. */
	private read(): void {
		const { log } = this;
		this.unreadIndex = Math.max(this.unreadIndex, log.beginIndex);
		for (; this.unreadIndex < log.endIndex; this.unreadIndex++) {
			const { startMs, outcome } = log.at(this.unreadIndex)!;
			if (outcome === 'open' && log.endIndex - this.unreadIndex < 2 * REMEMBERED) return;
			if (outcome !== 'passed' && outcome !== 'refused') continue;
			const hasPassed = outcome === 'passed';
			if (this.passedMs > -Infinity) this.learn(startMs - this.passedMs, hasPassed);
			if (hasPassed) this.passedMs = startMs;
		}
	}

	private learn(sinceMs: number, hasPassed: boolean): void {
		const ofGap = sinceMs / this.gapMs;
		if (hasPassed) {
			this.proofs.push(sinceMs);
			if (this.proofs.length > REMEMBERED) this.proofs.shift();
			const provenMs = Math.max(1, Math.min(...this.proofs));
			this.gapMs = this.proofs.length < FEW ? Math.min(this.gapMs, provenMs) : provenMs;
		}
		if (ofGap < 1) {
			this.readProbe(hasPassed);
			return;
		}
		this.othersShare += ((hasPassed ? 0 : 1) - this.othersShare) / REMEMBERED;
	}

	private readProbe(hasPassed: boolean): void {
		this.sinceProbe = 0;
		if (hasPassed) {
			this.sooner = Math.max(SOONEST, this.sooner ** 2);
			return;
		}
		// The more is refused anyway, the less a refusal says.
		this.sooner = Math.min(LEAST_SOONER, this.sooner ** (0.5 ** (1 - this.othersShare)));
	}
}
