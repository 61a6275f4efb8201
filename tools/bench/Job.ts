/** Where a peer sends its requests. */
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

/** The job of one child process. */
export interface Job {
	peer: PeerName;
	service: Service;
	/** The built package, unpacked. */
	packageFolder: string;
	items: number;
	concurrency: number;
	/** Only for `http-request-batched`. */
	batch: { size: number; intervalMs: number };
	/** The service to send some items to first, so that what is measured is compiled code; undefined for none. */
	warmUp?: Service;
}

export interface Measurement {
	seconds: number;
	cpuSeconds: number;
	/** The highest resident memory of the whole process during the measured part. */
	peakMb: number;
	/** How many items came out with an answer. */
	delivered: number;
}
