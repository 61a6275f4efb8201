/** Describes a rate limit of a service. Times are milliseconds on the service's clock, and never go back. */
export interface ServiceLimit {
	/** Admits a request of this cost if the limit allows it, else refuses it. */
	admit(atMs: number, cost: number): boolean;
	/** Returns when a request of this cost would be admitted if no other came before it. */
	nextAdmissionMs(atMs: number, cost: number): number;
}

interface LimitNumbers {
	/** Returns the amount that is admitted per minute, at a given time. */
	perMinute: (atMs: number) => number;
	/** Holds the capacity of a token bucket, which is full at the start. */
	burst: number;
	windowMs: number;
	/** Says when a fixed window begins. */
	edgeMs: number;
}

const MINUTE_MS = 60_000;

export const LIMITS = {
	none: (): ServiceLimit => ({ admit: () => true, nextAdmissionMs: (atMs) => atMs }),

	/** Makes a token bucket: it refills at the limit's rate, and its capacity is the burst. */
	bucket({ perMinute, burst }: LimitNumbers): ServiceLimit {
		let level = burst;
		let levelAtMs = 0;
		const nextAdmissionMs = (atMs: number, cost: number) => {
			level = Math.min(burst, level + ((atMs - levelAtMs) * perMinute(atMs)) / MINUTE_MS);
			levelAtMs = atMs;
			return level >= cost - 1e-6 ? atMs : atMs + ((cost - level) * MINUTE_MS) / perMinute(atMs);
		};
		return limitOf(nextAdmissionMs, (_, cost) => (level -= cost));
	},

	/** Makes a fixed window, which has a maximum for each window. */
	fixed({ perMinute, windowMs, edgeMs }: LimitNumbers): ServiceLimit {
		let used = 0;
		let last = -Infinity;
		const nextAdmissionMs = (atMs: number, cost: number) => {
			// At the edge of a window, the quotient may be slightly below a whole number.
			const window = Math.floor((atMs - edgeMs) / windowMs + 1e-9);
			if (window !== last) used = 0;
			last = window;
			const hasRoom = used + cost <= (perMinute(atMs) * windowMs) / MINUTE_MS;
			return hasRoom ? atMs : edgeMs + (window + 1) * windowMs;
		};
		return limitOf(nextAdmissionMs, (_, cost) => (used += cost));
	},

	/** Makes a sliding window, which has a maximum for any span of the window's length. */
	sliding({ perMinute, windowMs }: LimitNumbers): ServiceLimit {
		const admitted: Array<{ atMs: number; cost: number }> = [];
		const nextAdmissionMs = (atMs: number, cost: number) => {
			while (admitted.length > 0 && admitted[0]!.atMs + windowMs <= atMs) admitted.shift();
			let used = admitted.reduce((sum, entry) => sum + entry.cost, cost);
			const most = (perMinute(atMs) * windowMs) / MINUTE_MS;
			if (used <= most) return atMs;
			const leaving = admitted.find((entry) => (used -= entry.cost) <= most);
			return leaving ? leaving.atMs + windowMs : Infinity;
		};
		return limitOf(nextAdmissionMs, (atMs, cost) => admitted.push({ atMs, cost }));
	},
};

function limitOf(
	nextAdmissionMs: ServiceLimit['nextAdmissionMs'],
	take: (atMs: number, cost: number) => void,
): ServiceLimit {
	const admit = (atMs: number, cost: number) => {
		const isAdmitted = nextAdmissionMs(atMs, cost) <= atMs;
		if (isAdmitted) take(atMs, cost);
		return isAdmitted;
	};
	return { admit, nextAdmissionMs };
}
