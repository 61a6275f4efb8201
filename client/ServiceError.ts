/** The rate limits of the service: requests, tokens and images, per minute and per day. */
export const RATE_LIMITS = ['RPM', 'RPD', 'TPM', 'TPD', 'IPM', 'IPD'] as const;

export type RateLimitName = (typeof RATE_LIMITS)[number];

/** Whether a limit is counted by the day, so that waiting for it is of no use. */
export function isPerDay(limit: RateLimitName | undefined): boolean {
	return limit !== undefined && limit.endsWith('D');
}

interface StatusFailure {
	/** The service responded with an error status. */
	kind: 'status';
	httpStatus: number;
}

interface OtherFailure {
	/**
	 * - `redirect`: the service answered with a 3xx, which is never followed
	 * - `network`: no response came
	 * - `unreachable`: no response came, and none will: the host is unknown, its certificate is wrong, its port is blocked
	 * - `blocked`: the request was refused before it was sent
	 * - `request`: the request could not be made, or what it carries could not be read
	 * - `timeout`: nothing came for the timeout, before or within a response; or something came now and then, but not the end
	 * - `broken`: a response began, and broke off, or does not follow the rules of HTTP, or of the JSON that it began
	 * - `response`: a response came that is too large, malformed, or not what was asked for
	 * - `reported`: a response with a success status that reports an error
	 * - `content`: what the model generated is not what it was asked for
	 * - `refusal`: the service stopped what the model generated, for what is in it
	 * - `budget`: nothing is sent any more, because the tokens that the run may use are used up
	 * - `account`: a response that reports the failure of the account with a success status
	 */
	kind:
		| 'redirect'
		| 'network'
		| 'unreachable'
		| 'blocked'
		| 'request'
		| 'timeout'
		| 'broken'
		| 'response'
		| 'reported'
		| 'content'
		| 'refusal'
		| 'budget'
		| 'account';
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
	/** The status of an error response that would say the same, for an error that is reported in another way. */
	meansStatus?: number;
	/** What was asked for by its ID, such as `batch ID`, so that a 404 may be about it. */
	resource?: string;
	/** Whether the URL of the request has a version, such as `/v1`, so that a 404 is hardly about the lack of one. */
	isVersioned?: boolean;
	/** The path of the request, below the base URL. */
	path?: string;
	/** Whether the same could be asked for as a stream, by an option that the node has. */
	couldStream?: boolean;
	/** Whether there was no connection by which the request could have been sent. */
	isUnsent?: boolean;
};

/** What is left of a request whether its answer comes or not: something to pay, or something that is no longer as it was. */
export type Effect = 'bill' | 'change';

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
	/** Those of them that failed, and that the service may have begun with all the same. */
	mayHaveBegun?: number;
	effect?: Effect;
	/** Requests of the same item that were answered before. */
	answered?: number;
	/** What was done before it failed, and is not undone, such as `refund {"order":7}`. */
	toolsRun?: string[];
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
