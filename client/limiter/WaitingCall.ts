import type { ItemCalls } from './ItemCalls';
import type { Permit } from './Permit';

/** One of these ends a call's wait for a permit. */
interface Ends {
	start: (permit: Permit) => void;
	fail: (reason: unknown) => void;
}

/** Counts the wait of a call for a permit towards the Max Wait of its item. */
export class WaitingCall {
	private readonly fullMsBefore: number;

	/**
	 * Begins the wait.
	 * @param endOfWaitMs when the item's Max Wait is over, if no part of the wait is for a slot
	 * @param ends called once, when the call leaves the queue
	 */
	constructor(
		readonly item: ItemCalls,
		private readonly sinceMs: number,
		private readonly endOfWaitMs: number,
		private readonly ends: Ends,
	) {
		this.fullMsBefore = item.run.countTimes(sinceMs).fullMs;
		item.run.changeWaiting(1, sinceMs);
	}

	get isWaitingForSlot(): boolean {
		const { run, backoff } = this.item;
		return run.isFull && !backoff.givesUpSlot;
	}

	/** Returns when the item's Max Wait is over, as far as it is known now. */
	endMs(now: number): number {
		return this.endOfWaitMs + this.slotMs(now);
	}

	start(permit: Permit, now: number): void {
		this.leave(now);
		this.ends.start(permit);
	}

	fail(reason: unknown, now: number): void {
		this.leave(now);
		this.item.setAside(false);
		this.ends.fail(reason);
	}

	private leave(now: number): void {
		this.item.countWait(now - this.sinceMs - this.slotMs(now));
		this.item.run.changeWaiting(-1, now);
	}

	/** Waits for a slot do not count towards Max Wait, unless the item gave its slot up because of its own 429s. */
	private slotMs(now: number): number {
		const { run, backoff } = this.item;
		return backoff.givesUpSlot ? 0 : run.countTimes(now).fullMs - this.fullMsBefore;
	}
}
