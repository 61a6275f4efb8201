import { Bucket, WORTH, type Emptiness, type Rate } from './Bucket';
import { Usage, type LoggedRequest, type RequestLog, type Unit } from './RequestLog';
import { Spacing } from './Spacing';
import { LEAST_PLACES, MINUTE_MS, OVERTAKING_MS, Window } from './Window';

/** A request in flight that does not end must not hold up all others. */
const LONGEST_DOUBT_MS = 2000;

/** Between two probes, as after any other failure: the first back-off. */
const LEAST_GAP_MS = 500;

/** The probe that shows if refused requests take places comes before any other, as measured at token limits. */
const FIRST_FOR_ALL_MS = 300;

/** The longest back-off. */
const LONGEST_GAP_MS = 30_000;

/** Between two probes, as a part of the outage so far. Its end is noticed that much later at most. */
const LATE = 0.25;

/** A probe that follows `Retry-After` comes so much later, for both sides round to milliseconds and may be late. */
const AFTER_HEADER_MS = 10;

/** Times between attempts to get more through than the limit had so far: at most two refusals in a minute's window. */
const RAISE_EVERY_MS = 30_000;

/** So long after the latest refusal, they need no credit. No whole minutes, at whose beginning nothing is learned. */
const PEACE_MS = 75_000;

/** A trial ends when this many requests have got through: the limit is unknown again. */
const LONGEST_TRIAL = 100;

/** What a window of a minute costs at first: probes after 0.5, 2, 8 and 32 s, and two to spare. */
const MOST_CREDIT = 6;

/** What is owed is paid by so few successes that a long outage does not forbid probes for long. */
const LEAST_CREDIT = -2;

/** One refusal for 16 successes is 6% of the requests, below the 10% that the rows of the bench allow. */
const EARNED_BY_SUCCESS = 1 / 16;

/** Requests over which the share of refusals by chance is averaged. */
const REMEMBERED = 100;

/** The least share of them. Below one in 100, two refusals in a row are laid to the limit. */
const LEAST_CHANCE = 0.005;

/** The limit is blamed when it is this many times as likely as chance: wrongly in one case of a hundred at most. */
const SURE = 100;

/** Three times the mean number of chance refusals may still be chance: where the mean is one, it happens in one flight of twelve. */
const MOST_BY_CHANCE = 3;

/** How likely the limit refuses a request when most of its places are taken: evens. */
const FORETOLD = 0.5;

/** The same when they are not: a limit is met for the first time, or lowered, in one request of a hundred at most. */
const UNFORETOLD = 0.01;

/** From a refusal until a probe gets through. */
interface Outage extends Emptiness {
	/** No probing: the refusal was bought to see whether the limit is higher. */
	isExpected: boolean;
	/** The one in flight. */
	probe?: LoggedRequest | undefined;
	nextProbeMs: number;
	/** The service's own word. */
	notBeforeMs: number;
	/** Whether the next probe goes when the service said. */
	byHeader: boolean;
	/** When the first place comes back, as the window has it. */
	predictedMs: number;
	/** Whether a probe was refused then. */
	wasMispredicted: boolean;
	/** When places come back if refused requests take them too. */
	allMs?: number | undefined;
	/** Whether one was refused at `allMs`, so that refused requests take no places. */
	refusedAreFree: boolean;
}

/** Goes on beyond what is known of the limit, with ever more in flight as long as they get through. */
interface Trial {
	/** After an outage that ended unexpectedly, or for a place more than the limit had so far. */
	kind: 'return' | 'raise';
	/** Index of its first request. */
	fromIndex: number;
	/** Last refusal, or start, before. */
	afterMs: number;
	startMs: number;
	/** Of the present step: how many it has, and how many of them have started and ended. */
	size: number;
	started: number;
	ended: number;
	/** In all steps. */
	passed: number;
	/** The shorter length of the window that foretold it. */
	lengthMs?: number | undefined;
}

/** Refusals that may be chance: a request that was sent later and gets through shows that they were. */
interface Doubt {
	/** The earliest. */
	entry: LoggedRequest;
	refused: number;
	/** When the latest came. */
	atMs: number;
}

/** See the head comment of Limiter. */
export class LimitModel {
	private readonly usage: Usage;

	/** With what refused requests take, if they do. */
	private readonly all: Usage;

	private readonly window: Window;

	/** What the limit is, if it is not the window. */
	private rate: Rate | undefined;

	private outage: Outage | undefined;

	private trial: Trial | undefined;

	private doubt: Doubt | undefined;

	/** Of the latest requests, those refused although one that was sent later got through. */
	private chance = LEAST_CHANCE;

	/** Whether it is a window beyond doubt. */
	private isConfirmed = false;

	/** Whether an outage has lasted too long for a bucket. */
	private isNoBucket = false;

	/** The rate that it would have as a bucket, where it has shown one. */
	private shownPerMs: number | undefined;

	/** Bounds the refusals: each success earns a little, each refusal costs one, and what is not needed is done with credit only. */
	private credit = MOST_CREDIT;

	/** The first refusals, those of all that was in flight, cost nothing. */
	private freeBeforeIndex: number | undefined;

	/** How often a probe at the time that the service had told got through, less those that were refused. */
	private trust = 0;

	/** Start of the latest refused request that was news. */
	private markMs = -Infinity;

	/** What had got through in the minute before the latest refusal that showed the window full. */
	private burst = 0;

	/** The first refusal, and what had got through in the minute before it. */
	private first: { refusedMs: number; taken: number } | undefined;

	private raisedAtMs = -Infinity;

	/** When a refusal with another such `Retry-After` is worth risking. */
	private riskAgainMs = -Infinity;

	/** Requests with this index or a later one started after the latest new refusal had come. */
	private epochIndex = 0;

	constructor(
		private readonly log: RequestLog,
		unit: Unit,
		private readonly random: () => number,
	) {
		this.usage = new Usage(log, unit);
		this.all = new Usage(log, unit, true);
		this.window = new Window(this.usage);
	}

	/** Whether the latest refusals may be chance. */
	get isInDoubt(): boolean {
		return this.doubt !== undefined;
	}

	/** Whether the next request shows if the limit lets anything through. */
	get isOut(): boolean {
		return this.outage !== undefined || this.doubt !== undefined;
	}

	/** The share of requests that are refused because others were first. */
	get othersShare(): number {
		return this.rate?.othersShare ?? 0;
	}

	/** What the limit is thought to be, and why requests wait: a line for debugging. */
	toString(): string {
		const { outage, trial, rate, window } = this;
		const probe =
			outage && `out since ${outage.sinceMs}, probe ${outage.probe ? 'sent' : `at ${outage.nextProbeMs}`}`;
		return `${probe ?? (trial ? 'in a trial' : 'open')}, ${(rate ?? window).toString()}`;
	}

	/** When the next request may start; `Infinity` for not before an answer has come. */
	nextStartMs(now: number): number {
		const { outage, trial, doubt, rate } = this;
		if (doubt && this.log.inFlight > 0) return Math.max(now, doubt.atMs + LONGEST_DOUBT_MS);
		if (outage) return outage.probe ? Infinity : outage.nextProbeMs;
		if (trial) return trial.started < trial.size ? now : Infinity;
		if (rate) return rate.nextStartMs(now);
		if (this.window.fits(now)) return now;
		const returnMs = this.window.nextReturnMs(now);
		return Math.max(now, Math.min(returnMs, this.nextTrialMs(returnMs)));
	}

	started(entry: LoggedRequest): void {
		const { outage, trial } = this;
		if (outage) outage.probe = entry;
		else if (trial) trial.started++;
		else if (this.rate) this.rate.requestStarted(entry);
		else if (!this.window.fits(entry.startMs, entry)) this.beginTrial(entry);
	}

	/**
	 * A request got through, or ended without telling anything.
	 * @param isItsOwn whether it was refused, and would be whatever the limit is
	 */
	ended(entry: LoggedRequest, isItsOwn = false): void {
		const { outage, trial } = this;
		const hasPassed = entry.outcome === 'passed';
		if (hasPassed) {
			this.credit = Math.min(MOST_CREDIT, this.credit + EARNED_BY_SUCCESS);
			this.countChance(0);
			if (this.doubt && entry.index > this.doubt.entry.index) this.endDoubt(this.doubt);
		}
		if (isItsOwn) this.rate?.giveBack(entry);
		this.rate?.requestEnded(entry, hasPassed && entry.index >= this.epochIndex && !outage && !trial);
		if (outage?.probe === entry) {
			outage.probe = undefined;
			if (hasPassed) this.endOutage(entry, outage);
		} else if (trial && entry.index >= trial.fromIndex) this.goOnWith(trial, hasPassed);
	}

	/** @param toldMs what the service said, counted from now */
	refused(entry: LoggedRequest, now: number, toldMs: number | undefined): void {
		const retryAfterMs = toldMs || undefined;
		const { outage, rate, trial, doubt } = this;
		if (outage || rate || retryAfterMs !== undefined) {
			this.doubt = undefined;
			this.believe(entry, now, retryAfterMs);
			return;
		}
		const refused = (doubt?.refused ?? 0) + 1;
		const first = doubt && doubt.entry.index < entry.index ? doubt.entry : entry;
		const isForetold = trial !== undefined || this.window.isNearlyFull(first);
		const byLimit = isForetold ? FORETOLD : UNFORETOLD;
		const byChance = Math.max(this.chance, LEAST_CHANCE) ** refused;
		// Refusals may come before the others of one flight: as many as chance may cause in all of it, and some more.
		const open = this.usage.startedBetween(first.startMs, now).filter(({ outcome }) => outcome === 'open');
		if (byLimit < SURE * byChance || refused <= MOST_BY_CHANCE * this.chance * open.length) {
			this.doubt = { entry: first, refused, atMs: now };
			if (trial && entry.index >= trial.fromIndex) this.goOnWith(trial, false);
			return;
		}
		this.doubt = undefined;
		this.believe(first, now, undefined);
		if (first !== entry) this.believe(entry, now, undefined);
	}

	private countChance(refused: 0 | 1): void {
		this.chance += (refused - this.chance) / REMEMBERED;
	}

	private endDoubt({ refused }: Doubt): void {
		for (let left = refused; left > 0; left--) this.countChance(1);
		this.doubt = undefined;
	}

	private believe(entry: LoggedRequest, now: number, retryAfterMs: number | undefined): void {
		this.freeBeforeIndex ??= this.log.endIndex;
		if (entry.index >= this.freeBeforeIndex) this.credit = Math.max(LEAST_CREDIT, this.credit - 1);
		const { outage, trial } = this;
		if (entry.index < this.epochIndex) {
			this.rate?.refusedLate(entry);
			if (!outage) return;
			if (outage.refusedProbes === 0 && !this.rate) this.measureFull(outage.refusedMs);
			if (!outage.probe) this.plan(outage, now, retryAfterMs);
			return;
		}
		this.epochIndex = this.log.endIndex;
		this.trial = undefined;
		if (outage) this.probeRefused(outage, entry);
		else if (trial) this.trialRefused(trial, entry);
		else if (this.limitMet(entry, now, retryAfterMs)) return;
		this.plan(this.outage!, now, retryAfterMs);
	}

	/** Milliseconds in which a bucket in place of the window would give back a place. */
	private get shareMs(): number {
		return this.usage.nextCost / (this.shownPerMs ?? this.window.capacity / this.window.lengthMs);
	}

	/** When a request more than the limit had so far may be tried. */
	private nextTrialMs(returnMs: number): number {
		// Whatever the credit, lest what was learned wrongly be kept.
		const freeMs = Math.max(this.markMs + PEACE_MS, this.riskAgainMs);
		// One for its refusal, one for a probe after it.
		if (this.credit < 2) return freeMs;
		const lastMs = this.log.at(this.log.endIndex - 1)!.startMs;
		// A bucket has a place again by then.
		if (!this.isConfirmed) return Math.min(freeMs, lastMs + 2 * this.shareMs);
		if (returnMs < lastMs + LEAST_GAP_MS) return freeMs;
		// In the middle of the gap, so that a window of half the length shows too.
		return Math.max(this.raisedAtMs + RAISE_EVERY_MS, this.riskAgainMs, (lastMs + returnMs) / 2);
	}

	private beginTrial({ startMs, index }: LoggedRequest): void {
		this.raisedAtMs = startMs;
		this.trial = {
			kind: this.isConfirmed ? 'raise' : 'return',
			fromIndex: index,
			afterMs: this.log.at(index - 1)?.startMs ?? this.markMs,
			startMs,
			size: 1,
			started: 1,
			ended: 0,
			passed: 0,
		};
	}

	private goOnWith(trial: Trial, hasPassed: boolean): void {
		trial.ended++;
		if (hasPassed) trial.passed++;
		if (trial.ended < trial.size) return;
		const { capacity } = this.window;
		const { nextCost } = this.usage;
		// Half of what has got through, or a fifth of the limit, may be refused at once.
		const most = Math.max(2, Math.ceil(Math.max(capacity / nextCost / 5, trial.passed / 2)));
		trial.size = Math.min(trial.size * 2, most);
		trial.started = 0;
		trial.ended = 0;
		const total = trial.passed * nextCost;
		if (trial.passed >= LONGEST_TRIAL && (trial.kind === 'raise' || total >= capacity)) {
			this.trial = undefined;
			this.window.capacity = Infinity;
		} else if (
			trial.kind === 'return' &&
			total >= Math.max(LEAST_PLACES * nextCost, capacity / 2) &&
			total < capacity
		) {
			this.trial = undefined;
			this.noteEdge(trial, total, this.log.at(this.log.endIndex - 1)!.startMs);
		}
	}

	/** @returns whether requests continue */
	private limitMet(entry: LoggedRequest, now: number, toldMs: number | undefined): boolean {
		const { startMs } = entry;
		const { rate, markMs: fromMs } = this;
		this.markMs = startMs;
		if (rate?.requestRefused({ fromMs, toMs: startMs }, now, toldMs)) return true;
		this.outage = newOutage(startMs, false);
		if (rate) return false;
		this.measureFull(startMs);
		return false;
	}

	private measureFull(atMs: number): void {
		this.window.measureAt(atMs);
		this.burst = this.usage.between(atMs - MINUTE_MS, atMs);
		this.first ??= { refusedMs: atMs, taken: 0 };
		if (this.first.refusedMs === atMs) {
			this.first.taken = this.usage.between(atMs - MINUTE_MS, atMs + OVERTAKING_MS);
		}
	}

	private doubtWindow(): void {
		this.isConfirmed = false;
		this.isNoBucket = false;
	}

	private probeRefused(outage: Outage, probe: LoggedRequest): void {
		const { window } = this;
		const wentAsPredicted = probe.startMs >= outage.predictedMs - 1;
		if (!this.rate) {
			if (!wentAsPredicted) window.measureAt(probe.startMs);
			else if (window.lengthen(probe.startMs)) outage.isExpected = false;
			else window.widenMargin();
		}
		outage.wasMispredicted ||= wentAsPredicted;
		outage.refusedAreFree ||= this.wentForAll(outage, probe);
		outage.refusedProbes++;
		outage.refusedMs = probe.startMs;
		outage.probe = undefined;
		if (outage.byHeader) this.trust--;
		if (outage.refusedMs - outage.sinceMs >= 2 * this.shareMs) this.isNoBucket = true;
		if (this.rate?.isEmptyTooLong(outage)) {
			this.rate = undefined;
			window.restart(probe);
		}
	}

	private wentForAll({ allMs }: Outage, probe: LoggedRequest): boolean {
		return allMs !== undefined && probe.startMs >= allMs;
	}

	private endOutage(probe: LoggedRequest, outage: Outage): void {
		this.outage = undefined;
		if (outage.byHeader) this.trust++;
		if (this.wentForAll(outage, probe)) this.usage.countRefused();
		if (this.rate) {
			this.rate.outageEnded(probe);
			this.markMs = outage.refusedMs;
			return;
		}
		if (this.window.readReturn(probe, outage.refusedMs)) {
			this.isConfirmed ||= this.isNoBucket;
			return;
		}
		const { startMs } = probe;
		this.trial = {
			kind: 'return',
			fromIndex: this.log.endIndex,
			afterMs: outage.refusedMs,
			startMs,
			size: 2,
			started: 0,
			ended: 0,
			passed: 1,
			lengthMs: this.shorterLengthMs(probe, outage),
		};
	}

	/** Where a shorter length foretold the probe, the shortest that no refused probe speaks against: it is lengthened soon if it is wrong. */
	private shorterLengthMs({ startMs }: LoggedRequest, { sinceMs, refusedMs }: Outage): number | undefined {
		const open = this.window.shorterReturns(sinceMs).filter(({ atMs }) => atMs > refusedMs);
		const isForetold = open.some(({ atMs }) => startMs >= atMs - 1 && startMs < atMs + OVERTAKING_MS);
		return isForetold ? open[0]!.lengthMs : undefined;
	}

	private trialRefused(trial: Trial, entry: LoggedRequest): void {
		const gotNothing = trial.passed === 0;
		const { window } = this;
		const hasDoubled = trial.passed * this.usage.nextCost >= window.capacity;
		if (hasDoubled) this.doubtWindow();
		this.outage = newOutage(entry.startMs, gotNothing || (trial.kind === 'raise' && !hasDoubled));
		this.markMs = entry.startMs;
		if (gotNothing) this.isNoBucket ||= trial.kind === 'return';
		else if (trial.kind === 'raise') {
			const amount = this.usage.upTo(trial.afterMs, entry);
			// So many more at once are the places of the next window.
			if (amount >= window.capacity / 2) this.noteEdge(trial, amount, entry.startMs);
			if (!this.rate) window.measureAt(entry.startMs);
		} else this.readTrial(trial, entry);
	}

	/** About as many as before an outage mean an edge, few mean a bucket. */
	private readTrial(trial: Trial, entry: LoggedRequest): void {
		const at = entry.startMs;
		const { capacity } = this.window;
		const amount = this.usage.upTo(trial.afterMs, entry);
		const isFew = capacity < LEAST_PLACES * this.usage.nextCost;
		if (amount < capacity / 2 || isFew) this.becomeBucket(trial.afterMs, at);
		else this.noteEdge(trial, amount, at);
		if (!this.rate) this.window.measureAt(at);
	}

	/** @param amount what got through in the trial, until `toMs` */
	private noteEdge({ kind, afterMs, startMs, ...trial }: Trial, amount: number, toMs: number): void {
		const { window } = this;
		const before = window.edgeTooSoon(startMs);
		// Places that are back so soon after the edge belong to a shorter window.
		const lengthMs =
			kind === 'raise' && before ? window.longestWithin(startMs - before.byMs) : trial.lengthMs;
		if (lengthMs !== undefined) {
			window.lengthMs = lengthMs;
			if (window.edge) window.edge = { afterMs, byMs: startMs };
			this.doubtWindow();
		} else if (before) {
			this.becomeBucket(before.byMs, this.log.at(this.log.endIndex - 1)!.startMs);
		} else {
			window.edge = { afterMs, byMs: startMs };
			this.doubtWindow();
			this.shownPerMs = amount / Math.max(1, toMs - afterMs);
		}
	}

	private becomeBucket(fromMs: number, toMs: number): void {
		const { usage, window, first } = this;
		const burst = Math.min(window.capacity, this.burst);
		window.edge = undefined;
		this.doubtWindow();
		this.shownPerMs = undefined;
		// Empty at a refusal, a bucket gives no more than its rate until the next one.
		const stretch = { fromMs, toMs };
		const isSpacing =
			usage.nextCost === 1 && first !== undefined && first.taken <= 1 && !this.passedTogether(fromMs);
		this.rate = isSpacing ? new Spacing(this.log, this.random, stretch) : new Bucket(usage, burst, stretch);
	}

	/** Whether two requests that started together both got through, as they do where there is a burst. */
	private passedTogether(fromMs: number): boolean {
		let passedMs = -Infinity;
		return this.usage.startedBetween(fromMs - 1, Infinity).some(({ startMs, outcome }) => {
			if (outcome !== 'passed') return false;
			const isTogether = startMs - passedMs < OVERTAKING_MS;
			passedMs = startMs;
			return isTogether;
		});
	}

	private plan(outage: Outage, now: number, retryAfterMs: number | undefined): void {
		if (retryAfterMs !== undefined) outage.notBeforeMs = Math.max(outage.notBeforeMs, now + retryAfterMs);
		const { rate } = this;
		const nextMs = rate
			? backedOffMs(outage, rate.shareMs, rate.longestGapMs)
			: this.probeOfWindowMs(outage, now);
		const lostMs = outage.notBeforeMs - Math.max(now, outage.predictedMs);
		if (lostMs > 0) this.riskAgainMs = now + WORTH * lostMs;
		outage.byHeader = outage.notBeforeMs > now && this.trust >= 0;
		const toldMs = outage.notBeforeMs + AFTER_HEADER_MS;
		outage.nextProbeMs = outage.byHeader ? toldMs : Math.max(now, nextMs, toldMs);
	}

	/** When the window has places again, or before that, where it may be another limit than thought. */
	private probeOfWindowMs(outage: Outage, now: number): number {
		const { refusedMs, sinceMs } = outage;
		const predictedMs = this.window.nextReturnMs(now);
		outage.predictedMs = predictedMs;
		outage.allMs = undefined;
		let expectedMs = predictedMs;
		if (refusedMs > sinceMs && (predictedMs < refusedMs + LEAST_GAP_MS || outage.wasMispredicted)) {
			const gapMs = Math.min(LONGEST_GAP_MS, Math.max(LEAST_GAP_MS, LATE * (refusedMs - sinceMs)));
			expectedMs = Math.max(predictedMs, refusedMs + gapMs);
			const allMs = Math.max(refusedMs + FIRST_FOR_ALL_MS, this.window.returnCountingRefusedMs(this.all));
			if (!outage.refusedAreFree && !this.usage.countsRefused && allMs < expectedMs) {
				expectedMs = allMs;
				outage.allMs = allMs;
			}
		}
		return outage.isExpected ? expectedMs : Math.min(expectedMs, this.earlyProbeMs(outage));
	}

	/** Ever rarer probes as long as it may be a bucket or a shorter window. */
	private earlyProbeMs(outage: Outage): number {
		const { sinceMs, refusedMs, refusedProbes } = outage;
		// No service sells one request a minute, so others have taken all the places.
		if (this.window.capacity < 2 * this.usage.nextCost) {
			return backedOffMs(outage, LEAST_GAP_MS * (0.75 + 0.5 * this.random()));
		}
		const canAfford = this.credit >= 1;
		// At least one probe, or a bucket would always be taken for a window.
		if (this.isConfirmed || (!canAfford && (this.isNoBucket || refusedProbes > 1))) return Infinity;
		const { window, shareMs } = this;
		const soonestMs = refusedMs + LATE * (refusedMs - sinceMs);
		const shorter =
			refusedProbes > 0 &&
			window.shorterReturns(sinceMs).find(({ atMs, lengthMs }) => lengthMs >= shareMs && atMs > soonestMs);
		let probeMs = shorter ? shorter.atMs : Infinity;
		// Each four times as far, so a minute costs four; a little aside, or processes would all probe at once.
		for (let stepMs = LEAST_GAP_MS; stepMs < window.lengthMs && probeMs === Infinity; stepMs *= 4) {
			const atMs = sinceMs + stepMs * (0.9 + 0.2 * this.random());
			if (atMs > refusedMs + stepMs / 2) probeMs = atMs;
		}
		return probeMs;
	}
}

/** Each gap between two probes is twice the one before. */
function backedOffMs({ refusedMs, refusedProbes }: Outage, firstMs: number, mostMs = Infinity): number {
	return refusedMs + Math.min(LONGEST_GAP_MS, mostMs, firstMs * 2 ** refusedProbes);
}

function newOutage(atMs: number, isExpected: boolean): Outage {
	return {
		sinceMs: atMs,
		refusedMs: atMs,
		refusedProbes: 0,
		isExpected,
		nextProbeMs: atMs,
		notBeforeMs: -Infinity,
		byHeader: false,
		predictedMs: Infinity,
		wasMispredicted: false,
		refusedAreFree: false,
	};
}
