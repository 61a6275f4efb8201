const AT_FIRST = 6;

const MOST = 6;

const LEAST = -2;

/** One refusal for 16 successes is 6% of the requests, below the 10% that the rows of the bench allow. */
const EARNED_BY_SUCCESS = 1 / 16;

/** Bounds the refusals: each success earns a little, each refusal costs one, and what is not needed is done with credit only. */
export class Credit {
	private left = AT_FIRST;

	/** The first refusals, those of all that was in flight, cost nothing. */
	private freeBeforeIndex: number | undefined;

	earn(): void {
		this.left = Math.min(MOST, this.left + EARNED_BY_SUCCESS);
	}

	/**
	 * Pays for a refusal.
	 * @param index of the refused request
	 * @param endIndex after the latest request
	 */
	pay(index: number, endIndex: number): void {
		this.freeBeforeIndex ??= endIndex;
		if (index >= this.freeBeforeIndex) this.left = Math.max(LEAST, this.left - 1);
	}

	/** Enough for a probe before its time. */
	get affordsProbe(): boolean {
		return this.left >= 1;
	}

	/** Enough for a request beyond the limit, to see whether it has risen. */
	get affordsTrial(): boolean {
		return this.left >= 2;
	}
}
