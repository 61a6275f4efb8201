/** Where a peer sends its requests. */
export interface Service {
	/** With `/v1`. */
	url: string;
	apiKey: string;
}

export type PeerName =
	| 'inference-default'
	| 'inference-pooled'
	| 'inference-forms'
	| 'http-request'
	| 'http-request-batched'
	| 'anthropic-node'
	| 'anthropic-sdk'
	| 'undici'
	| 'bare-helper'
	| 'guarded-helper'
	| 'bare-fetch'
	| 'no-op'
	| 'stream';

/** Form submissions, each its own execution. */
export interface FormArrivals {
	count: number;
	everyMs: number;
}

/** The job of one child process. */
export interface Job {
	peer: PeerName;
	service: Service;
	/** The built package, unpacked. */
	packageFolder: string;
	/** For `stream`: executions of one item each. */
	items: number;
	concurrency: number;
	/** For `inference-forms`: how many of the items, the last ones, come as form submissions, and how often one does. */
	forms?: FormArrivals | undefined;
	/** For `http-request-batched`. */
	batch: { size: number; intervalMs: number };
	/** The service to send some items to first, so that what is measured is compiled code; undefined for none. */
	warmUp?: Service;
	/** The file for a CPU profile of the measured part. */
	profile?: string;
}

export interface Measurement {
	seconds: number;
	cpuSeconds: number;
	/** Most resident memory during the measured part, of the whole process. */
	peakMb: number;
	/** Items that came out with an answer. */
	delivered: number;
	/**
	 * In milliseconds, each of them. For `stream`: from a chunk's writing at the service to `sendChunk`. For
	 * `inference-forms`: from a form's submission to its answer.
	 */
	delaysMs?: number[];
}
