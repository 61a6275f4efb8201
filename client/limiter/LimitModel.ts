import type { LoggedRequest, RequestLog } from './RequestLog';
import { Usage, type Unit } from './Usage';

const MINUTE_MS = 60_000;

/** A trial that has gone so well for so many requests is over: the limit is unknown again. */
const LONGEST_TRIAL = 100;

interface Outage {
	/** Start of the first refused request. */
	sinceMs: number;
	/** Start of the latest refused request. */
	refusedMs: number;
	/** Probes refused. */
	refusedProbes: number;
	probe?: LoggedRequest;
	nextProbeMs: number;
	/** The service's own word. */
	notBeforeMs: number;
	/** Whether the next probe goes when the service said. */
	byHeader: boolean;
	/** When places come back if refused requests take them too. */
	allMs?: number;
	/** No probing: the refusal was bought to see whether the limit is higher. */
	expected: boolean;
	/** When the first place comes back, as the window has it. */
	predictedMs: number;
}

interface Trial {
	kind: 'return' | 'raise';
	/** Index of its first request. */
	fromIndex: number;
	size: number;
	open: number;
	started: number;
	passed: number;
	total: number;
	/** Last refusal before. */
	afterMs: number;
	startMs: number;
}

/** See the head comment of Limiter. */
export class LimitModel {
	private readonly usage: Usage;

	private law: 'window' | 'drip' = 'window';

	private isConfirmed = false;

	capacity = Infinity;

	private edge: { afterMs: number; byMs: number } | undefined;

	private marginMs = 20;

	private drip = { perMs: 0, level: 0, atMs: 0, passed: 0, calm: 10, doubtedPerMs: 0 };

	/** The latest refusal that was news. */
	private markMs = -Infinity;

	private outage: Outage | undefined;

	private trial: Trial | undefined;

	private credit = 4;

	/** The first refusals, those of all that was in flight, cost nothing. */
	private firstEpochIndex: number | undefined;

	/** Whether an outage has lasted too long for a bucket. */
	private isDripRefuted = false;

	/** The service's word on when there is room again, as a rate. */
	private promisedPerMs = 0;

	/** The rate of the bucket that this might be as well. */
	private rivalPerMs: number | undefined;

	private raisedAtMs = -Infinity;

	private stretchedAtMs = -Infinity;

	/** Until when the window was thought full. */
	private fullUntilMs = Infinity;

	/** Start of the probe that ended the latest outage. */
	private resumedMs = -Infinity;

	private headerKept = 0;

	private headerBroken = 0;

	/** Requests from this one on started after the latest refusal that was news had come. */
	private epochIndex = 0;

	constructor(
		private readonly log: RequestLog,
		unit: Unit,
		private readonly random: () => number,
	) {
		this.usage = new Usage(log, unit);
	}

	get isOut(): boolean {
		return this.outage !== undefined;
	}

	/** When nothing may start before, by the service's own word. */
	get notBeforeMs(): number {
		return this.outage?.notBeforeMs ?? -Infinity;
	}

	/** When the next request may start; `Infinity` for not before an answer has come. */
	nextStartMs(now: number): number {
		const { outage, trial } = this;
		if (outage) return outage.probe ? Infinity : outage.nextProbeMs;
		if (trial) return trial.started < trial.size ? now : Infinity;
		if (this.capacity === Infinity) return now;
		if (this.law === 'drip') return this.nextDropMs(now);
		if (this.fits(now) || this.mayTryMore(now)) return now;
		const returnMs = this.nextReturnMs(now);
		if (returnMs > now + 5000) this.fullUntilMs = returnMs;
		return this.isConfirmed || this.credit < 2
			? returnMs
			: Math.min(returnMs, Math.max(now + 1, this.rivalTestMs));
	}

	started(entry: LoggedRequest): void {
		const now = entry.startMs;
		const { outage, trial } = this;
		if (outage) {
			outage.probe = entry;
			return;
		}
		if (trial) {
			trial.started++;
			trial.open++;
			return;
		}
		if (this.capacity === Infinity) return;
		if (this.law === 'drip') {
			this.fillDrip(now);
			this.drip.level -= this.usage.costOf(entry);
			return;
		}
		if (!this.fits(now, entry)) {
			this.raisedAtMs = now;
			const kind = this.isConfirmed ? 'raise' : 'return';
			const afterMs = this.log.at(entry.index - 1)?.startMs ?? this.markMs;
			this.trial = {
				kind,
				fromIndex: entry.index,
				size: 1,
				open: 1,
				started: 1,
				passed: 0,
				total: 0,
				afterMs,
				startMs: now,
			};
		}
	}

	passed(entry: LoggedRequest): void {
		this.credit = Math.min(6, this.credit + 1 / 16);
		const { outage, trial } = this;
		if (outage) {
			if (outage.probe === entry) this.endOutage(entry, outage);
			return;
		}
		if (entry.index < this.epochIndex) return;
		if (trial) {
			if (entry.index < trial.fromIndex) return;
			trial.passed++;
			trial.open--;
			this.growTrial(trial);
			return;
		}
		if (this.law === 'drip') this.growDrip();
		else if (entry.startMs >= this.fullUntilMs) {
			this.isConfirmed ||= this.isDripRefuted;
			this.fullUntilMs = Infinity;
		}
	}

	released(entry: LoggedRequest): void {
		if (this.outage?.probe === entry) this.outage.probe = undefined;
		if (this.trial && entry.index >= this.trial.fromIndex) {
			this.trial.open--;
			this.growTrial(this.trial);
		}
	}

	/** @param retryAfterMs what the service said, counted from now */
	refused(entry: LoggedRequest, now: number, told: number | undefined, isSuspect = false): void {
		const retryAfterMs = told !== undefined && told < 250 ? undefined : told;
		this.firstEpochIndex ??= this.log.endIndex;
		if (entry.index >= this.firstEpochIndex) this.credit = Math.max(-8, this.credit - 1);
		if (entry.index < this.epochIndex) {
			this.refusedLate(now, retryAfterMs);
			return;
		}
		this.epochIndex = this.log.endIndex;
		this.promisedPerMs = retryAfterMs === undefined ? 0 : this.usage.nextCost / retryAfterMs;
		const { outage, trial } = this;
		this.trial = undefined;
		if (outage) this.probeRefused(outage, entry);
		else if (trial) this.trialRefused(trial, entry);
		else this.limitMet(entry, isSuspect);
		this.schedule(now, retryAfterMs);
	}

	/**
	 * The least that a call has to wait, as far as the model is sure of the limit; 0 where it is not.
	 * @param before calls that wait before it
	 */
	leastWaitMs(now: number, before: number): number {
		const cost = (before + 1) * this.usage.nextCost;
		if (this.law === 'drip') {
			return this.drip.calm < 10 ? 0 : (cost - this.capacity) / (1.3 * this.dripPerMs());
		}
		if (!this.isConfirmed) return 0;
		const room = this.capacity - this.usage.after(this.boundaryMs(now));
		if (cost <= room) return 0;
		const fullWindows = Math.floor((cost - Math.max(0, room)) / this.capacity);
		return this.nextReturnMs(now) - now + (fullWindows - 1) * MINUTE_MS;
	}

	// --- learning

	private refusedLate(now: number, retryAfterMs: number | undefined): void {
		const { outage } = this;
		if (!outage) return;
		if (this.law === 'window' && outage.refusedProbes === 0) {
			this.capacity = this.takenAt(outage.refusedMs);
			if (!outage.probe && !outage.byHeader) {
				outage.nextProbeMs = Math.max(now, this.nextWindowProbeMs(outage, now), outage.notBeforeMs);
			}
		}
		if (retryAfterMs !== undefined) {
			outage.notBeforeMs = Math.max(outage.notBeforeMs, now + retryAfterMs);
			outage.nextProbeMs = Math.max(outage.nextProbeMs, outage.notBeforeMs);
		}
	}

	private limitMet(entry: LoggedRequest, isSuspect: boolean): void {
		const at = entry.startMs;
		if (this.law === 'drip') {
			this.measureDrip(this.markMs, entry, at, isSuspect);
			this.drip.level = Math.min(this.drip.level, 0);
		} else {
			this.measureWindow(entry);
		}
		this.markMs = at;
		this.outage = {
			sinceMs: at,
			refusedMs: at,
			refusedProbes: 0,
			nextProbeMs: at,
			notBeforeMs: -Infinity,
			byHeader: false,
			expected: false,
			predictedMs: Infinity,
		};
	}

	private measureDrip(
		fromMs: number,
		entry: LoggedRequest | undefined,
		at = entry!.startMs,
		isSuspect = false,
	): void {
		const begin = Math.max(fromMs, at - MINUTE_MS);
		const amount = this.usage.since(begin, entry);
		const measured = amount / Math.max(1, at - begin);
		const { drip } = this;
		const pace = drip.perMs > 0 ? this.dripPerMs() : 0;
		// So much less than before may be the item's fault, or chance: a probe before its time will tell.
		if (drip.perMs > 0 && measured < 0.8 * drip.perMs && (isSuspect || this.credit >= 3)) {
			drip.doubtedPerMs = Math.max(measured, drip.perMs / 2);
		} else if (drip.perMs > 0 && measured < drip.perMs / 2) drip.perMs /= 2;
		// More than before again: the bucket has been full meanwhile, and what overflowed was not measured.
		else if (drip.perMs > 0 && measured > 1.03 * drip.perMs) drip.perMs = Math.max(measured, 0.9 * pace);
		else if (amount > 0) drip.perMs = measured;
		drip.perMs = Math.max(drip.perMs, this.provenPerMs(at));
		const count = amount / this.usage.nextCost;
		drip.calm = Math.min(Math.max(5, count), Math.max(14, (4000 * drip.perMs) / this.usage.nextCost));
		drip.passed = 0;
	}

	/** What has passed in a minute is at most a burst and a minute's share, and the burst is rarely more than that share. */
	private provenPerMs(at: number): number {
		return Math.max(this.promisedPerMs, this.usage.between(at - MINUTE_MS, at) / MINUTE_MS / 2);
	}

	private measureWindow(entry: LoggedRequest): void {
		const at = entry.startMs;
		const cost = this.usage.nextCost;
		const inMinute = this.takenAt(at, false);
		const sinceEdge = this.takenAt(at);
		if (this.capacity !== Infinity) {
			const withMargin = this.usage.between(at - MINUTE_MS - 1000, at + 30);
			if (
				inMinute < this.capacity * 0.9 &&
				withMargin >= this.capacity &&
				withMargin > inMinute &&
				this.marginMs < 1000
			) {
				this.marginMs = Math.min(1000, this.marginMs * 2);
				return;
			}
			if (this.edge && sinceEdge < this.capacity * 0.8 && inMinute > this.capacity * 0.95) {
				// The places before the edge were not given back.
				this.edge = undefined;
				this.capacity = Math.max(cost, inMinute);
				return;
			}
			if (!this.usage.refusedAreCounted) {
				const refused = this.usage.since(at - MINUTE_MS, entry, (e) => (e.outcome === 'refused' ? cost : 0));
				const missing = this.capacity - sinceEdge;
				if (
					refused >= 3 * cost &&
					missing >= 2 * cost &&
					Math.abs(missing - refused) <= Math.max(1, 0.3 * refused) * cost
				) {
					this.usage.countRefused();
					return;
				}
			}
		}
		this.fullUntilMs = Infinity;
		this.capacity = Math.max(cost, sinceEdge);
	}

	/** What requests have taken of the window at the moment; those that start a little later may arrive before. */
	private takenAt(atMs: number, sinceEdge = true): number {
		const edgeMs = sinceEdge && this.edge && this.edge.byMs <= atMs ? this.edge.byMs - 1 : -Infinity;
		const taken = this.usage.between(Math.max(atMs - MINUTE_MS, edgeMs), atMs + 30);
		return Math.max(this.usage.nextCost, taken);
	}

	private probeRefused(outage: Outage, entry: LoggedRequest): void {
		if (this.law === 'window') {
			const isEarly = entry.startMs < outage.predictedMs - 1;
			if (isEarly || (outage.refusedProbes > 0 && outage.refusedMs >= outage.predictedMs - 1)) {
				this.capacity = this.takenAt(entry.startMs);
			} else if (this.marginMs < 500) this.marginMs *= 2;
		}
		outage.refusedProbes++;
		outage.refusedMs = entry.startMs;
		outage.probe = undefined;
		if (outage.byHeader) this.headerBroken++;
		if (entry.startMs - outage.sinceMs >= 2 * this.rivalShareMs) this.isDripRefuted = true;
		if (this.law === 'drip') {
			if (this.drip.doubtedPerMs > 0) {
				this.drip.perMs = Math.max(this.drip.doubtedPerMs, this.provenPerMs(entry.startMs));
			}
			this.drip.doubtedPerMs = 0;
			const elapsed = entry.startMs - outage.sinceMs;
			const share = this.usage.nextCost / this.drip.perMs;
			if (outage.refusedProbes >= 3 && elapsed > 4 * share + 1000) {
				this.law = 'window';
				this.isConfirmed = false;
				this.edge = undefined;
				this.capacity = Math.max(this.usage.nextCost, this.usage.since(entry.startMs - MINUTE_MS, entry));
			}
		}
	}

	private endOutage(probe: LoggedRequest, outage: Outage): void {
		this.outage = undefined;
		this.resumedMs = probe.startMs;
		this.epochIndex = Math.max(this.epochIndex, probe.index);
		if (outage.byHeader) this.headerKept++;
		if (outage.allMs !== undefined && probe.startMs >= outage.allMs) this.usage.countRefused();
		this.drip.atMs = probe.startMs;
		if (this.law === 'drip') {
			this.drip.doubtedPerMs = 0;
			this.drip.level = Math.max(0, this.drip.level);
			this.markMs = outage.refusedMs;
			return;
		}
		const at = probe.startMs;
		if (this.edge && at >= this.edge.byMs + MINUTE_MS - 1) {
			this.confirm(at, outage);
			this.moveEdge(at, outage);
			return;
		}
		if (this.edge && at > this.edge.afterMs + MINUTE_MS && outage.refusedMs < this.edge.byMs + MINUTE_MS) {
			this.moveEdge(at, outage);
			return;
		}
		const used = this.usage.since(at - MINUTE_MS, probe);
		const usedThen = this.usage.since(outage.refusedMs - MINUTE_MS, probe);
		if (used < usedThen && used + this.usage.nextCost <= this.capacity + 1e-9) {
			this.confirm(at, outage);
			return;
		}
		this.trial = {
			kind: 'return',
			fromIndex: this.log.endIndex,
			size: 2,
			open: 0,
			started: 0,
			passed: 0,
			total: 1,
			afterMs: outage.refusedMs,
			startMs: at,
		};
	}

	private confirm(at: number, outage: Outage): void {
		if (this.isDripRefuted || (outage.byHeader && at - outage.sinceMs > 20_000)) this.isConfirmed = true;
	}

	private moveEdge(at: number, outage: Outage): void {
		const { edge } = this;
		if (!edge) return;
		let { afterMs, byMs } = edge;
		while (byMs + MINUTE_MS <= at + 1) {
			afterMs += MINUTE_MS;
			byMs += MINUTE_MS;
		}
		if (byMs < at - 5000) byMs = at;
		else if (afterMs + MINUTE_MS < at && at < byMs + MINUTE_MS) {
			afterMs += MINUTE_MS;
			byMs = at;
		} else byMs = Math.max(byMs, at);
		afterMs = Math.max(afterMs, Math.min(outage.refusedMs, byMs));
		this.edge = { afterMs, byMs };
	}

	private growTrial(trial: Trial): void {
		if (trial.open > 0 || trial.started < trial.size) return;
		trial.total += trial.passed;
		const cost = this.usage.nextCost;
		const total = trial.total * cost;
		const most = Math.max(2, Math.ceil(Math.max(this.capacity / cost / 5, trial.total / 2)));
		Object.assign(trial, { size: Math.min(trial.size * 2, most), started: 0, passed: 0 });
		if (trial.total >= LONGEST_TRIAL && (trial.kind === 'raise' || total >= this.capacity)) {
			this.trial = undefined;
			this.capacity = Infinity;
		} else if (
			trial.kind === 'return' &&
			total >= Math.max(7 * cost, this.capacity / 2) &&
			total < this.capacity
		) {
			this.trial = undefined;
			this.noteEdge(trial);
		}
	}

	private trialRefused(trial: Trial, entry: LoggedRequest): void {
		const at = entry.startMs;
		this.outage = {
			sinceMs: at,
			refusedMs: at,
			refusedProbes: 0,
			nextProbeMs: at,
			notBeforeMs: -Infinity,
			byHeader: false,
			expected: trial.kind === 'raise',
			predictedMs: Infinity,
		};
		if (trial.total === 0) {
			this.outage.expected = true;
			if (trial.kind === 'return') this.isDripRefuted = true;
			this.markMs = at;
			return;
		}
		if (trial.kind === 'raise') {
			this.markMs = at;
			const sinceReturn = this.usage.since(this.resumedMs - 1);
			const isMuch =
				trial.total * this.usage.nextCost >= Math.max(4 * this.usage.nextCost, this.capacity * 0.05);
			if (
				isMuch &&
				Math.abs(sinceReturn - this.capacity) <= Math.max(this.usage.nextCost, this.capacity * 0.05)
			) {
				this.edge = { afterMs: this.resumedMs - 1000, byMs: this.resumedMs };
			} else this.measureWindow(entry);
			return;
		}
		const amount = this.usage.since(trial.afterMs, entry);
		const cost = this.usage.nextCost;
		const isFew = this.capacity < 8 * cost && at - trial.afterMs < 15_000;
		if (amount >= this.capacity / 2 && !isFew) {
			this.noteEdge(trial);
			if (this.law === 'window') this.rivalPerMs = amount / Math.max(1, at - trial.afterMs);
			this.outage.sinceMs = at;
			if (this.law === 'window') this.measureWindow(entry);
		} else this.becomeDrip(trial.afterMs, entry);
		this.markMs = at;
	}

	private noteEdge(trial: Trial): void {
		const previous = this.edge;
		if (previous && trial.startMs - previous.byMs < 50_000) {
			this.becomeDrip(previous.byMs, undefined, trial.startMs);
			return;
		}
		this.edge = { afterMs: trial.afterMs, byMs: trial.startMs };
		this.isConfirmed = false;
		this.isDripRefuted = false;
	}

	/** How long a bucket would keep one waiting, as far as the window's numbers tell. */
	private get rivalShareMs(): number {
		return this.usage.nextCost / (this.rivalPerMs ?? this.capacity / MINUTE_MS);
	}

	private becomeDrip(fromMs: number, entry: LoggedRequest | undefined, at = entry!.startMs): void {
		this.law = 'drip';
		this.edge = undefined;
		this.isConfirmed = false;
		this.isDripRefuted = false;
		this.rivalPerMs = undefined;
		this.drip = { perMs: 0, level: 0, atMs: at, passed: 0, calm: 10, doubtedPerMs: 0 };
		this.measureDrip(fromMs, entry, at);
		if (this.drip.perMs === 0) this.drip.perMs = 1 / 6000;
	}

	// --- planning

	private schedule(now: number, retryAfterMs: number | undefined): void {
		const { outage } = this;
		if (!outage) return;
		outage.byHeader = false;
		if (retryAfterMs !== undefined) outage.notBeforeMs = Math.max(outage.notBeforeMs, now + retryAfterMs);
		let next = this.law === 'drip' ? this.nextDripProbeMs(outage) : this.nextWindowProbeMs(outage, now);
		if (retryAfterMs !== undefined && this.headerBroken <= this.headerKept) {
			next = outage.notBeforeMs + 10;
			outage.byHeader = true;
		}
		outage.nextProbeMs = Math.max(now, next, outage.notBeforeMs);
	}

	private nextDripProbeMs(outage: Outage): number {
		const share = this.usage.nextCost / this.drip.perMs;
		if (this.drip.doubtedPerMs > 0) return outage.refusedMs + Math.max(20, 0.2 * share);
		return outage.refusedMs + Math.min(30_000, Math.max(20, share) * 2 ** outage.refusedProbes);
	}

	private nextWindowProbeMs(outage: Outage, now: number): number {
		const last = outage.refusedMs;
		const predicted = this.nextReturnMs(now);
		if (predicted > last) outage.predictedMs = predicted;
		const elapsed = last - outage.sinceMs;
		const fallback = last + Math.min(30_000, Math.max(500, 0.5 * elapsed));
		let next = predicted > last ? predicted : fallback;
		if (elapsed > 0 && next < last + 500) next = Math.max(next, fallback);
		outage.allMs = undefined;
		if (!this.usage.refusedAreCounted && elapsed > 0 && predicted <= last + 500) {
			const all = this.usage.startOfExcessCountingRefused(this.capacity);
			const allMs = Math.max(last + 300, all + MINUTE_MS + this.marginMs + 30);
			if (allMs < next) {
				next = allMs;
				outage.allMs = allMs;
			}
		}
		if (outage.expected) return next;
		const { edge } = this;
		const mayProbe = this.credit >= 1;
		if (mayProbe && edge && edge.byMs - edge.afterMs > 1500) {
			const middle = (edge.byMs + edge.afterMs) / 2 + MINUTE_MS;
			if (middle > Math.max(last, now)) next = Math.min(next, middle);
		}
		if (this.isConfirmed) return next;
		// One probe at least, or a bucket would be taken for a window for ever.
		if (!mayProbe && (this.isDripRefuted || outage.refusedProbes > 1)) return next;
		const firstStep =
			this.rivalPerMs === undefined && mayProbe ? 500 : Math.max(500, 1.5 * this.rivalShareMs);
		for (let step = firstStep; step < MINUTE_MS; step *= 4) {
			const probe = outage.sinceMs + step * (0.9 + 0.2 * this.random());
			if (probe <= last + step / 2) continue;
			next = Math.min(next, probe);
			break;
		}
		if (!edge && mayProbe) {
			const turn = Math.floor(now / MINUTE_MS + 1) * MINUTE_MS + 700;
			if (turn > last + 500) next = Math.min(next, turn);
		}
		return next;
	}

	private fillDrip(now: number): void {
		const { drip } = this;
		const burst = Math.max(this.usage.nextCost, this.capacity / 2);
		drip.level = Math.min(burst, drip.level + (now - drip.atMs) * this.dripPerMs());
		drip.atMs = now;
	}

	private growDrip(): void {
		const { drip } = this;
		drip.passed++;
		if (drip.passed < 2.7 * drip.calm) return;
		drip.perMs = this.dripPerMs();
		drip.passed = drip.calm;
	}

	private dripPerMs(): number {
		const { perMs, passed, calm } = this.drip;
		const growth = 1 + 0.1 * ((passed - calm) / calm) ** 3;
		return perMs * (this.credit < 1 ? Math.min(0.97, growth) : growth);
	}

	private nextDropMs(now: number): number {
		this.fillDrip(now);
		const missing = this.usage.nextCost - this.drip.level;
		return missing <= 1e-9 ? now : now + missing / this.dripPerMs();
	}

	private boundaryMs(now: number): number {
		const inMinute = now - MINUTE_MS - this.marginMs;
		if (!this.edge) return inMinute;
		let { byMs, afterMs } = this.edge;
		while (byMs + MINUTE_MS <= now) {
			byMs += MINUTE_MS;
			afterMs += MINUTE_MS;
		}
		this.edge = { byMs, afterMs };
		return Math.max(inMinute, byMs - 1);
	}

	private fits(now: number, started?: LoggedRequest): boolean {
		const used = this.usage.after(this.boundaryMs(now)) - (started ? this.usage.costOf(started) : 0);
		return used + this.usage.nextCost <= this.capacity + 1e-9;
	}

	/** When a bucket would have room again, though the window is full. */
	private get rivalTestMs(): number {
		if (this.isDripRefuted) return Infinity;
		const last = this.log.at(this.log.endIndex - 1)?.startMs ?? -Infinity;
		return Math.max(this.raisedAtMs + 30_000, last + 2 * this.rivalShareMs);
	}

	private mayTryMore(now: number): boolean {
		if (this.credit < 2 || now - this.raisedAtMs < 30_000) return false;
		if (!this.isConfirmed) return now >= this.rivalTestMs;
		if (this.nextReturnMs(now) > now + this.marginMs + 250) return true;
		// Places come back all the time, so that one more tells nothing; a few more in the minute do.
		if (this.credit >= 3 && now - this.stretchedAtMs > 15_000) {
			this.stretchedAtMs = now;
			this.capacity += Math.max(this.usage.nextCost, this.capacity * 0.03);
		}
		return false;
	}

	private nextReturnMs(now: number): number {
		const used = this.usage.after(this.boundaryMs(now));
		const excess = used + this.usage.nextCost - this.capacity;
		const leaving = this.usage.startOfExcess(excess);
		const expiry = leaving === undefined ? now + 1000 : leaving + MINUTE_MS + this.marginMs;
		return this.edge ? Math.min(expiry, this.edge.byMs + MINUTE_MS + this.marginMs) : expiry;
	}
}
