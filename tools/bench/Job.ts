/** Describes the service that a peer sends its requests to. */
export interface Service {
	/** Holds the base URL, with `/v1`. */
	url: string;
	apiKey: string;
}

export type PeerName =
	| 'inference-default'
	| 'inference-pooled'
	| 'http-request'
	| 'http-request-batched'
	| 'bare-helper'
	| 'bare-fetch'
	| 'no-op';

/** Describes the task of one child process. */
export interface Job {
	peer: PeerName;
	service: Service;
	/** Holds the folder of the built and unpacked package. */
	packageFolder: string;
	items: number;
	concurrency: number;
	/** Only the peer `http-request-batched` uses this. */
	batch: { size: number; intervalMs: number };
	/**
	 * Holds a service that gets some unmeasured items first, so that what is measured is compiled code. It is undefined for none.
	 */
	warmUp?: Service;
}

export interface Measurement {
	seconds: number;
	cpuSeconds: number;
	/** Holds the highest resident memory of the whole process during the measured part. */
	peakMb: number;
	/** Counts the items that got an answer. */
	delivered: number;
}
