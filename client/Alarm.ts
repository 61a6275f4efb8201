import type { Clock } from './Clock';

/** Rings at the earliest of the times it was set to, or before: who needs a later one looks and sets it again. */
export class Alarm {
	private atMs = Infinity;

	constructor(
		private readonly clock: Clock,
		private readonly ring: () => void,
	) {}

	/** @param atMs by the clock */
	set(atMs: number): void {
		if (this.atMs <= atMs) return;
		this.atMs = atMs;
		const waitMs = Math.min(atMs - this.clock.now(), LONGEST_NAP_MS);
		void this.clock.wait(waitMs, NEVER).then(() => {
			if (this.atMs === atMs) this.atMs = Infinity;
			this.ring();
		});
	}
}

/** The timer ends this soon after an execution that was over or stopped while it ran. */
const LONGEST_NAP_MS = 500;

const NEVER = new AbortController().signal;
