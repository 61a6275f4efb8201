import type { LoggedRequest } from './RequestLog';

/** From a refusal until a probe gets through. Times are milliseconds by the clock of the limiter. */
export class Outage {
	/** Start of the latest refused request. */
	refusedMs: number;

	refusedProbes = 0;

	/** The one in flight. */
	probe: LoggedRequest | undefined;

	nextProbeMs: number;

	/** The service's own word. */
	notBeforeMs = -Infinity;

	/** Whether the next probe goes when the service said. */
	byHeader = false;

	/** When places come back if refused requests take them too. */
	allMs: number | undefined;

	/** When the first place comes back, as the window has it. */
	predictedMs = Infinity;

	/** Whether a probe was refused then. */
	wasMispredicted = false;

	/** Whether one was refused at `allMs`, so that refused requests take no places. */
	refusedAreFree = false;

	/**
	 * @param sinceMs start of the first refused request
	 * @param isExpected no probing: the refusal was bought to see whether the limit is higher
	 */
	constructor(
		readonly sinceMs: number,
		public isExpected = false,
	) {
		this.refusedMs = sinceMs;
		this.nextProbeMs = sinceMs;
	}

	get nextStartMs(): number {
		return this.probe ? Infinity : this.nextProbeMs;
	}

	/** Milliseconds from the first refused request to the latest. */
	get lengthMs(): number {
		return this.refusedMs - this.sinceMs;
	}

	/** Whether a probe went when the first place was to come back. */
	wentAsPredicted({ startMs }: LoggedRequest): boolean {
		return startMs >= this.predictedMs - 1;
	}

	/** Whether it went when places were to come back if refused requests take them too. */
	wentForAll({ startMs }: LoggedRequest): boolean {
		return this.allMs !== undefined && startMs >= this.allMs;
	}

	probeRefused(probe: LoggedRequest): void {
		this.wasMispredicted ||= this.wentAsPredicted(probe);
		this.refusedAreFree ||= this.wentForAll(probe);
		this.refusedProbes++;
		this.refusedMs = probe.startMs;
		this.probe = undefined;
	}

	holdBack(untilMs: number): void {
		this.notBeforeMs = Math.max(this.notBeforeMs, untilMs);
	}

	plan(probeMs: number, now: number): void {
		this.nextProbeMs = Math.max(now, probeMs, this.notBeforeMs);
	}
}
