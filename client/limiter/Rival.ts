import type { Window } from './Window';
import type { Outage } from './Outage';
import type { Usage } from './Usage';

/** An outage that long, and foretold by the service, is a window's. */
const LONG_OUTAGE_MS = 20_000;

/** The bucket that what is taken for a window might be as well. */
export class Rival {
	/** Whether it is a window beyond doubt. */
	isWindowConfirmed = false;

	/** Whether an outage has lasted too long for a bucket. */
	isRefuted = false;

	/** Its rate, where it has shown one. */
	private perMs: number | undefined;

	constructor(
		private readonly usage: Usage,
		private readonly window: Window,
	) {}

	/** Its rate at least, 0 where it has shown none. */
	get shownPerMs(): number {
		return this.perMs ?? 0;
	}

	get hasShownRate(): boolean {
		return this.perMs !== undefined;
	}

	/** Milliseconds in which it would give back a place. */
	get shareMs(): number {
		return this.usage.nextCost / (this.perMs ?? this.window.capacity / this.window.lengthMs);
	}

	/** @param amount what got through in the time */
	showRate(amount: number, fromMs: number, toMs: number): void {
		this.perMs = amount / Math.max(1, toMs - fromMs);
	}

	probeRefused(outage: Outage): void {
		if (outage.lengthMs >= 2 * this.shareMs) this.isRefuted = true;
	}

	/** Places came back when the window said. */
	windowPredicted(outage: Outage, atMs: number): void {
		const wasForetold =
			outage.byHeader && atMs - outage.sinceMs > Math.min(LONG_OUTAGE_MS, this.window.lengthMs / 3);
		if (this.isRefuted || wasForetold) this.isWindowConfirmed = true;
	}

	/** Nothing is sure any more. */
	doubt(): void {
		this.isWindowConfirmed = false;
		this.isRefuted = false;
	}

	forget(): void {
		this.doubt();
		this.perMs = undefined;
	}
}
