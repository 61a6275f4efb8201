/** How the limit is counted. Amounts are requests, or tokens if `counts` says so. */
export type RateLimit = RefusalRules & (TokenBucketRules | SlidingWindowRules);

/** The rules of every limit, and what its refusals look like. */
export interface RefusalRules {
	/** The limit that refusals name. */
	limit: 'RPM' | 'TPM' | 'IPM' | 'RPD' | 'TPD' | 'IPD';
	/**
	 * What is counted. Tokens are counted when a request has been served: it is admitted as long as any are left, and may
	 * use more than that. Default `requests`.
	 */
	counts?: 'requests' | 'tokens';
	/**
	 * Whether refusals carry `Retry-After`: true for the whole seconds until the next request passes, a number for
	 * that many seconds. Default: none.
	 */
	retryAfter?: boolean | number;
}

/** Refills steadily, and admits requests as long as it is not empty. */
export interface TokenBucketRules {
	kind?: 'token-bucket';
	/** How much it refills in a second. */
	perSecond: number;
	/** The capacity of the bucket, which is full at the start. */
	burst: number;
}

/** Counts the requests in the window that ends now. */
export interface SlidingWindowRules {
	kind: 'sliding-window';
	/** The maximum in any window. */
	max: number;
	windowMs: number;
}
