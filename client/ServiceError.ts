/** The rate limits of the service: requests, tokens and images, per minute and per day. */
export const RATE_LIMITS = ['RPM', 'RPD', 'TPM', 'TPD', 'IPM', 'IPD'] as const;

export type RateLimitName = (typeof RATE_LIMITS)[number];

/** Whether a limit is per day, so that waiting for it makes no sense. */
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
		| 'unreachable' // no response came, and none will: an unknown host, a wrong certificate, a blocked port
		| 'blocked' // the request was refused before it was sent
		| 'request' // the request could not be made
		| 'timeout' // nothing arrived for the length of the timeout, before or within a response
		| 'broken' // a response broke off, is not valid HTTP, or not the valid JSON that it began as
		| 'response' // a response is too large, malformed, or not what was asked for
		| 'reported' // a response with a success status reports an error
		| 'content' // the generated text is not what was asked for
		| 'refusal' // the service stopped the generated text because of its content
		| 'budget'; // nothing more is sent, because the tokens that the run may use are used up
	/** The HTTP status of the response, if one began. */
	httpStatus?: number;
}

/** The kind of a failure, without words. */
export type FailureKind = StatusFailure | OtherFailure;

/** What went wrong, as far as the place that notices it knows. */
export type Failure = FailureKind & {
	message: string;
	/** The service's own error code, such as 20012 (unknown model). */
	code?: number;
	/** The rate limit that was reached, if the service names it. */
	limit?: RateLimitName;
	/** The wait that `Retry-After` asks for, in milliseconds. */
	retryAfterMs?: number;
	/** Whether the model's limit on tokens cut off what it generated. */
	truncated?: boolean;
	/** What the service has sent so far, if that is useful to a person. */
	partialText?: string;
	/** Whether there was no connection by which the request could have been sent. */
	isUnsent?: boolean;
};

/** The effect of a request even if no answer arrives: it may be billed, or it may have changed something. */
export type Effect = 'bill' | 'change';

/** What is known about a failed call. */
export type ServiceErrorFacts = Failure & {
	path?: string;
	effect?: Effect;
	/** Whether the same could be asked for as a stream, by an option that the node has. */
	couldStream?: boolean;
	/** Whether a rate limit would have been waited for, if the caller allowed any retry. */
	retriesOff?: boolean;
	/** That of the latest request. */
	traceId?: string;
	/** Requests sent for the item so far, the failed one included. */
	attempts: number;
	/** How many of them failed although the service may have begun with them. */
	mayHaveBegun: number;
};

/**
 * Thrown where a failure is noticed: by a decoder, a check of an answer, or the limiter. `ServiceClient` makes a ServiceError
 * of it, because it alone knows the request and its attempts.
 */
export class CallFailure extends Error {
	override readonly name = 'CallFailure';

	constructor(readonly failure: Failure) {
		super(failure.message);
	}
}

/** A response that is malformed, or not what was asked for. */
export function responseFailure(message: string): CallFailure {
	return new CallFailure({ kind: 'response', message });
}

/**
 * Every failed call to the service throws this error. It has facts, but no advice and no credential: the caller says what a
 * person should do.
 */
export class ServiceError extends Error {
	override readonly name = 'ServiceError';

	constructor(readonly facts: ServiceErrorFacts) {
		super(facts.message);
	}
}
