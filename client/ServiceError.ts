/** The rate-limit dimensions of the service: requests, tokens and images, per minute and per day. */
export const RATE_LIMITS = ['RPM', 'RPD', 'TPM', 'TPD', 'IPM', 'IPD'] as const;

export type RateLimitName = (typeof RATE_LIMITS)[number];

export interface ServiceErrorFacts {
	/**
	 * - `status`: the service answered with an error status
	 * - `redirect`: it answered with a 3xx, which is never followed
	 * - `network`: no response came
	 * - `blocked`: the rules of this n8n instance forbid the request; it was not sent
	 * - `timeout`: nothing came for the time-out, before or within a response
	 * - `reply`: a response came that is cut off, malformed, or not what was asked for
	 * - `content`: what the model generated is not what it was asked for
	 * - `refused`: an answer that reports failure with a success status
	 */
	kind: 'status' | 'redirect' | 'network' | 'blocked' | 'timeout' | 'reply' | 'content' | 'refused';
	message: string;
	/** What the service sent so far, where that is of use to a person. */
	partialText?: string;
	httpStatus?: number;
	/** The service's own error code, such as 20012 (unknown model). */
	code?: number;
	limit?: RateLimitName;
	/** Milliseconds, from `Retry-After`. */
	retryAfterMs?: number;
	traceId?: string;
	/** Requests sent for this call, this one included. */
	attempts?: number;
	/** Whether response headers had arrived: from then on the service has done the work. */
	responded?: boolean;
}

/**
 * The one error of every call to the service. Carries facts, no advice and no credential; what a person
 * should do about it is the caller's to say.
 */
export class ServiceError extends Error {
	override readonly name = 'ServiceError';

	readonly kind: ServiceErrorFacts['kind'];

	constructor(readonly facts: ServiceErrorFacts) {
		super(facts.message);
		this.kind = facts.kind;
	}
}
