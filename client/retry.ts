import type { Failure } from './ServiceError';

const REQUEST_TIMEOUT = 408;

const NOT_IMPLEMENTED = 501;

/** The service's own statuses, and those that gateways in front of it use instead. */
export const PASSING_STATUSES: ReadonlySet<number> = new Set([
	408, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529,
]);

/** By these, the service says that it has not begun, because it is overloaded. */
export const UNBEGUN_STATUSES: ReadonlySet<number> = new Set([503, 529]);

/**
 * When a failed request may be sent again:
 * - `always`: it changes nothing that matters when it is carried out twice; after a timeout, or after a response that
 *   began and cannot be read to its end (`broken`), it is repeated once. A response of the wrong kind (`response`) would
 *   come again
 * - `unless-timed-out`: a request that timed out, or that was answered, is never repeated. After other failures it is,
 *   although the service may bill both
 * - `only-if-refused`: only a response that says it was not carried out (429, 503) makes it safe, or that there was no connection
 */
export type Repeat = 'always' | 'unless-timed-out' | 'only-if-refused';

/**
 * Whether a request may be sent again after a failure other than a rate limit.
 * @param before the failures of its attempts before this one
 */
export function mayRepeat(repeat: Repeat, failure: Failure, before: readonly Failure[]): boolean {
	switch (failure.kind) {
		case 'status':
			return (
				PASSING_STATUSES.has(failure.httpStatus) &&
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
 * Whether the service may have begun to process a failed request, and so may bill it or have carried it out. If nobody can
 * tell, it may have.
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
