/** The service limits requests (R), tokens (T) and images (I) per minute (M) and per day (D). */
export const RATE_LIMITS = ['RPM', 'RPD', 'TPM', 'TPD', 'IPM', 'IPD'] as const;

export type RateLimitName = (typeof RATE_LIMITS)[number];

/** Returns whether a limit is per day. It makes no sense to wait for such a limit. */
export function isPerDay(limit: RateLimitName | undefined): boolean {
	return limit !== undefined && limit.endsWith('D');
}

interface StatusFailure {
	kind: 'status';
	httpStatus: number;
}

interface OtherFailure {
	kind:
		| 'redirect' // the service answered with a 3xx, which is never followed
		| 'network' // no response came
		| 'unreachable' // no response came, and a retry would not help: unknown host, wrong certificate, blocked port
		| 'blocked' // the request was refused before it was sent
		| 'request' // the request cannot be written as JSON
		| 'timeout' // the timeout passed without any data, before or during a response
		| 'broken' // a response broke off, is not valid HTTP, or begins like JSON but is not valid
		| 'response' // a response is too large, malformed, or not what was asked for
		| 'reported' // a response with a success status reports an error
		| 'content' // the generated text is not what was asked for
		| 'refusal' // the service stopped the generated text because of its content
		| 'budget'; // nothing was sent, because the run has used up its tokens
	/** Holds the HTTP status of the response, if one began. */
	httpStatus?: number;
}

export type FailureKind = StatusFailure | OtherFailure;

/** Describes what cut off the generated text: the limit on tokens, or the end of the model's context window. */
export type CutOff = 'tokens' | 'context';

/** Describes what went wrong in one attempt. */
export type Failure = FailureKind & {
	message: string;
	/** Holds the service's own error code, such as 20012 (unknown model). It is undefined if the body of the error has none. */
	code?: number;
	/** Holds the rate limit that was reached, if the service names it. */
	limit?: RateLimitName;
	/** Holds the wait that `Retry-After` asks for, in milliseconds. It is undefined if the response has no such header. */
	retryAfterMs?: number;
	/**
	 * Says whether the item's Max Wait was too short for the wait that the failure caused, so that it is the reason of the error.
	 */
	isWaitOver?: boolean;
	cutOffBy?: CutOff | undefined;
	/** Holds the text that the service has sent so far, if it is useful to a person. */
	partialText?: string;
	/** Says whether no connection was made, so that the request cannot have been sent. */
	isUnsent?: boolean;
};

/** Says what a request may do even if no answer arrives: it is billed, or it changes something. */
export type Effect = 'bill' | 'change';

export type ServiceErrorFacts = Failure & {
	path?: string;
	/** Names the model of the request, which the advice about an unknown one quotes. It is undefined for a request without a model. */
	model?: string | undefined;
	effect?: Effect;
	/** Says whether the node has an option that would stream this response. */
	couldStream?: boolean;
	/** Says whether the call would have waited for the rate limit if `maxRetries` were not 0. */
	wouldHaveWaited?: boolean;
	/** Holds the trace ID of the item's latest failed request. It is undefined if no request failed. */
	traceId?: string;
	/** Says how long the item has waited for rate limits and outages, in milliseconds. */
	waitedMs: number;
	/** Counts the requests sent for the item so far, the failed one included. */
	attempts: number;
	/** Counts the failed requests that the service may have begun to process. */
	mayHaveBegun: number;
};

/**
 * A decoder, a check of an answer or the limiter throws this error. `ServiceClient` turns it into a ServiceError, because only
 * the client knows the request and its attempts.
 */
export class CallFailure extends Error {
	override readonly name = 'CallFailure';

	constructor(readonly failure: Failure) {
		super(failure.message);
	}
}

/** Makes the failure for a response that is malformed, or not what was asked for. */
export function responseFailure(message: string): CallFailure {
	return new CallFailure({ kind: 'response', message });
}

/**
 * Every failed call to the service throws this error. It holds facts only: advice is up to the caller, and the credential must
 * not get into an error.
 */
export class ServiceError extends Error {
	override readonly name = 'ServiceError';

	constructor(readonly facts: ServiceErrorFacts) {
		super(facts.message);
	}
}
