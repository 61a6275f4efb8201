/** After this many 429s that were blamed on an item, chance is ruled out: the item itself is the reason. */
const MIN_ITEM_REFUSALS = 3;

/** An item that gets a 429 while others succeed backs off for 0.25, 1, 4, 16 and then 64 s each time. */
const MIN_ITEM_BACKOFF_MS = 250;
const MAX_ITEM_BACKOFF_EXPONENT = 4;

/** Says what a limiter knows when an item is refused. */
interface Refusal {
	/** Counts the requests that started at the limiter before the refused one. */
	index: number;
	lastAdmittedIndex: number;
	/** Says whether so few requests are refused, and so few in a row, that the reason may be the item. */
	mayBeItem: boolean;
	now: number;
	/** Holds the wait of a `Retry-After`, or 0. */
	pauseMs: number;
	/** Returns a number from 0 (inclusive) to 1 (exclusive), for the jitter. */
	random: () => number;
}

/**
 * Counts the failures of one item since a request of it last succeeded. If it is refused again although others were admitted in
 * between, the item itself is the reason, such as a text that is too long for a limit on tokens. Then it backs off on its own, and
 * holds nobody else up.
 */
export class ItemBackoff {
	private failures = 0;

	/** Counts the 429s that were blamed on the item. */
	private ownRefusals = 0;

	/** Holds the index of the latest request that was refused. It is Infinity if none was. */
	private refusedIndex = Infinity;

	private backoffEndMs = -Infinity;

	/** Until then, a `Retry-After` holds back this item only, because its 429 was blamed on the item. */
	private retryAfterEndMs = -Infinity;

	private waitsWithoutSlot = false;

	/** Counts the 429s, and the failures of an outage, in a row. */
	get failuresInARow(): number {
		return this.failures;
	}

	/** Says whether the item waits without a slot of its run, because the item itself may be the reason for its 429. */
	get givesUpSlot(): boolean {
		return this.waitsWithoutSlot;
	}

	/** Says whether the item has got so many 429s while others succeeded that chance is ruled out. */
	get isCertain(): boolean {
		return this.ownRefusals >= MIN_ITEM_REFUSALS;
	}

	succeeded(): void {
		this.failures = 0;
		this.ownRefusals = 0;
		this.refusedIndex = Infinity;
		this.waitsWithoutSlot = false;
	}

	/** Takes note of a failure of an outage, which is not the item's fault. */
	failed(): void {
		this.failures++;
	}

	/**
	 * Takes note of a 429 of the item, and holds the item back if it is the reason itself.
	 * @returns whether the item itself is the reason, so that the 429 shows nothing about the limit
	 */
	refused({ index, lastAdmittedIndex, mayBeItem, now, pauseMs, random }: Refusal): boolean {
		const isOwnFault = this.isCertain || (lastAdmittedIndex > this.refusedIndex && mayBeItem);
		this.failures++;
		this.refusedIndex = index;
		this.waitsWithoutSlot = isOwnFault;
		if (!isOwnFault) return false;
		const exponent = Math.min(MAX_ITEM_BACKOFF_EXPONENT, this.ownRefusals++);
		this.retryAfterEndMs = now + pauseMs;
		this.backoffEndMs = now + MIN_ITEM_BACKOFF_MS * 4 ** exponent * (0.75 + 0.5 * random());
		return true;
	}

	/** Lets the item wait without a slot, so that another item can show whether this one or the limit is the reason. */
	giveUpSlot(): void {
		this.waitsWithoutSlot = true;
	}

	/**
	 * Returns whether the item may not send now.
	 * @param cutMs from this time on, a backoff is over. A `Retry-After` is always followed.
	 */
	isHeldBack(now: number, cutMs: number): boolean {
		return this.retryAfterEndMs > now || Math.min(this.backoffEndMs, cutMs) > now;
	}

	/** Returns when the item's own `Retry-After` ends, or else its backoff. This may be in the past. */
	endMs(now: number): number {
		return this.retryAfterEndMs > now ? this.retryAfterEndMs : this.backoffEndMs;
	}
}
