/** Describes a rate limit of the emulator. Its amounts are requests, or tokens if `counts` is `tokens`. */
export type RateLimit = RefusalRules & (TokenBucketRules | SlidingWindowRules);

/** Describes the rules of every kind of limit, and what its 429s look like. */
interface RefusalRules {
	/** Holds the name of the limit in its 429s. */
	limit: 'RPM' | 'TPM' | 'IPM' | 'RPD' | 'TPD' | 'IPD';
	/**
	 * Says what is counted. Tokens are counted when a request has been served, so a request is admitted as long as any tokens are
	 * left, and may use more than are left. The default is `requests`.
	 */
	counts?: 'requests' | 'tokens';
	/**
	 * Says whether a 429 has a `Retry-After`: true for the seconds until the next request is admitted (in whole seconds), or a
	 * fixed number of seconds. The default is false.
	 */
	retryAfter?: boolean | number;
}

/** Describes a token bucket that refills steadily, and admits requests as long as it is not empty. */
export interface TokenBucketRules {
	kind?: 'token-bucket';
	/** Holds the amount by which the bucket refills in a second. */
	perSecond: number;
	/** Holds the capacity of the bucket, which is full at the start. */
	burst: number;
}

/** Describes a limit on the amount in the window that ends now. */
export interface SlidingWindowRules {
	kind: 'sliding-window';
	/** Holds the maximum amount in any window. */
	max: number;
	windowMs: number;
}
