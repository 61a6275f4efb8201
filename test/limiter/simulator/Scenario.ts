import type { ServiceLimit } from './ServiceLimit';

export const MINUTE_MS = 60_000;

export interface Run {
	/** Says when the run begins, in milliseconds after the start of the process. */
	beginMs: number;
	items: number;
	/** Limits the requests in flight. */
	concurrency: number;
}

/** Describes a request, as the service sees it when it arrives. */
export interface Arrival {
	/** Holds the milliseconds since the simulation began. */
	atMs: number;
	/** Counts the requests that arrived before. */
	index: number;
	/** Counts the requests that the service is working on, including this one. */
	inFlight: number;
	random: () => number;
}

/** Describes a failure that has another reason than the limit. */
export interface Mishap {
	/** The status is undefined for a connection that is refused. */
	status: 429 | 502 | 503 | undefined;
	retryAfterMs?: number | undefined;
}

/** Describes a simulated service and its clients. */
export interface Scenario {
	name: string;
	/**
	 * Creates the limit.
	 * @param beginMs when the simulation begins, on the service's clock
	 * @param share the part of the limit that other clients leave
	 */
	limit: (beginMs: number, share: number) => ServiceLimit;
	/** Counts the models that the items name in turn. Each has a limit, and in each process a limiter, of its own. */
	models?: number | undefined;
	/** Each process has all of these runs. */
	runs: Run[];
	/** Holds the milliseconds after which each process begins. Each has limiters of its own, which know nothing of what the others send. */
	processesMs: number[];
	/** Holds the time between a request and its answer. */
	latencyMs: number;
	/** Holds the time between a request and its refusal, if that is shorter. */
	refusalMs?: number | undefined;
	/** Returns the milliseconds of `Retry-After` from the true remaining time. */
	header?: ((leftMs: number) => number) | undefined;
	/** Draws the tokens of one request. It is undefined if the limit counts requests. */
	cost?: ((random: () => number) => number) | undefined;
	/** Holds the requests of another client. The ideal sender leaves as much of the limit to it as it gets. */
	other?: { perMinute: number; share: number } | undefined;
	/** Decides whether an item is always refused, whatever the limit. If undefined, no item is. */
	isRefused?: ((item: number) => boolean) | undefined;
	/** Decides whether an arriving request fails for another reason than the limit. If undefined, the limit decides. */
	mishap?: ((arrival: Arrival) => Mishap | undefined) | undefined;
	/** Holds the milliseconds of `Retry-After` for items that are always refused. */
	refusedItemsHeaderMs?: number | undefined;
	/** Limits the requests that the service works on. The ideal sender respects it in each run. */
	mostInFlight?: number | undefined;
	maxWaitMs: number;
}

/** A request takes this time to arrive, unless half its latency is shorter. */
export const UPLINK_MS = 25;
