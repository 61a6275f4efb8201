import { MINUTE_MS } from './Window';
import type { LoggedRequest, Usage } from './RequestLog';

/** Between two places of the lowest limit that services sell, ten a minute. */
const SLOWEST_GAP_MS = 6000;

/** What is left at a refusal is evenly spread between nothing and one place: half of one, give or take its deviation. */
const UNSURE_LEVEL = 0.3;

/** With fewer requests between two refusals, half a place more or less is over an eighth of the rate. */
const LEAST_CALM = 4;

/** So many times what a pause has cost gets through before another one is risked: a tenth of all is lost at most. */
export const WORTH = 10;

/** Where others take half of a bucket's places, this many probes in a row are refused in one case of 30. */
const MOST_PROBES = 5;

/** The rate grows by a tenth of the cube of calms, so by hardly anything in the first one after it begins. */
const GROWTH = 0.1;

/** In calms after the first one. The rate is seven times what was measured then. */
const GROWTH_ENDS = 4;

/** A client that was left a small part of a limit sends seven times as much within a minute after the others have gone. */
const LONGEST_CALM_MS = 10_000;

/** In calms. When the rate has grown by a third without a refusal, requests are sent beyond it. */
const EXTRAS_BEGIN = 2.5;

/** Of what it was above the latest rate, the best rate keeps so much at a refusal. */
const BEST_KEPT = 0.6;

/** Halvings of an interval: 2 to this power is 16,000, so the rate is exact to 0.01%. */
const HALVINGS = 14;

/** From one refusal to the next: the bucket is empty at both ends. */
export interface Stretch {
	fromMs: number;
	toMs: number;
}

/** A time in which nothing gets through. */
export interface Emptiness {
	/** Start of the first refused request. */
	sinceMs: number;
	/** Start of the latest. */
	refusedMs: number;
	refusedProbes: number;
}

/** A limit whose places come back one after the other. */
export interface Rate {
	/** The share of requests that are refused because others were first, where that is known. */
	readonly othersShare: number;
	nextStartMs(now: number): number;
	requestStarted(entry: LoggedRequest): void;
	/** @param hasPassed whether it got through since the latest refusal */
	requestEnded(entry: LoggedRequest, hasPassed: boolean): void;
	/**
	 * @param toldMs what the service said, counted from now
	 * @returns whether requests continue, because others got through since the last refusal
	 */
	requestRefused(stretch: Stretch, now: number, toldMs: number | undefined): boolean;
	/** A request that was thought to have got through in the latest stretch was refused. */
	refusedLate(entry: LoggedRequest): void;
	/** A request that had taken a place for nothing. */
	giveBack(entry: LoggedRequest): void;
	/** @returns whether nothing has got through for too long for such a limit */
	isEmptyTooLong(emptiness: Emptiness): boolean;
	outageEnded(probe: LoggedRequest): void;
	/** Milliseconds in which a place comes back. */
	readonly shareMs: number;
	/** Between two probes. */
	readonly longestGapMs: number;
}

/** A limit that fills at a rate, up to a burst. */
export class Bucket implements Rate {
	readonly othersShare = 0;

	readonly longestGapMs = Infinity;

	private perMs: number;

	/** The pace that the last refusal ended, 0 before the first. */
	private refusedPerMs = 0;

	/** The best rate of late, as it was at the last refusal. */
	private bestPerMs = 0;

	/** Those in flight that were sent beyond the rate since the last refusal. */
	private readonly extras = new Set<LoggedRequest>();

	/** Of these, how many got through. */
	private extraPassed = 0;

	private level = 0;

	private levelAtMs: number;

	/** Requests that got through since the last refusal. */
	private passed = 0;

	/** How many times what the next pause costs gets through before it is risked: `WORTH`, but less at first, while each teaches something. */
	private worth = 1;

	/** Requests after which the rate that was measured is thought too low. */
	private calm: number;

	/**
	 * @param burst what the limit has let through at once
	 * @param stretch the latest
	 */
	constructor(
		private readonly usage: Usage,
		private readonly burst: number,
		private stretch: Stretch,
	) {
		this.levelAtMs = stretch.toMs;
		this.perMs = this.measuredPerMs();
		this.calm = LEAST_CALM;
	}

	toString(): string {
		return `bucket of ${this.burst}, ${this.perMs * 1000} a second`;
	}

	nextStartMs(now: number): number {
		this.fill(now);
		const missing = this.usage.nextCost - this.level;
		return missing <= 1e-9 || this.mayOverdraw ? now : now + missing / this.paceAt(now);
	}

	requestStarted(entry: LoggedRequest): void {
		this.fill(entry.startMs);
		if (this.level < this.usage.nextCost - 1e-9 && this.mayOverdraw) this.extras.add(entry);
		else this.level -= this.usage.costOf(entry);
	}

	requestEnded(entry: LoggedRequest, hasPassed: boolean): void {
		const wasExtra = this.extras.delete(entry);
		if (!hasPassed) return;
		this.passed++;
		if (wasExtra) this.extraPassed++;
	}

	requestRefused(stretch: Stretch, now: number, toldMs: number | undefined): boolean {
		const goesOn = this.passed > 0;
		this.refusedPerMs = this.paceAt(stretch.toMs);
		this.stretch = stretch;
		this.perMs = this.measuredPerMs();
		this.worth = Math.min(WORTH, 2 * this.worth);
		this.bestPerMs = this.perMs + BEST_KEPT * Math.max(0, this.bestPerMs - this.perMs);
		this.calm = this.calmAfterRefusal(toldMs ?? 0);
		this.passed = 0;
		this.extras.clear();
		this.extraPassed = 0;
		this.fill(now);
		const filledSince = (now - stretch.toMs) * this.paceAt(now) - this.usage.between(stretch.toMs, now);
		this.level = Math.min(this.level, goesOn ? filledSince : 0);
		return goesOn && toldMs === undefined;
	}

	refusedLate({ startMs }: LoggedRequest): void {
		if (startMs <= this.stretch.toMs) this.perMs = this.measuredPerMs();
	}

	giveBack(entry: LoggedRequest): void {
		if (!this.extras.has(entry)) this.level += this.usage.costOf(entry);
	}

	isEmptyTooLong({ refusedProbes }: Emptiness): boolean {
		return refusedProbes >= MOST_PROBES;
	}

	outageEnded(probe: LoggedRequest): void {
		this.levelAtMs = probe.startMs;
		this.level = Math.max(0, this.level);
	}

	/** One first, then ever more as long as they get through, and no more than other requests bear out. */
	private get mayOverdraw(): boolean {
		const beyondCalm = this.passed - EXTRAS_BEGIN * this.calm;
		const sent = this.extras.size + this.extraPassed;
		return beyondCalm >= 0 && sent <= beyondCalm && this.extras.size < 1 + this.extraPassed / 2;
	}

	get shareMs(): number {
		return this.usage.nextCost / this.perMs;
	}

	private get soughtPerMs(): number {
		return Math.max(this.bestPerMs, this.perMs);
	}

	/**
	 * The rate grows as CUBIC does: back to the best of late, hardly near the rate that was measured, then faster. Who was
	 * refused because of others at the same limit has its share again soon, though it sends less than they do.
	 */
	private paceAt(now: number): number {
		const { perMs, soughtPerMs, passed, calm } = this;
		const backAfterMs = (calm * this.usage.nextCost) / soughtPerMs;
		const back = Math.min(1, Math.max(0, now - this.stretch.toMs) / backAfterMs);
		const growth = 1 + GROWTH * Math.min(GROWTH_ENDS, (passed - calm) / calm) ** 3;
		return (perMs + (soughtPerMs - perMs) * back) * growth;
	}

	private fill(now: number): void {
		// After a pause the bucket may be full, or emptied by others.
		const most = Math.max(this.usage.nextCost, this.burst / 2);
		this.level = Math.min(most, this.level + (now - this.levelAtMs) * this.paceAt(now));
		this.levelAtMs = now;
	}

	/** In the minute before the latest refusal. */
	private get measuredFromMs(): number {
		return Math.max(this.stretch.fromMs, this.stretch.toMs - MINUTE_MS);
	}

	private measuredPerMs(): number {
		const perMs = this.refusedPerMs === 0 ? this.emptyingPerMs(0) : this.correctedPerMs();
		const { toMs } = this.stretch;
		// In a minute at most a burst and a minute's share get through, and the burst is rarely more than that share.
		const provenPerMs = this.usage.between(toMs - MINUTE_MS, toMs) / MINUTE_MS / 2;
		return Math.max(perMs, provenPerMs) || 1 / SLOWEST_GAP_MS;
	}

	/** The pace that was refused, as far as the latest stretch bears it out. */
	private correctedPerMs(): number {
		const { refusedPerMs } = this;
		const least = this.emptyingPerMs(-UNSURE_LEVEL);
		const most = this.emptyingPerMs(UNSURE_LEVEL);
		return Math.max(refusedPerMs / 2, Math.min(Math.max(refusedPerMs, least), most));
	}

	/**
	 * The rate at which what got through in the latest stretch leaves the bucket empty at its end, though what it had
	 * too much of flowed over; 0 where nothing got through.
	 * @param unsure how much less is left at the beginning, and more at the end, of one request
	 */
	private emptyingPerMs(unsure: number): number {
		const { usage, measuredFromMs: fromMs } = this;
		const { toMs } = this.stretch;
		const requests = usage.startedBetween(fromMs, toMs);
		const amount = usage.between(fromMs, toMs);
		// One place is never all: what a bucket of tokens has left for the next request varies as they do.
		const most = Math.max(2 * usage.nextCost, this.burst);
		const leftAtEnd = (perMs: number) => {
			let level = (0.5 - unsure) * usage.nextCost;
			let atMs = fromMs;
			for (const request of requests) {
				level = Math.min(most, level + (request.startMs - atMs) * perMs) - usage.costOf(request);
				atMs = request.startMs;
			}
			return Math.min(most, level + (toMs - atMs) * perMs);
		};
		let low = 0;
		let high = (2 * amount) / Math.max(1, toMs - fromMs);
		for (let halving = 0; halving < HALVINGS; halving++) {
			const middle = (low + high) / 2;
			if (leftAtEnd(middle) < (0.5 + unsure) * usage.nextCost) low = middle;
			else high = middle;
		}
		return high;
	}

	private calmAfterRefusal(pauseMs: number): number {
		const { usage, perMs, stretch } = this;
		const amount = Math.min(usage.between(this.measuredFromMs, stretch.toMs), LONGEST_CALM_MS * perMs);
		const lost = Math.max(0, pauseMs * perMs - this.burst);
		return Math.max(LEAST_CALM, amount / usage.nextCost, (this.worth * lost) / usage.nextCost);
	}
}
