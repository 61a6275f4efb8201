import type { ServiceLimit } from './ServiceLimit';

export const MINUTE_MS = 60_000;

/** One execution of a node. */
export interface Run {
	/** Milliseconds after the process began. */
	beginMs: number;
	items: number;
	/** The maximum number of requests in flight. */
	concurrency: number;
}

/** What the service sees when a request arrives. */
export interface Arrival {
	/** Milliseconds since the simulation began. */
	atMs: number;
	/** How many requests the service is working on, including this one. */
	inFlight: number;
	random: () => number;
}

/** What is simulated. */
export interface Scenario {
	name: string;
	/**
	 * Creates the limit.
	 * @param beginMs when the simulation begins, by the service's clock
	 * @param share what is left of it
	 */
	limit: (beginMs: number, share: number) => ServiceLimit;
	/** Of one process. */
	runs: Run[];
	/** When each process begins. They do not know of each other, and each has all runs. */
	processesMs: number[];
	/** Between a request and its response. */
	latencyMs: number;
	/** The same for a refusal, if it comes sooner than an answer. */
	refusalMs?: number | undefined;
	/** The milliseconds of `Retry-After`, from the true remaining time. */
	header?: ((leftMs: number) => number) | undefined;
	/** The tokens of one request; 1 if the limit counts requests. */
	cost?: ((random: () => number) => number) | undefined;
	/** The requests of another client. It takes what it gets, and the ideal sender leaves it as much. */
	other?: { perMinute: number; share: number } | undefined;
	/** Whether an item is always refused. */
	isRefused?: ((item: number) => boolean) | undefined;
	/** The status of a refusal that has nothing to do with the limit. */
	mishap?: ((arrival: Arrival) => 429 | 503 | undefined) | undefined;
	/** The maximum number of requests that the service works on; the ideal sender keeps to it in each run. */
	mostInFlight?: number | undefined;
	maxWaitMs: number;
}

/** How long a request takes to arrive, at most half its latency. */
export const UPLINK_MS = 25;
