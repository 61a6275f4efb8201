import { Bucket, type Stretch } from './Bucket';
import { Credit } from './Credit';
import { LEAST_PLACES, MINUTE_MS, Window } from './Window';
import { Outage } from './Outage';
import type { LoggedRequest, RequestLog } from './RequestLog';
import { RetryAfter } from './RetryAfter';
import { Rival } from './Rival';
import { Trial } from './Trial';
import { Usage, type Unit } from './Usage';
import { WindowProbes } from './WindowProbes';

/** A probe that follows `Retry-After` comes so much later. */
const AFTER_HEADER_MS = 10;

/** Times between attempts to get more through than the limit had so far. */
const RAISE_EVERY_MS = 30_000;

/** So long after the latest refusal, they need no credit. No whole minutes, at whose beginning nothing is learned. */
const PEACE_MS = 75_000;

/** See the head comment of Limiter. */
export class LimitModel {
	private readonly usage: Usage;

	private readonly credit = new Credit();

	private readonly retryAfter = new RetryAfter();

	private readonly window: Window;

	private readonly rival: Rival;

	private readonly probes: WindowProbes;

	/** What the limit is, if it is not the window. */
	private bucket: Bucket | undefined;

	private outage: Outage | undefined;

	private trial: Trial | undefined;

	/** Whether the service has said when there is room again. */
	private hasRetryAfter = false;

	/** Start of the latest refused request that was news. */
	private markMs = -Infinity;

	/** Start of the latest refused request with which the window was full. */
	private fullMs = -Infinity;

	/** That of the window when the limit was last met. */
	private capacityMet = Infinity;

	/** The shorter length of the window that foretold the end of the latest outage. */
	private trialLengthMs: number | undefined;

	private raisedAtMs = -Infinity;

	/** Requests from this one on started after the latest refusal that was news had come. */
	private epochIndex = 0;

	constructor(
		private readonly log: RequestLog,
		unit: Unit,
		random: () => number,
	) {
		this.usage = new Usage(log, unit);
		this.window = new Window(this.usage);
		this.rival = new Rival(this.usage, this.window);
		this.probes = new WindowProbes(this.usage, this.window, this.rival, this.credit, random);
	}

	get isOut(): boolean {
		return this.outage !== undefined;
	}

	/** What the limit is thought to be, and why requests wait: a line for debugging. */
	toString(): string {
		const { outage, trial, bucket, window } = this;
		const state = outage
			? `out since ${outage.sinceMs}, probe at ${outage.nextStartMs}`
			: trial
				? 'in a trial'
				: 'open';
		const limit = bucket ? bucket.toString() : window.toString();
		return `${state}, ${limit}`;
	}

	/** When the next request may start; `Infinity` for not before an answer has come. */
	nextStartMs(now: number): number {
		const { outage, trial } = this;
		if (outage) return outage.nextStartMs;
		if (trial) return trial.hasRoom ? now : Infinity;
		return this.bucket ? this.bucket.nextStartMs(now) : this.nextStartOfWindowMs(now);
	}

	started(entry: LoggedRequest): void {
		const { outage, trial } = this;
		if (outage) outage.probe = entry;
		else if (trial) trial.requestStarted();
		else if (this.bucket) this.bucket.requestStarted(entry);
		else if (!this.window.fits(entry.startMs, entry)) this.beginTrial(entry);
	}

	passed(entry: LoggedRequest): void {
		this.credit.earn();
		const { outage, trial } = this;
		if (outage) {
			if (outage.probe === entry) this.endOutage(entry, outage);
			return;
		}
		if (entry.index < this.epochIndex) return;
		if (trial) {
			if (trial.includes(entry)) this.goOnWith(trial, true);
		} else this.bucket?.requestPassed(entry);
	}

	released(entry: LoggedRequest): void {
		this.bucket?.requestReleased(entry);
		if (this.outage?.probe === entry) this.outage.probe = undefined;
		if (this.trial?.includes(entry)) this.goOnWith(this.trial, false);
	}

	/** Whether the limit, as far as it is known, may well have refused the request. */
	expectsRefusal(entry: LoggedRequest): boolean {
		return Boolean(this.outage ?? this.trial ?? this.bucket) || this.window.isNearlyFull(entry);
	}

	/** A request was refused that would be whatever the limit is. */
	refusedForItself(entry: LoggedRequest): void {
		this.bucket?.refusedLate(entry);
		this.bucket?.giveBack(entry);
		this.released(entry);
	}

	/** @param toldMs what the service said, counted from now */
	refused(entry: LoggedRequest, now: number, toldMs: number | undefined): void {
		const retryAfterMs = RetryAfter.read(toldMs);
		this.credit.pay(entry.index, this.log.endIndex);
		if (entry.index < this.epochIndex) {
			this.refusedLate(entry, now, retryAfterMs);
			return;
		}
		this.epochIndex = this.log.endIndex;
		this.hasRetryAfter = retryAfterMs !== undefined;
		const { outage, trial } = this;
		this.trial = undefined;
		if (outage) this.probeRefused(outage, entry);
		else if (trial) this.trialRefused(trial, entry);
		else this.limitMet(entry, now, retryAfterMs);
		this.planProbe(now, retryAfterMs);
	}

	private nextStartOfWindowMs(now: number): number {
		if (this.window.fits(now)) return now;
		return Math.max(now, Math.min(this.window.nextReturnMs(now), this.nextTrialMs(now)));
	}

	/** When a request more than the limit had so far may be tried. */
	private nextTrialMs(now: number): number {
		// Whatever the credit, lest what was learned wrongly be kept.
		const freeMs = this.markMs + PEACE_MS;
		if (!this.credit.affordsTrial) return freeMs;
		if (!this.rival.isWindowConfirmed) return Math.min(freeMs, this.rivalTestMs);
		const isWorthIt = now >= this.raisedAtMs + RAISE_EVERY_MS && this.window.hasGap(now);
		return isWorthIt ? now : freeMs;
	}

	/** When a bucket would have room again, though the window is full. */
	private get rivalTestMs(): number {
		return this.lastStartMs + 2 * this.rival.shareMs;
	}

	private get lastStartMs(): number {
		return this.log.at(this.log.endIndex - 1)!.startMs;
	}

	private beginTrial(entry: LoggedRequest): void {
		this.raisedAtMs = entry.startMs;
		this.trial = new Trial({
			kind: this.rival.isWindowConfirmed ? 'raise' : 'return',
			fromIndex: entry.index,
			afterMs: this.log.at(entry.index - 1)?.startMs ?? this.markMs,
			startMs: entry.startMs,
		});
		this.trial.requestStarted();
	}

	private goOnWith(trial: Trial, hasPassed: boolean): void {
		trial.requestEnded(hasPassed);
		const cost = this.usage.nextCost;
		const { capacity } = this.window;
		if (!trial.step(capacity / cost)) return;
		const total = trial.total * cost;
		if (trial.isLongest && (trial.kind === 'raise' || total >= capacity)) {
			this.trial = undefined;
			this.window.capacity = Infinity;
		} else if (
			trial.kind === 'return' &&
			total >= Math.max(LEAST_PLACES * cost, capacity / 2) &&
			total < capacity
		) {
			this.trial = undefined;
			this.noteEdge(trial, total, this.lastStartMs);
		}
	}

	/** A refusal of a request that was in flight when another was refused. */
	private refusedLate(entry: LoggedRequest, now: number, retryAfterMs: number | undefined): void {
		const { outage, bucket } = this;
		bucket?.refusedLate(entry);
		if (!outage) return;
		if (outage.refusedProbes === 0) {
			if (!bucket) {
				this.window.measureAt(outage.refusedMs);
				this.doubtAfterShrinking();
			}
			if (!outage.probe && !outage.byHeader) outage.plan(this.nextProbeMs(outage, now), now);
		}
		if (retryAfterMs !== undefined) {
			outage.holdBack(now + retryAfterMs);
			outage.nextProbeMs = Math.max(outage.nextProbeMs, outage.notBeforeMs);
		}
	}

	/** A window that is full with less than half of what it was thought to hold is none. */
	private doubtAfterShrinking(): void {
		if (this.window.capacity < this.capacityMet / 2) {
			this.rival.doubt();
		}
	}

	private limitMet(entry: LoggedRequest, now: number, retryAfterMs: number | undefined): void {
		const { bucket, markMs } = this;
		this.markMs = entry.startMs;
		if (bucket) {
			const stretch = this.stretchOf(markMs, entry.startMs);
			if (bucket.requestRefused(stretch, now) && retryAfterMs === undefined) return;
		} else {
			this.capacityMet = this.window.capacity;
			this.window.measure(entry);
			this.doubtAfterShrinking();
			this.fullMs = entry.startMs;
		}
		this.outage = new Outage(entry.startMs);
	}

	private probeRefused(outage: Outage, entry: LoggedRequest): void {
		if (!this.bucket) this.measureByProbe(outage, entry);
		outage.probeRefused(entry);
		if (outage.byHeader) this.retryAfter.wasBroken();
		this.rival.probeRefused(outage);
		if (this.bucket?.isEmptyTooLong(outage)) {
			this.bucket = undefined;
			this.window.restart(entry);
		}
	}

	private measureByProbe(outage: Outage, probe: LoggedRequest): void {
		if (outage.wentAsPredicted(probe) && this.window.lengthen()) {
			outage.isExpected = false;
			return;
		}
		if (outage.wentAsPredicted(probe)) this.window.widenMargin();
		else this.window.measureAt(probe.startMs);
	}

	private endOutage(probe: LoggedRequest, outage: Outage): void {
		this.outage = undefined;
		if (outage.byHeader) this.retryAfter.wasKept();
		if (outage.wentForAll(probe)) this.usage.countRefused();
		if (this.bucket) {
			this.bucket.outageEnded(probe);
			this.markMs = outage.refusedMs;
			return;
		}
		const places = this.window.readReturn(probe, outage.refusedMs);
		if (places === 'predicted') this.rival.windowPredicted(outage, probe.startMs);
		if (places !== 'unexpected') return;
		this.trialLengthMs = this.window.shorterLengthMs(probe, outage);
		this.trial = Trial.afterProbe({
			fromIndex: this.log.endIndex,
			afterMs: outage.refusedMs,
			startMs: probe.startMs,
		});
	}

	private trialRefused(trial: Trial, entry: LoggedRequest): void {
		const gotNothing = trial.total === 0;
		const hasDoubled = trial.total * this.usage.nextCost >= this.window.capacity;
		if (hasDoubled) this.rival.doubt();
		this.outage = new Outage(entry.startMs, gotNothing || (trial.kind === 'raise' && !hasDoubled));
		if (gotNothing) this.rival.isRefuted ||= trial.kind === 'return';
		else if (trial.kind === 'raise') this.window.measure(entry);
		else this.readReturn(trial, entry);
		this.markMs = entry.startMs;
	}

	/** About as many as before an outage mean an edge, few mean a bucket. */
	private readReturn(trial: Trial, entry: LoggedRequest): void {
		const at = entry.startMs;
		const { capacity } = this.window;
		const amount = this.usage.since(trial.afterMs, entry);
		const isFew = capacity < LEAST_PLACES * this.usage.nextCost && at - trial.afterMs < 15_000;
		if (amount < capacity / 2 || isFew) {
			this.becomeBucket(trial.afterMs, at);
			return;
		}
		this.noteEdge(trial, amount, at);
		if (!this.bucket) this.window.measure(entry);
	}

	/** @param amount what got through in the trial, until `toMs` */
	private noteEdge({ afterMs, startMs }: Trial, amount: number, toMs: number): void {
		const { edge } = this.window;
		const isTooSoon = edge !== undefined && startMs - edge.byMs < (this.window.lengthMs * 5) / 6;
		if (this.trialLengthMs !== undefined) {
			this.window.shorten(this.trialLengthMs, { afterMs, byMs: startMs });
			this.rival.doubt();
		} else if (isTooSoon) {
			this.becomeBucket(edge.byMs, this.lastStartMs);
		} else {
			this.window.edge = { afterMs, byMs: startMs };
			this.rival.doubt();
			this.rival.showRate(amount, afterMs, toMs);
		}
	}

	private becomeBucket(fromMs: number, toMs: number): void {
		const { usage, fullMs } = this;
		// Empty at a refusal, a bucket gives no more than its rate until the next one.
		const stretch = this.stretchOf(fromMs, toMs, this.rival.shownPerMs);
		const burst = Math.min(this.window.capacity, usage.between(fullMs - MINUTE_MS, fullMs));
		this.window.edge = undefined;
		this.rival.forget();
		this.bucket = new Bucket(usage, burst, stretch);
	}

	private stretchOf(fromMs: number, toMs: number, shownPerMs = 0): Stretch {
		return { fromMs, toMs, shownPerMs, hasRetryAfter: this.hasRetryAfter };
	}

	private nextProbeMs(outage: Outage, now: number): number {
		return this.bucket?.nextProbeMs(outage) ?? this.probes.nextProbeMs(outage, now);
	}

	private planProbe(now: number, retryAfterMs: number | undefined): void {
		const { outage } = this;
		if (!outage) return;
		outage.byHeader = false;
		if (retryAfterMs !== undefined) outage.holdBack(now + retryAfterMs);
		let nextMs = this.nextProbeMs(outage, now);
		if (retryAfterMs !== undefined && this.retryAfter.isTrusted) {
			nextMs = outage.notBeforeMs + AFTER_HEADER_MS;
			outage.byHeader = true;
		}
		outage.plan(nextMs, now);
	}
}
