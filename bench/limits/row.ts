import type { Scenario } from './simulate';
import {
	ClockWindow,
	FirstRequestWindow,
	NoLimit,
	SlidingWindow,
	TokenBucket,
	type LimitAt,
	type ServiceLimit,
} from './ServiceLimit';

const MINUTE_MS = 60_000;

/** How many places a span has, in which a limiter is compared with the ideal sender. */
const PLACES_OF_SPAN = 100;

export type Kind = 'clock' | 'anchored' | 'first' | 'sliding' | 'bucket' | 'small bucket' | 'no limit';

export interface Goal {
	/** The time as a multiple of the ideal sender's. */
	time: number;
	/** The share of the requests that are refused. */
	refused: number;
	/** The maximum number of lost items; the default is none. */
	lost?: number;
	/** The smallest share of its requests that the other client gets through. */
	othersShare?: number;
	/** The most that one process may deliver, as a multiple of another's, when the first one ends. */
	processRatio?: number;
	/** The least in any span of 100 places, as a share of the ideal sender's. */
	worstSpan?: number;
	/** The maximum number of starts of another execution while a form waits. */
	startsBeforeForm?: number;
}

/** A weather, and the goals for a limiter in it. */
export interface Row {
	/** What it shows. Rows of one kind have the same. */
	group: string;
	scenario: Scenario;
	goal: Goal;
}

export interface RowOptions extends Partial<Scenario> {
	group?: string;
	kind: Kind;
	perMinute: number;
	/** The default is a minute. */
	windowMs?: number;
	/** How many minutes' worth of items there are, if `items` is not given. */
	windows?: number;
	countsRefused?: boolean;
	/** The burst of a small bucket. */
	burst?: number;
	changed?: { atMs: number; perMinute: number };
	/** Between these two times, nothing gets through. In milliseconds since the run began. */
	outageMs?: [from: number, until: number];
	/** The share of the limit that the ideal sender leaves to the other client, if there is one. */
	leftToOthers?: number;
	goal?: Partial<Goal>;
	label?: string;
	/** Whether spans of 100 places are compared. */
	spans?: boolean;
}

interface LimitOptions {
	kind: Kind;
	/** The requests per minute, at a given time. */
	limit: LimitAt;
	perMinute: number;
	countsRefused?: boolean | undefined;
	burst?: number | undefined;
	windowMs?: number | undefined;
}

export function limitOf({
	kind,
	limit: perMinuteAt,
	perMinute,
	countsRefused = false,
	burst,
	windowMs = MINUTE_MS,
}: LimitOptions) {
	const limit: LimitAt = (atMs) => (perMinuteAt(atMs) * windowMs) / MINUTE_MS;
	return (random: () => number, beginMs: number): ServiceLimit => {
		switch (kind) {
			case 'clock':
				return new ClockWindow({ limit, countsRefused, windowMs, offsetMs: (random() - 0.5) * 1000 });
			case 'anchored':
				return new ClockWindow({
					limit,
					countsRefused,
					windowMs,
					offsetMs: (beginMs % windowMs) + random() * windowMs,
				});
			case 'first':
				return new FirstRequestWindow({ limit, countsRefused, windowMs });
			case 'sliding':
				return new SlidingWindow({ limit, countsRefused, windowMs });
			case 'bucket':
				return new TokenBucket({ limit: perMinuteAt, countsRefused, burst: perMinute });
			case 'small bucket':
				return new TokenBucket({
					limit: perMinuteAt,
					countsRefused,
					burst: burst ?? (perMinute >= 20_000 ? 2000 : Math.max(2, Math.round(perMinute / 30))),
				});
			case 'no limit':
				return new NoLimit();
		}
	};
}

/** A correct `Retry-After`, in whole seconds. */
export const exact = (leftMs: number) => Math.ceil(leftMs / 1000) * 1000;

export const tokens = (random: () => number) => Math.round(150 + 850 * random());

const MEAN_TOKENS = 575;

/** A row whose name is built from its options. */
export function row(options: RowOptions): Row {
	const {
		group = 'own',
		kind,
		perMinute,
		windowMs = MINUTE_MS,
		windows = 4.4,
		countsRefused,
		burst,
		changed,
		outageMs,
		leftToOthers = 0.5,
		goal,
		label = '',
		spans = false,
		...rest
	} = options;
	const limitFor = (share: number) => (random: () => number, beginMs: number) => {
		const limit: LimitAt = (atMs) => {
			const sinceMs = atMs - beginMs;
			if (outageMs && sinceMs >= outageMs[0] && sinceMs < outageMs[1]) return 0;
			return share * (changed && sinceMs >= changed.atMs ? changed.perMinute : perMinute);
		};
		return limitOf({ kind, limit, perMinute: perMinute * share, countsRefused, burst, windowMs })(
			random,
			beginMs,
		);
	};
	const { latencyMs = 50 } = rest;
	const requestsPerMinute = perMinute / (rest.cost ? MEAN_TOKENS : 1);
	const concurrency = rest.concurrency ?? concurrencyFor(requestsPerMinute, latencyMs);
	const items = rest.items ?? Math.ceil(requestsPerMinute * windows);
	const time = goal?.time ?? (rest.cost ? 1.2 : kind.includes('bucket') || rest.header ? 1.1 : 1.15);
	const header = rest.header ? (label.includes('Retry-After') ? '' : ', exact Retry-After') : '';
	const length = windowMs === MINUTE_MS ? '' : ` of ${windowMs / 1000} s`;
	const limitName = kind === 'no limit' ? kind : `${rest.cost ? 'TPM' : 'RPM'} ${perMinute} ${kind}${length}`;
	const left = rest.othersPerMinute ? 1 - leftToOthers : 1;
	return {
		group,
		scenario: {
			name: `${limitName}${header}${countsRefused ? ', refused count' : ''}${label}, ${latencyMs} ms, ${concurrency} at once`,
			limit: limitFor(1),
			idealLimit: rest.othersPerMinute ? limitFor(left) : undefined,
			spanMs: spans ? spanMsOf(kind.includes('bucket') ? 0 : windowMs, requestsPerMinute * left) : undefined,
			...rest,
			items,
			concurrency,
			latencyMs,
		},
		goal: { ...goal, time, refused: goal?.refused ?? (rest.cost || countsRefused ? 0.15 : 0.1) },
	};
}

/**
 * Long enough for 100 places of the ideal sender. At least two whole windows, because a window's places come all at the
 * same time.
 */
function spanMsOf(windowMs: number, perMinute: number): number {
	const spanMs = (PLACES_OF_SPAN * MINUTE_MS) / perMinute;
	return windowMs === 0 ? spanMs : Math.max(2, Math.ceil(spanMs / windowMs)) * windowMs;
}

/** Enough requests in flight to reach the limit. */
function concurrencyFor(perMinute: number, latencyMs: number): number {
	const needed = (perMinute / 60) * (latencyMs / 1000) * 2;
	return needed <= 8 ? 8 : needed <= 32 ? 32 : 64;
}
