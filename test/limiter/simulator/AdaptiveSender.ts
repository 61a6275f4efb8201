import { backOff } from '../../../client/backOff';
import type { ServiceError } from '../../../client/ServiceError';
import type { ItemCalls } from '../../../client/limiter/ItemCalls';
import type { Gate, GatePermit } from './Gate';
import type { VirtualClock } from '../../support/VirtualClock';

/** The factor by which a refusal cuts the pace, and the slowest pace, as in AWS's clients. */
const CUT = 0.7;
const LEAST_PER_MS = 0.5 / 1000;
/** How much the pace grows with each request that gets through, as a share. */
const GROWTH = 0.02;

/** The pace is measured over this time. */
const MEASURED_MS = 10_000;

/**
 * One pace for all, as in the adaptive mode of AWS's clients: each refusal cuts it, and each success raises it a
 * little. Each refused call backs off on its own.
 */
export class AdaptiveSender implements Gate {
	private perMs = Infinity;

	private nextMs = 0;

	private cutMs = -Infinity;

	private readonly sentMs: number[] = [];

	private readonly refusals = new Map<ItemCalls, number>();

	constructor(
		private readonly clock: VirtualClock,
		private readonly random: () => number,
	) {}

	async acquire(item: ItemCalls): Promise<GatePermit> {
		const beganMs = this.clock.now();
		const repetition = this.refusals.get(item) ?? 0;
		const heldBackMs = repetition === 0 ? 0 : backOff(repetition, this.random);
		const startMs = Math.max(beganMs + heldBackMs, this.nextMs);
		if (startMs - beganMs > item.leftMs) throw new Error('No time is left');
		if (this.perMs < Infinity) this.nextMs = Math.max(beganMs, this.nextMs) + 1 / this.perMs;
		if (startMs > beganMs) await this.clock.wait(startMs - beganMs);
		item.waitedMs += startMs - beganMs;
		this.sentMs.push(startMs);
		return {
			succeeded: () => {
				this.refusals.delete(item);
				this.perMs *= 1 + GROWTH;
			},
			throttled: (refusal) => this.refused(item, refusal, startMs),
			overloaded: () => undefined,
		};
	}

	private refused(item: ItemCalls, { facts: { retryAfterMs = 0 } }: ServiceError, sentMs: number): boolean {
		const now = this.clock.now();
		if (sentMs >= this.cutMs) {
			while (this.sentMs.length > 0 && this.sentMs[0]! < now - MEASURED_MS) this.sentMs.shift();
			const measured = this.sentMs.length / Math.max(1000, now - (this.sentMs[0] ?? now));
			this.perMs = Math.max(LEAST_PER_MS, Math.min(this.perMs, measured) * CUT);
			this.cutMs = now;
		}
		this.nextMs = Math.max(this.nextMs, now + retryAfterMs);
		this.refusals.set(item, (this.refusals.get(item) ?? 0) + 1);
		return item.leftMs > retryAfterMs;
	}
}
