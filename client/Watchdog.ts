import { Alarm } from './Alarm';
import type { Clock } from './Clock';

/** What may come too late. */
export interface Watched {
	/** Milliseconds until it is late. */
	readonly leftMs: number;
	/** It is late. It must not be watched any more. */
	expire(): void;
}

/** Notices what is late, with one timer for all: one for each request would cost more than all else that a client does for it. */
export class Watchdog {
	private readonly watched = new Set<Watched>();

	/** Late at the last look. Where the process was busy, what has come meanwhile must be read first. */
	private suspects: Watched[] = [];

	private readonly alarm: Alarm;

	constructor(private readonly clock: Clock) {
		this.alarm = new Alarm(clock, () => this.look());
	}

	/** Watches it from now on; also to be called when it may be late sooner than it was to be. */
	watch(watched: Watched): void {
		this.watched.add(watched);
		const lateAtMs = this.clock.now() + watched.leftMs;
		if (lateAtMs < this.alarm.atMs) this.alarm.set(lateAtMs);
	}

	unwatch(watched: Watched): void {
		this.watched.delete(watched);
		if (this.watched.size > 0) return;
		this.suspects = [];
		this.alarm.set(Infinity);
	}

	private look(): void {
		for (const suspect of this.suspects) {
			if (this.watched.has(suspect) && suspect.leftMs <= 0) suspect.expire();
		}
		const lefts = [...this.watched].map((watched) => ({ watched, leftMs: watched.leftMs }));
		this.suspects = lefts.filter(({ leftMs }) => leftMs <= 0).map(({ watched }) => watched);
		const leastMs = lefts.reduce((least, { leftMs }) => Math.min(least, leftMs), Infinity);
		this.alarm.set(this.clock.now() + Math.max(0, leastMs));
	}
}
