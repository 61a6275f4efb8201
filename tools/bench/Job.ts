/** The service that a peer sends its requests to. */
export interface Service {
	/** The base URL, with `/v1`. */
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

/** The task of one child process. */
export interface Job {
	peer: PeerName;
	service: Service;
	/** The folder of the built and unpacked package. */
	packageFolder: string;
	items: number;
	concurrency: number;
	/** Used only by `http-request-batched`. */
	batch: { size: number; intervalMs: number };
	/** A service that gets some unmeasured items first, so that what is measured is compiled code. Undefined for none. */
	warmUp?: Service;
}

export interface Measurement {
	seconds: number;
	cpuSeconds: number;
	/** The highest resident memory of the whole process during the measured part. */
	peakMb: number;
	/** The number of items that got an answer. */
	delivered: number;
}
