/** Requests whose fate the share remembers. */
const REMEMBERED = 20;

/** Of them, so many refused before the pace had grown again are no accident of the pace. */
const NOISY_SHARE = 0.2;

/** A pace is slowed where it has more refused than another client could explain that takes half of the limit. */
const MOST_REFUSED = 0.6;

/** Whether refusals are another client's doing is asked again after so many requests, by a slower pace for a while. */
const ASKED_EVERY = 80;

const ASKED_FOR = 15;

const SLOWER = 0.6;

/** A closed service refuses so many in a row. */
const MOST_IN_A_ROW = 6;

/**
 * Refusals that a slower pace does not make rarer: another client takes places of the same bucket, or the service refuses at
 * random. Then the pace follows the share that is refused, and no single refusal slows it.
 */
export class Chance {
	/** Of the latest requests, those that were refused at a pace that had been proven. */
	private share = 0;

	/** The pace that chance does not slow; undefined while refusals are believed to be about the pace. */
	private freePerMs: number | undefined;

	private sent = 0;

	private inARow = 0;

	private asked: { sent: number; refused: number } | undefined;

	get perMs(): number | undefined {
		if (this.freePerMs === undefined) return undefined;
		return this.asked ? SLOWER * this.freePerMs : this.freePerMs;
	}

	passed(): void {
		this.inARow = 0;
		this.count(0);
		if (this.freePerMs !== undefined && !this.asked) this.freePerMs *= 1.03;
	}

	/**
	 * @param isEarly whether the request was refused before the pace had grown beyond what was measured
	 * @param perMs the pace that was measured
	 * @returns whether it says nothing of the pace
	 */
	refused(isEarly: boolean, perMs: number): boolean {
		this.inARow++;
		this.count(isEarly || this.freePerMs !== undefined ? 1 : 0);
		if (this.inARow >= MOST_IN_A_ROW) return false;
		if (this.freePerMs === undefined) {
			if (this.share < NOISY_SHARE) return false;
			this.freePerMs = perMs;
			this.sent = 0;
		} else if (this.share > MOST_REFUSED && !this.asked) this.freePerMs *= 0.93;
		return true;
	}

	private count(refused: 0 | 1): void {
		this.share += (refused - this.share) / REMEMBERED;
		if (this.freePerMs === undefined) return;
		const { asked } = this;
		if (!asked) {
			if (++this.sent >= ASKED_EVERY) this.asked = { sent: 0, refused: 0 };
			return;
		}
		asked.sent++;
		asked.refused += refused;
		if (asked.sent < ASKED_FOR) return;
		this.asked = undefined;
		this.sent = 0;
		if (asked.refused > 1) return;
		this.freePerMs = undefined;
		this.share = 0;
	}
}
