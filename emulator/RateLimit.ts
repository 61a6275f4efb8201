/** How the limit is counted. Amounts are requests, or tokens where `counts` says so. */
export type RateLimit = RefusalRules & (TokenBucketRules | FixedWindowRules | SlidingWindowRules);

/** What every limit has, and how its refusals look. */
export interface RefusalRules {
	/** The limit that refusals name. */
	limit: 'RPM' | 'TPM' | 'IPM' | 'RPD' | 'TPD' | 'IPD';
	/**
	 * What is counted. Tokens are counted when a request has been served: it is let through as long as any are left,
	 * and may take more than that. Default `requests`.
	 */
	counts?: 'requests' | 'tokens';
	/** Whether each model, and each path without one, has a limit of its own. Default: one for all requests. */
	perModel?: boolean;
	/**
	 * Whether refusals carry `Retry-After`: true for the whole seconds until the next request passes, a number for
	 * that many seconds, `date` for that moment as an HTTP date. Default: none.
	 */
	retryAfter?: boolean | number | 'date';
}

/** Fills steadily, and lets pass as long as something is in it. */
export interface TokenBucketRules {
	kind?: 'token-bucket';
	/** What it regains in a second. */
	perSecond: number;
	/** What it holds at most, and at first. */
	burst: number;
}

/** Counts from zero in each window. */
export interface FixedWindowRules {
	kind: 'fixed-window';
	/** The most in one window. */
	max: number;
	windowMs: number;
	/** Where windows begin: at the multiples of their length on the clock, or with the first request after the last one. */
	startsAt: 'clock' | 'first-request';
}

/** Counts what came in the window that ends now. */
export interface SlidingWindowRules {
	kind: 'sliding-window';
	/** The most in any window. */
	max: number;
	windowMs: number;
	/** Whether refused requests count too. Default false. */
	countsRefused?: boolean;
}
