import { Pace, type SentRequest } from './Pace';

const MINUTE_MS = 60_000;

/** A refusal counts as the limit's once this many later requests are refused too, and none gets through. */
const ENOUGH = 2;

/** How long after a refused start the requests in flight hold up the next one, which settles the doubt. */
const LONGEST_DOUBT_MS = 2000;

/** If more than this share of the latest outcomes are refusals, the limit causes them: nothing else refuses as many. */
const REMEMBERED = 10;
const MOST_BY_CHANCE = 0.5;

/** Exponential back-off of the probes in an outage. */
const FIRST_PROBE_MS = 500;
const LONGEST_GAP_MS = 30_000;

/** The margin between a place's return and its use: both sides round to milliseconds, and may be late. */
const MARGIN_MS = 20;

/** How long after the latest refusal a trial goes beyond the known places: a minute's places came back without one. */
const PEACE_MS = 75_000;

/** A bucket may give fewer at once after a pause. */
const LEAST_AT_ONCE = 8;

/** An outage shorter than this may hide places that were never used. */
const SOON_MS = 10_000;

/** Two edges closer together than this are those of a shorter window. */
const LEAST_OF_MINUTE_MS = 50_000;

/** If nothing gets through for this long, even distances do not suit the limit. */
const LONGEST_OUTAGE_AT_PACE_MS = 20_000;

/** From a refusal until a probe gets through. */
interface Outage {
	/** Start of the first refused request, and of the latest refused probe. */
	sinceMs: number;
	probedMs: number;
	/** The first refused request. */
	first: SentRequest;
	/** Whether only one item has been refused. */
	isOfOne: boolean;
	/** How many later requests were refused while it was in doubt. */
	against: number;
	isDoubt: boolean;
	/** Whether the service was too busy, which says nothing about places. */
	isOverload: boolean;
	probe?: SentRequest | undefined;
	refusedProbes: number;
	nextProbeMs: number;
	/** When the window says that the first place comes back. */
	predictedMs: number;
}

/** Requests beyond what the window predicts. One more may be in flight than have got through. */
interface Trial {
	/** When the outage before it began, and when the trial did. */
	sinceMs: number;
	startMs: number;
	fromIndex: number;
	passed: number;
	/** Whether it tries more than the known places, and does not follow an outage. */
	isRaise: boolean;
}

/**
 * What is known of a limit, and so when the next request may start. Everything may until something is refused. Then:
 *
 * - Doubt: nothing starts until none is in flight, or two seconds after the refused start; then one at a time, of other items
 *   first. If one that started later gets through, the refusal is forgotten. It is the limit's if two later ones are refused
 *   too, or with a `Retry-After`.
 * - Outage: only single probes start, after half a second and then each time after twice as long, until one gets through.
 * - Window: what got through in the minute before are the limit's places, and each comes back a minute after it was taken.
 * - Trial: if a probe gets through earlier, one more may be in flight than have got through. If half of the places, and
 *   at least eight, are there at once, it was a window's edge, and the places count from there.
 * - Pace: if they are not, or a second edge comes within 50 s, it is no window of a minute, and requests are spaced evenly.
 * - Raise: with all places taken, 75 s after the last refusal or when `Limiter` is out of patience (9 s), more are tried.
 *
 * Another process learns alone, from nothing. It takes places, so this one is refused, and counts fewer or slows down.
 * An answer that the service is too busy (503) is a refusal too, but says nothing about places.
 */
export class LimitModel {
	/** Requests without an outcome. */
	inFlight = 0;

	nextIndex = 0;

	/** The latest request that got through. */
	lastPassedIndex = -1;

	/** Starts of requests that have not been refused so far. */
	private log: number[] = [];

	/** Per minute. */
	private places = Infinity;

	/** Whether the last place came back when the window had predicted it. */
	private isPredicted = false;

	/** When all places last came back together. */
	private edgeMs = -Infinity;

	private pace: Pace | undefined;

	private outage: Outage | undefined;

	private trial: Trial | undefined;

	/** Refusals of earlier requests are no news. */
	private epochIndex = 0;

	private refusedMs = -Infinity;

	/** The item of the latest refusal, if nothing has got through since: each item counts once. */
	private refusedItem: object | undefined;

	/** Of the latest outcomes: refusals of items' first requests, and of items refused again although others passed. */
	private refusedShare = 0;

	constructor(private readonly random: () => number) {}

	/** Whether the item is the only one that was refused, and may be the reason. */
	isSuspect(item: object): boolean {
		return this.outage?.isOfOne === true && this.outage.first.item === item;
	}

	/** Whether the latest refusals may have other reasons than the limit. */
	get isCalm(): boolean {
		return this.refusedShare <= MOST_BY_CHANCE;
	}

	/** Whether the next request shows what the limit lets through, which an item refused for its own sake would not. */
	get isAsking(): boolean {
		return (this.outage ?? this.trial ?? this.refusedItem) !== undefined;
	}

	/**
	 * The earliest time at which a request may start; Infinity if another has to end first.
	 * @param isFresh whether the item of the next request has not been refused
	 */
	nextStartMs(isFresh: boolean): number {
		const { outage, trial, pace } = this;
		if (outage) {
			if (outage.probe) return Infinity;
			const { isOfOne, refusedProbes, nextProbeMs } = outage;
			const waitsForOthers = !pace && refusedProbes === 0 && this.inFlight > 0;
			const dueMs = isOfOne && isFresh ? outage.probedMs : nextProbeMs;
			return waitsForOthers ? Math.max(dueMs, outage.probedMs + LONGEST_DOUBT_MS) : dueMs;
		}
		if (pace) return pace.nextMs;
		if (trial) return this.inFlight <= trial.passed ? -Infinity : Infinity;
		const { returnMs } = this;
		const middleMs = ((this.log.at(-1) ?? -Infinity) + returnMs) / 2;
		return Math.min(returnMs, Math.max(this.refusedMs + PEACE_MS, middleMs));
	}

	started(now: number, item: object, isFirst: boolean): SentRequest {
		const request = { startMs: now, index: this.nextIndex++, item, isFirst };
		const { outage, pace, log } = this;
		if (outage) outage.probe ??= request;
		else if (pace) pace.started(now);
		else if (!this.trial && this.returnMs > now) {
			this.trial = { sinceMs: now, startMs: now, fromIndex: request.index, passed: 0, isRaise: true };
		}
		if (log.length > 64 && log[log.length >> 1]! < now - MINUTE_MS - 5000) log.splice(0, log.length >> 1);
		log.push(now);
		this.inFlight++;
		return request;
	}

	passed(request: SentRequest, now: number): void {
		this.inFlight--;
		this.lastPassedIndex = Math.max(this.lastPassedIndex, request.index);
		this.refusedItem = undefined;
		this.refusedShare -= this.refusedShare / REMEMBERED;
		const { outage, trial } = this;
		this.pace?.passed(request, now, this.nextIndex);
		if (outage?.probe === request) this.endOutage(outage, request, now);
		else if (outage?.isDoubt && request.index > outage.first.index) this.outage = undefined;
		if (!trial || request.index < trial.fromIndex) return;
		trial.passed++;
		if (trial.passed >= Math.max(LEAST_AT_ONCE, this.places / 2)) this.atEdge(trial);
	}

	/**
	 * The request ended without saying anything about the limit.
	 * @param isRefused whether it was refused, perhaps because of its item: if many are, the limit causes them all the same
	 */
	released(request: SentRequest, isRefused = false): void {
		if (isRefused) this.refusedShare += (1 - this.refusedShare) / REMEMBERED;
		this.pace?.released();
		this.takeOut(request);
	}

	private takeOut(request: SentRequest): void {
		this.inFlight--;
		const at = this.log.lastIndexOf(request.startMs);
		if (at >= 0) this.log.splice(at, 1);
		if (this.outage?.probe === request) this.outage.probe = undefined;
		if (this.trial?.isRaise && this.trial.fromIndex === request.index) this.trial = undefined;
	}

	/**
	 * @param pauseMs what the service said, counted from now; 0 for nothing
	 * @param isOverload whether the service was too busy
	 */
	refused(request: SentRequest, now: number, pauseMs: number, isOverload = false): void {
		const { outage, pace, trial } = this;
		const isProbe = outage?.probe === request;
		this.takeOut(request);
		this.refusedMs = now;
		if (request.isFirst) this.refusedShare += (1 - this.refusedShare) / REMEMBERED;
		if (outage) {
			if (isProbe) {
				outage.probedMs = request.startMs;
				outage.refusedProbes++;
			}
			if (request.item !== outage.first.item) outage.isOfOne = false;
			if (outage.isDoubt) {
				if (request.index > outage.first.index && ++outage.against >= ENOUGH) this.believe(outage);
			} else if (!isProbe && !pace && outage.refusedProbes === 0) this.measure(now, outage);
			if (!outage.probe) this.plan(outage, now, pauseMs);
			return;
		}
		if (request.item !== this.refusedItem) pace?.refused(request, now, this.nextIndex);
		this.refusedItem = request.item;
		if (request.index < this.epochIndex) return;
		this.epochIndex = this.nextIndex;
		if (pace?.refusedAnew(now, pauseMs) === false) return;
		this.outage = {
			sinceMs: request.startMs,
			probedMs: request.startMs,
			first: request,
			isOfOne: true,
			against: 0,
			isDoubt: !pace,
			isOverload,
			refusedProbes: 0,
			nextProbeMs: now,
			predictedMs: Infinity,
		};
		const isCertain = trial?.isRaise === true || pauseMs > 0 || this.refusedShare > MOST_BY_CHANCE;
		if (isCertain && !pace) this.believe(this.outage);
		this.plan(this.outage, now, pauseMs);
	}

	private believe(outage: Outage): void {
		const { trial } = this;
		outage.isDoubt = false;
		if (trial && !trial.isRaise) this.beginPace(trial.sinceMs, outage.sinceMs);
		else this.measure(outage.sinceMs, outage);
		this.trial = undefined;
	}

	// Places

	private countSince(fromMs: number): number {
		let count = 0;
		while (count < this.log.length && this.log[this.log.length - 1 - count]! > fromMs) count++;
		return count;
	}

	/** At a refusal, all places are taken. */
	private measure(atMs: number, { isOverload }: Outage): void {
		if (isOverload) return;
		this.places = Math.max(1, this.countSince(atMs - MINUTE_MS));
	}

	/** When the next place comes back; in the past if there is one. */
	private get returnMs(): number {
		const leavingMs = this.log[this.log.length - this.places];
		return leavingMs === undefined ? -Infinity : leavingMs + MINUTE_MS + MARGIN_MS;
	}

	/** All places are there again, or there are more of them than was known. */
	private atEdge({ startMs, sinceMs, passed, isRaise }: Trial): void {
		this.trial = undefined;
		this.isPredicted = false;
		if (startMs < this.edgeMs + LEAST_OF_MINUTE_MS && this.places < Infinity) {
			return this.beginPace(this.edgeMs, this.log.at(-1) ?? startMs);
		}
		this.edgeMs = startMs;
		this.log = this.log.slice(this.log.length - this.countSince(startMs - 1));
		if (isRaise || passed > this.places || startMs < sinceMs + SOON_MS) this.places = Infinity;
	}

	/** From what got through between the two times; at least half of what was proven to be possible in a minute. */
	private beginPace(fromMs: number, toMs: number): void {
		const inMinute = this.places < Infinity ? this.places : this.countSince(toMs - MINUTE_MS);
		const perMs = Math.max(inMinute / 2 / MINUTE_MS, this.countSince(fromMs) / Math.max(1, toMs - fromMs));
		this.pace = new Pace(perMs, toMs, this.nextIndex);
	}

	// Outages

	/** Sets the time of the next probe. */
	private plan(outage: Outage, now: number, pauseMs: number): void {
		const { sinceMs, probedMs, refusedProbes, isDoubt } = outage;
		if (this.pace && probedMs > sinceMs + LONGEST_OUTAGE_AT_PACE_MS) {
			this.pace = undefined;
			this.measure(probedMs, outage);
		}
		let nextMs = now;
		if (this.pace) nextMs = probedMs + Math.min(LONGEST_GAP_MS, 2 ** refusedProbes * this.pace.gapMs);
		else if (!isDoubt) {
			const isKnown = this.returnMs > probedMs && !outage.isOverload;
			outage.predictedMs = isKnown ? this.returnMs : Infinity;
			const isSure = isKnown && this.isPredicted;
			nextMs = isSure ? outage.predictedMs : Math.min(outage.predictedMs, this.nextProbeMs(outage));
		}
		outage.nextProbeMs = Math.max(now + pauseMs, nextMs);
	}

	/** Each after twice the time, because it may be a bucket, or a window with an edge. */
	private nextProbeMs({ sinceMs, probedMs }: Outage): number {
		let stepMs = FIRST_PROBE_MS;
		while (sinceMs + 0.75 * stepMs < probedMs) stepMs *= 2;
		return Math.min(probedMs + LONGEST_GAP_MS, sinceMs + stepMs * (0.9 + 0.2 * this.random()));
	}

	private endOutage(outage: Outage, probe: SentRequest, now: number): void {
		const { isDoubt, isOverload, sinceMs, predictedMs } = outage;
		const { startMs } = probe;
		this.outage = undefined;
		if (isDoubt) return;
		this.epochIndex = this.nextIndex;
		if (this.pace) this.pace.resume(probe, now, this.nextIndex, isOverload || now > sinceMs + MINUTE_MS);
		else if (startMs >= predictedMs - 1) this.isPredicted = true;
		else this.trial = { sinceMs, startMs, fromIndex: this.nextIndex, passed: 1, isRaise: false };
	}
}
