import { backOff } from '../../client/backOff';
import type { ServiceError } from '../../client/ServiceError';
import type { WaitBudget } from '../../client/limiter/WaitBudget';
import type { Gate, GatePermit } from './design';
import type { VirtualClock } from './VirtualClock';

/** Of the pace that was refused. */
const CUT = 0.7;

/** Of the pace, for each request that got through. */
const GROWTH = 0.02;

/** What is sent after a cut is news of the new pace; what was in flight is not. */
const SLOWEST_PER_MS = 1 / 60_000;

/**
 * One pace for all, as in the adaptive mode of AWS's clients: cut at each refusal, raised a little by each success. Who was
 * refused backs off by itself. Knows no windows, no turns and no refusals that are not about the pace.
 */
export class AdaptiveSender implements Gate {
	private perMs = Infinity;

	private nextMs = 0;

	private cutMs = -Infinity;

	private passed = 0;

	private sinceMs: number;

	constructor(
		private readonly clock: VirtualClock,
		private readonly random: () => number,
	) {
		this.sinceMs = clock.now();
	}

	async acquire(item: WaitBudget): Promise<GatePermit> {
		const beganMs = this.clock.now();
		const startMs = Math.max(beganMs, this.nextMs, item.notBeforeMs);
		if (item.leftMs < startMs - beganMs) throw new Error('No time is left');
		if (this.perMs < Infinity) this.nextMs = Math.max(beganMs, this.nextMs) + 1 / this.perMs;
		if (startMs > beganMs) await this.clock.wait(startMs - beganMs);
		item.waitedMs += startMs - beganMs;
		return {
			succeeded: () => {
				this.passed++;
				item.refusedInARow = 0;
				this.perMs *= 1 + GROWTH;
			},
			throttled: (refusal) => this.refused(item, refusal, startMs),
			overloaded: () => undefined,
		};
	}

	private refused(item: WaitBudget, { facts: { retryAfterMs = 0 } }: ServiceError, sentMs: number): boolean {
		const now = this.clock.now();
		if (sentMs >= this.cutMs) {
			const seenPerMs = this.passed / Math.max(1000, now - this.sinceMs);
			this.perMs = Math.max(SLOWEST_PER_MS, Math.min(this.perMs, seenPerMs * 2) * CUT);
			this.cutMs = now;
			this.passed = 0;
			this.sinceMs = now;
		}
		this.nextMs = Math.max(this.nextMs, now + retryAfterMs);
		item.refusedInARow++;
		item.notBeforeMs = now + Math.max(retryAfterMs, backOff(item.refusedInARow, this.random));
		return item.leftMs > retryAfterMs;
	}
}
