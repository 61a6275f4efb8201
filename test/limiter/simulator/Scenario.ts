import type { ServiceLimit } from './ServiceLimit';

export const MINUTE_MS = 60_000;

/** One run of a node. */
export interface Run {
	/** When the run begins, in milliseconds after the start of the process. */
	beginMs: number;
	items: number;
	/** The maximum number of requests in flight. */
	concurrency: number;
}

/** A request, as the service sees it when it arrives. */
export interface Arrival {
	/** Milliseconds since the simulation began. */
	atMs: number;
	/** The number of requests that arrived before. */
	index: number;
	/** The number of requests that the service is working on, including this one. */
	inFlight: number;
	random: () => number;
}

/** A failure that has another reason than the limit. */
export interface Mishap {
	/** Undefined for a connection that is refused. */
	status: 429 | 502 | 503 | undefined;
	retryAfterMs?: number | undefined;
}

/** A simulated service and its clients. */
export interface Scenario {
	name: string;
	/**
	 * Creates the limit.
	 * @param beginMs when the simulation begins, on the service's clock
	 * @param share the part of the limit that other clients leave
	 */
	limit: (beginMs: number, share: number) => ServiceLimit;
	/** The number of models that the items name in turn. Each has a limit, and in each process a limiter, of its own. */
	models?: number | undefined;
	/** The runs of one process. */
	runs: Run[];
	/** When each process begins. Processes do not know of each other, and each has all runs. */
	processesMs: number[];
	/** The time between a request and its answer. */
	latencyMs: number;
	/** The time between a request and its refusal, if that is shorter. */
	refusalMs?: number | undefined;
	/** Returns the milliseconds of `Retry-After` from the true remaining time. */
	header?: ((leftMs: number) => number) | undefined;
	/** Draws the tokens of one request. Undefined if the limit counts requests. */
	cost?: ((random: () => number) => number) | undefined;
	/** The requests of another client. The ideal sender leaves as much of the limit to it as it gets. */
	other?: { perMinute: number; share: number } | undefined;
	/** Whether an item is always refused, whatever the limit. */
	isRefused?: ((item: number) => boolean) | undefined;
	/** Returns a failure of a request that has another reason than the limit. */
	mishap?: ((arrival: Arrival) => Mishap | undefined) | undefined;
	/** The milliseconds of `Retry-After` for items that are always refused. */
	refusedItemsHeaderMs?: number | undefined;
	/** The maximum number of requests that the service works on. The ideal sender respects it in each run. */
	mostInFlight?: number | undefined;
	maxWaitMs: number;
}

/** The time that a request takes to arrive, unless half its latency is shorter. */
export const UPLINK_MS = 25;
