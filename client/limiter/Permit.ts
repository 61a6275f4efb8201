import type { Failure } from '../ServiceError';

/** Says what the end of a request shows about the service's limits. */
export type Outcome =
	| 'succeeded' // the service answered, even if the node cannot use the answer
	| 'rateLimited' // 429
	| 'unavailable' // the service takes no requests: 503, 502 and the like, a connection that was refused or ended before a response
	| 'rejected' // another 4xx, which shows that the service takes requests
	| 'unrelated'; // a timeout, a response that broke off, an abort or a 500, which shows nothing

/** Allows one request, which counts as in flight until `end` is called. */
export interface Permit {
	/**
	 * Must be called once, when the request has ended.
	 * @param failure the failure of a request that was rate limited or found the service unavailable
	 * @returns whether the rate limits allow the item to wait for another permit
	 */
	end(outcome: Outcome, failure?: Failure): boolean;
}
