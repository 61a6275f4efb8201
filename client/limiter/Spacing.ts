import type { Emptiness } from './Bucket';
import type { RequestLog } from './RequestLog';

/** The longest back-off. */
const LONGEST_GAP_MS = 30_000;

/** Of so many requests, the share that others took the place of is remembered. */
const REMEMBERED = 32;

/** One request of so many comes sooner than the gap, to see whether it is shorter: 6% refused. */
const PROBES = 16;

const PROOFS = 24;

const SOONER = 0.92;

/** Left to others. */
const P = (process.env.P ?? '0.05,0,0.1,0.25,0.05,8,1.15').split(',').map(Number);

/** A limit that lets one request through and then none for a while, as a bucket without a burst does. */
export class Spacing {
	private gapMs: number;

	/** Of the latest requests that were not too early, those that were refused: others came first. */
	private others = 0.3;

	/** Refused in a row: all, and those after the gap and before long. */
	private refusedInARow = 0;

	private earlyInARow = 0;

	private sinceProbe = PROBES;

	private sooner = 0.5;

	private proofs: number[] = [];

	private waits = 1;

	private refusedMs = -Infinity;

	private pauseMs = 0;

	private nextIndex = 0;

	private passedMs = -Infinity;

	constructor(
		private readonly log: RequestLog,
		private readonly random: () => number,
		fromMs: number,
		toMs: number,
	) {
		let passed = 0;
		for (let index = log.firstAfter(fromMs); index < log.firstAfter(toMs); index++) {
			if (log.at(index)!.outcome === 'passed') passed++;
		}
		this.gapMs = passed > 0 ? Math.max(1, (toMs - fromMs) / passed) : 6000;
		this.nextIndex = log.firstAfter(fromMs);
		this.read();
		this.gapMs /= P[5]!;
		this.requestStarted();
	}

	toString(): string {
		return `a request each ${this.gapMs} ms, ${Math.round(100 * this.others)}% refused because of others`;
	}

	nextStartMs(now: number): number {
		const last = this.log.at(this.log.endIndex - 1);
		return last ? Math.max(now, last.startMs + this.gapMs * (last.outcome === 'refused' ? this.retry : this.waits)) : now;
	}

	requestStarted(nowMs = -Infinity): void {
		const isProbe =
			++this.sinceProbe >= Math.max(4, PROBES * (1 - 2 * this.others)) &&
			nowMs >= this.refusedMs + PROBES * this.pauseMs;
		this.waits = isProbe ? this.sooner : 1 + 2 * this.room * this.random();
	}

	requestEnded(hasPassed: boolean): void {
		if (hasPassed) this.refusedInARow = 0;
		this.read();
	}

	/** @returns whether requests go on */
	requestRefused(nowMs: number, toldMs: number | undefined): boolean {
		this.refusedMs = nowMs;
		this.pauseMs = toldMs ?? 0;
		this.refusedInARow++;
		this.read();
		return Math.min(0.8, Math.max(0.5, this.others)) ** this.refusedInARow > 0.01;
	}

	nextProbeMs({ refusedMs, refusedProbes }: Emptiness): number {
		return refusedMs + Math.min(LONGEST_GAP_MS, Math.max(20, this.gapMs) * 2 ** refusedProbes);
	}

	isEmptyTooLong({ sinceMs, refusedMs, refusedProbes }: Emptiness): boolean {
		return refusedProbes >= 3 && refusedMs - sinceMs > Math.max(60_000, 20 * this.gapMs);
	}

	private get room(): number {
		return Math.min(P[2]!, P[0]! + P[1]! * this.others);
	}

	/** After a refusal, of the gap: soon where it was too early, a gap later where another came first. */
	private get retry(): number {
		return Math.max(P[3]!, this.others / (this.others + P[4]!));
	}

	/** In the order of starts, for whether one was too early shows when those before it have ended. */
	private read(): void {
		const { log } = this;
		this.nextIndex = Math.max(this.nextIndex, log.beginIndex);
		for (; this.nextIndex < log.endIndex; this.nextIndex++) {
			const { startMs, outcome } = log.at(this.nextIndex)!;
			if (outcome === 'open' && log.endIndex - this.nextIndex < 2 * REMEMBERED) break;
			if (outcome !== 'passed' && outcome !== 'refused') continue;
			if (this.passedMs > -Infinity) this.learn(startMs - this.passedMs, outcome === 'passed');
			if (outcome === 'passed') this.passedMs = startMs;
		}
	}

	private learn(gapMs: number, hasPassed: boolean): void {
		const ratio = gapMs / this.gapMs;
		if (hasPassed) {
			this.proofs.push(gapMs);
			if (this.proofs.length > PROOFS) this.proofs.shift();
			this.gapMs = Math.max(1, Math.min(...this.proofs));
		}
		if (ratio < 1) {
			if (hasPassed) this.sooner = Math.max(0.5, this.sooner ** 2);
			else {
				this.sinceProbe = 0;
				this.sooner = Math.min(SOONER, Math.sqrt(this.sooner));
			}
			return;
		}
		this.others += ((hasPassed ? 0 : 1) - this.others) / REMEMBERED;
		if (hasPassed) this.earlyInARow = 0;
		else if (ratio < 1.6 && Math.max(0.1, this.others) ** ++this.earlyInARow < 0.01) {
			this.proofs = [];
			this.gapMs *= this.sooner < SOONER ? 1.4 : 1.15;
			this.earlyInARow = 0;
		}
	}
}
