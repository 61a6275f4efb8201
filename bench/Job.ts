/** Where a peer sends its requests. */
export interface Service {
	/** With `/v1`. */
	url: string;
	apiKey: string;
}

export type PeerName =
	| 'inference-default'
	| 'inference-pooled'
	| 'http-request'
	| 'http-request-batched'
	| 'anthropic-node'
	| 'anthropic-sdk'
	| 'undici'
	| 'bare-helper'
	| 'bare-fetch'
	| 'no-op'
	| 'stream';

/** What one child process is to do. */
export interface Job {
	peer: PeerName;
	service: Service;
	/** The built package, unpacked. */
	packageFolder: string;
	/** For `stream`: executions of one item each. */
	items: number;
	concurrency: number;
	/** For `http-request-batched`. */
	batch: { size: number; intervalMs: number };
	/** The service to send some items to first, so that what is measured is compiled code; undefined for none. */
	warmUp?: Service;
	/** Where a CPU profile of the measured part is to go. */
	profile?: string;
}

export interface Measurement {
	seconds: number;
	cpuSeconds: number;
	/** Most resident memory during the measured part, of the whole process. */
	peakMb: number;
	/** Items that came out with an answer. */
	delivered: number;
	/** For `stream`: milliseconds from a chunk's writing at the service to `sendChunk`, each of them. */
	delaysMs?: number[];
}
