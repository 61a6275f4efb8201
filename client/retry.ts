import type { Failure } from './ServiceError';

const REQUEST_TIMEOUT = 408;

const NOT_IMPLEMENTED = 501;

/**
 * These are statuses of failures that may pass: those of the service, and those of gateways such as Cloudflare (52x) in front of
 * it.
 */
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([
	408, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529,
]);

/**
 * These are statuses by which a service, or a gateway in front of it, says that it takes no requests. A 504 does so too if it
 * comes at once.
 */
export const UNAVAILABLE_STATUSES: ReadonlySet<number> = new Set([502, 503, 520, 521, 522, 523, 529]);

/** An overloaded service says by these statuses that it has not begun to process the request. */
export const UNBEGUN_STATUSES: ReadonlySet<number> = new Set([503, 529]);

/**
 * Describes when a failed request may be sent again:
 * - `always`: the request may be carried out twice without harm. After a timeout, or after a response that broke off (`broken`),
 *   it is retried once. A response of the wrong kind (`response`) is not retried, because the next one would be the same.
 * - `unless-timed-out`: the request is not retried after a timeout or a broken response. It is retried after other failures,
 *   although the service may bill both requests.
 * - `only-if-refused`: the request is retried only if it was not carried out for certain: after a 429 or a 503, or if no
 *   connection was made.
 */
export type Repeat = 'always' | 'unless-timed-out' | 'only-if-refused';

/**
 * Returns whether a request may be sent again after a failure other than a rate limit.
 * @param before the failures of the previous attempts
 */
export function mayRepeat(repeat: Repeat, failure: Failure, before: readonly Failure[]): boolean {
	switch (failure.kind) {
		case 'status':
			return (
				TRANSIENT_STATUSES.has(failure.httpStatus) &&
				(repeat !== 'only-if-refused' || failure.httpStatus === 503)
			);
		case 'network':
			return repeat !== 'only-if-refused' || failure.isUnsent === true;
		case 'timeout':
		case 'broken':
			return repeat === 'always' && !before.some(({ kind }) => kind === failure.kind);
		default:
			return false;
	}
}

/**
 * Returns whether the next attempt needs a connection that no other request has used. Only there can a transport tell whether a
 * response had begun, which decides whether a request may be sent again that must not be carried out twice. And a service that
 * ends its connections after some requests would end one that is reused once more.
 * @param before the failures of the previous attempts
 */
export function needsOwnConnection(repeat: Repeat, before: readonly Failure[]): boolean {
	return repeat !== 'always' || before.some(({ kind }) => kind === 'network' || kind === 'broken');
}

/**
 * Returns whether the service may have begun to process a failed request, so that it may be billed or carried out. If that is
 * unknown, the answer is yes.
 */
export function mayHaveBegun(failure: Failure): boolean {
	switch (failure.kind) {
		case 'request':
		case 'blocked':
		case 'unreachable':
		case 'budget':
		case 'redirect':
			return false;
		case 'network':
			return failure.isUnsent !== true;
		case 'status':
			return (
				!UNBEGUN_STATUSES.has(failure.httpStatus) &&
				failure.httpStatus !== NOT_IMPLEMENTED &&
				(failure.httpStatus >= 500 || failure.httpStatus === REQUEST_TIMEOUT)
			);
		default:
			return failure.httpStatus === undefined || failure.httpStatus < 300;
	}
}
