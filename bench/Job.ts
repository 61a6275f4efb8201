/** Where a peer sends its requests. */
export interface Service {
	/** The base URL, with `/v1`. */
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

/** Form submissions, each of which is its own execution. */
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
	/** How many items. For `stream`, each is its own execution. */
	items: number;
	concurrency: number;
	/** For `inference-forms`: how many of the last items come as form submissions, and how often. */
	forms?: FormArrivals | undefined;
	/** Only for `http-request-batched`. */
	batch: { size: number; intervalMs: number };
	/** The service to send some items to first, so that what is measured is compiled code; undefined for none. */
	warmUp?: Service;
	/** The file for a CPU profile of the measured part. */
	profile?: string;
}

export interface Measurement {
	seconds: number;
	cpuSeconds: number;
	/** The highest resident memory of the whole process during the measured part. */
	peakMb: number;
	/** How many items came out with an answer. */
	delivered: number;
	/**
	 * Delays in milliseconds. For `stream`, from when the service writes a chunk to `sendChunk`. For `inference-forms`,
	 * from a form's submission to its answer.
	 */
	delaysMs?: number[];
}
