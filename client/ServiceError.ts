/** The rate limits of the service: requests, tokens and images, per minute and per day. */
export const RATE_LIMITS = ['RPM', 'RPD', 'TPM', 'TPD', 'IPM', 'IPD'] as const;

export type RateLimitName = (typeof RATE_LIMITS)[number];

/** Whether a limit is counted by the day, so that waiting for it is of no use. */
export function isPerDay(limit: RateLimitName | undefined): boolean {
	return limit !== undefined && limit.endsWith('D');
}

interface StatusFailure {
	/** The service answered with an error status. */
	kind: 'status';
	httpStatus: number;
}

interface OtherFailure {
	/**
	 * - `redirect`: the service answered with a 3xx, which is never followed
	 * - `network`: no response came
	 * - `blocked`: the request was refused before it was sent
	 * - `timeout`: nothing came for the timeout, before or within a response
	 * - `response`: a response came that is cut off, malformed, or not what was asked for
	 * - `content`: what the model generated is not what it was asked for
	 * - `refused`: a response that reports failure with a success status
	 */
	kind: 'redirect' | 'network' | 'blocked' | 'timeout' | 'response' | 'content' | 'refused';
	/** Of the response, where one began. */
	httpStatus?: number;
}

/** What went wrong. */
export type Failure = (StatusFailure | OtherFailure) & {
	/** The service's own error code, such as 20012 (unknown model). */
	code?: number;
	/** The rate limit that was reached, where the service names it. */
	limit?: RateLimitName;
	/** Whether the model's limit on tokens cut off what it generated. */
	truncated?: boolean;
};

/** What is known about a failed call. */
export type ServiceErrorFacts = Failure & {
	message: string;
	/** What the service sent so far, where that is of use to a person. */
	partialText?: string;
	/** Milliseconds, from `Retry-After`. */
	retryAfterMs?: number;
	traceId?: string;
	/** Requests sent for this call, this one included. */
	attempts?: number;
};

/**
 * The one error of every call to the service. Carries facts, no advice and no credential; what a person
 * should do about it is the caller's to say.
 */
export class ServiceError extends Error {
	override readonly name = 'ServiceError';

	constructor(readonly facts: ServiceErrorFacts) {
		super(facts.message);
	}
}

/** A response that is malformed, or not what was asked for. */
export function responseError(message: string): ServiceError {
	return new ServiceError({ kind: 'response', message });
}
