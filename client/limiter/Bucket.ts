import type { Credit } from './Credit';
import { MINUTE_MS } from './MinuteWindow';
import type { Outage } from './Outage';
import type { LoggedRequest } from './RequestLog';
import type { Usage } from './Usage';

/** The rate of a bucket of which nothing is known: ten a minute. */
const UNKNOWN_PER_MS = 1 / 6000;

const LONGEST_GAP_MS = 30_000;

/** The requests that got through until a refusal. */
interface Stretch {
	fromMs: number;
	toMs: number;
	/** The refused request, where one ends it. */
	refused?: LoggedRequest | undefined;
	/** What the service's word on its next place says about the rate, 0 for nothing. */
	promisedPerMs: number;
	/** Whether the refusal may be the item's own fault. */
	isSuspect?: boolean;
}

/** A limit whose places come back one after the other, at a rate. */
export class Bucket {
	private perMs = 0;

	/** A rate much lower than before, until a probe has told whether it is true. */
	private doubtedPerMs = 0;

	private level = 0;

	private levelAtMs: number;

	/** Requests that got through since the last refusal. */
	private passed = 0;

	/** Requests after which the rate that was measured is thought too low. */
	private calm = 10;

	/** @param capacity what the limit has let through at once */
	constructor(
		private readonly usage: Usage,
		private readonly credit: Credit,
		private readonly capacity: number,
		stretch: Stretch,
	) {
		this.levelAtMs = stretch.toMs;
		this.measure(stretch);
		if (this.perMs === 0) this.perMs = UNKNOWN_PER_MS;
	}

	nextStartMs(now: number): number {
		this.fill(now);
		const missing = this.usage.nextCost - this.level;
		return missing <= 1e-9 ? now : now + missing / this.pacePerMs;
	}

	/**
	 * The least until so much has come back, as far as the rate is sure.
	 * @param cost of all requests until then
	 */
	leastWaitMs(cost: number): number {
		return this.calm < 10 ? 0 : (cost - this.capacity) / (1.3 * this.pacePerMs);
	}

	requestStarted(entry: LoggedRequest): void {
		this.fill(entry.startMs);
		this.level -= this.usage.costOf(entry);
	}

	/** The rate grows as CUBIC does: hardly near the last refusal's, then ever faster. */
	requestPassed(): void {
		this.passed++;
		if (this.passed < 2.7 * this.calm) return;
		this.perMs = this.pacePerMs;
		this.passed = this.calm;
	}

	requestRefused(stretch: Stretch): void {
		this.measure(stretch);
		this.level = Math.min(this.level, 0);
	}

	/** @returns whether it has been empty for too long for a bucket */
	probeRefused(
		{ sinceMs, refusedProbes }: Outage,
		{ startMs }: LoggedRequest,
		promisedPerMs: number,
	): boolean {
		if (this.doubtedPerMs > 0) {
			this.perMs = Math.max(this.doubtedPerMs, this.provenPerMs(startMs, promisedPerMs));
		}
		this.doubtedPerMs = 0;
		return refusedProbes >= 3 && startMs - sinceMs > 4 * this.shareMs + 1000;
	}

	outageEnded(probe: LoggedRequest): void {
		this.levelAtMs = probe.startMs;
		this.doubtedPerMs = 0;
		this.level = Math.max(0, this.level);
	}

	nextProbeMs({ refusedMs, refusedProbes }: Outage): number {
		if (this.doubtedPerMs > 0) return refusedMs + Math.max(20, 0.2 * this.shareMs);
		return refusedMs + Math.min(LONGEST_GAP_MS, Math.max(20, this.shareMs) * 2 ** refusedProbes);
	}

	/** Milliseconds in which a place comes back. */
	private get shareMs(): number {
		return this.usage.nextCost / this.perMs;
	}

	private get pacePerMs(): number {
		const { perMs, passed, calm } = this;
		const growth = 1 + 0.1 * ((passed - calm) / calm) ** 3;
		return perMs * (this.credit.affordsProbe ? growth : Math.min(0.97, growth));
	}

	private fill(now: number): void {
		const burst = Math.max(this.usage.nextCost, this.capacity / 2);
		this.level = Math.min(burst, this.level + (now - this.levelAtMs) * this.pacePerMs);
		this.levelAtMs = now;
	}

	private measure(stretch: Stretch): void {
		const { toMs, refused, promisedPerMs, isSuspect = false } = stretch;
		const fromMs = Math.max(stretch.fromMs, toMs - MINUTE_MS);
		const amount = this.usage.since(fromMs, refused);
		if (amount > 0 || this.perMs > 0) this.adjust(amount / Math.max(1, toMs - fromMs), isSuspect);
		this.perMs = Math.max(this.perMs, this.provenPerMs(toMs, promisedPerMs));
		const { nextCost } = this.usage;
		this.calm = Math.min(Math.max(5, amount / nextCost), Math.max(14, (4000 * this.perMs) / nextCost));
		this.passed = 0;
	}

	private adjust(measured: number, isSuspect: boolean): void {
		const { perMs } = this;
		// So much less than before may be the item's fault, or chance: a probe before its time will tell.
		if (measured < 0.8 * perMs && (isSuspect || this.credit.isAmple)) {
			this.doubtedPerMs = Math.max(measured, perMs / 2);
		} else if (measured < perMs / 2) this.perMs /= 2;
		// More than before again: the bucket has been full meanwhile, and what overflowed was not measured.
		else if (perMs > 0 && measured > 1.03 * perMs) this.perMs = Math.max(measured, 0.9 * this.pacePerMs);
		else this.perMs = measured;
	}

	/** What has passed in a minute is at most a burst and a minute's share, and the burst is rarely more than that share. */
	private provenPerMs(atMs: number, promisedPerMs: number): number {
		return Math.max(promisedPerMs, this.usage.between(atMs - MINUTE_MS, atMs) / MINUTE_MS / 2);
	}
}
