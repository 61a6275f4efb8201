import type { Credit } from './Credit';
import { MINUTE_MS, type Window } from './Window';
import type { Outage } from './Outage';
import type { Rival } from './Rival';
import type { Usage } from './Usage';

const LEAST_GAP_MS = 500;

const LONGEST_GAP_MS = 30_000;

/** A window that turns with the clock's minute is probed so long after it, as clocks differ. */
const AFTER_TURN_MS = 700;

/** When to probe a window during an outage: when it has places again, and before that where it may be another limit than thought. */
export class WindowProbes {
	constructor(
		private readonly usage: Usage,
		private readonly window: Window,
		private readonly rival: Rival,
		private readonly credit: Credit,
		private readonly random: () => number,
	) {}

	/** Plans what the window says about the outage, and returns when its next probe should start. */
	nextProbeMs(outage: Outage, now: number): number {
		const expectedMs = this.expectedMs(outage, now);
		if (outage.isExpected) return expectedMs;
		return Math.min(expectedMs, this.earlyProbeMs(outage, now));
	}

	private expectedMs(outage: Outage, now: number): number {
		const { refusedMs: last, lengthMs } = outage;
		const predictedMs = this.window.nextReturnMs(now);
		outage.predictedMs = predictedMs;
		outage.allMs = undefined;
		const isLikely = predictedMs >= last + LEAST_GAP_MS && !outage.wasMispredicted;
		if (lengthMs <= 0 || isLikely) return predictedMs;
		const gapMs = Math.min(LONGEST_GAP_MS, Math.max(LEAST_GAP_MS, 0.25 * lengthMs));
		const rarerMs = Math.max(predictedMs, last + gapMs);
		outage.allMs = this.ifRefusedCountMs(outage, rarerMs);
		return outage.allMs ?? rarerMs;
	}

	/** When places come back if refused requests take them too, where that is before `nextMs`. */
	private ifRefusedCountMs({ refusedMs, refusedAreFree }: Outage, nextMs: number): number | undefined {
		if (refusedAreFree || this.usage.refusedAreCounted) return undefined;
		const allMs = Math.max(refusedMs + 300, this.window.nextReturnCountingRefusedMs());
		return allMs < nextMs ? allMs : undefined;
	}

	/** Ever rarer probes as long as it may be a bucket, and one where the clock's minute turns. */
	private earlyProbeMs(outage: Outage, now: number): number {
		const { rival, credit, window } = this;
		if (rival.isWindowConfirmed) return Infinity;
		// One probe at least, or a bucket would be taken for a window for ever.
		if (!credit.affordsProbe && (rival.isRefuted || outage.refusedProbes > 1)) return Infinity;
		const shorterMs = outage.refusedProbes > 0 ? window.shorterReturnMs(outage, rival.shareMs) : Infinity;
		const stepMs = shorterMs < Infinity ? shorterMs : this.rarerProbeMs(outage);
		if (window.edge || !credit.affordsProbe) return stepMs;
		const turnMs = Math.floor(now / MINUTE_MS + 1) * MINUTE_MS + AFTER_TURN_MS;
		return Math.min(stepMs, turnMs);
	}

	private rarerProbeMs({ sinceMs, refusedMs }: Outage): number {
		const { rival } = this;
		const isFirstGuess = !rival.hasShownRate && this.credit.affordsProbe;
		const firstStepMs = isFirstGuess ? LEAST_GAP_MS : Math.max(LEAST_GAP_MS, 1.5 * rival.shareMs);
		for (let stepMs = firstStepMs; stepMs < this.window.lengthMs; stepMs *= 4) {
			const probeMs = sinceMs + stepMs * (0.9 + 0.2 * this.random());
			if (probeMs > refusedMs + stepMs / 2) return probeMs;
		}
		return Infinity;
	}
}
