/** How the limit is counted. Amounts are requests, or tokens if `counts` says so. */
export type RateLimit = RefusalRules & (TokenBucketRules | FixedWindowRules | SlidingWindowRules);

/** The rules of every limit, and what its refusals look like. */
export interface RefusalRules {
	/** The limit that refusals name. */
	limit: 'RPM' | 'TPM' | 'IPM' | 'RPD' | 'TPD' | 'IPD';
	/**
	 * What is counted. Tokens are counted when a request has been served: it is admitted as long as any are left, and may
	 * use more than that. Default `requests`.
	 */
	counts?: 'requests' | 'tokens';
	/** Whether each model, and each path without a model, has its own limit. Default: one for all requests. */
	perModel?: boolean;
	/**
	 * Whether refusals carry `Retry-After`: true for the whole seconds until the next request passes, a number for
	 * that many seconds, `date` for that moment as an HTTP date. Default: none.
	 */
	retryAfter?: boolean | number | 'date';
}

/** Refills steadily, and admits requests as long as it is not empty. */
export interface TokenBucketRules {
	kind?: 'token-bucket';
	/** How much it refills in a second. */
	perSecond: number;
	/** The capacity of the bucket, which is full at the start. */
	burst: number;
}

/** Counts from zero in each window. */
export interface FixedWindowRules {
	kind: 'fixed-window';
	/** The maximum in one window. */
	max: number;
	windowMs: number;
	/** Where windows begin: at the multiples of their length on the clock, or with the first request after the last one. */
	startsAt: 'clock' | 'first-request';
}

/** Counts the requests in the window that ends now. */
export interface SlidingWindowRules {
	kind: 'sliding-window';
	/** The maximum in any window. */
	max: number;
	windowMs: number;
	/** Whether refused requests count too. Default false. */
	countsRefused?: boolean;
}
