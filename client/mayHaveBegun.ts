import { isRefusal } from './mayRepeat';
import type { ServiceErrorFacts } from './ServiceError';

const REQUEST_TIMEOUT = 408;

/**
 * Whether the service may have begun with what was asked for, and so bills it, or has done it, though the request failed. Where
 * nobody can tell, it may.
 */
export function mayHaveBegun(failure: ServiceErrorFacts): boolean {
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
			return mayFollowBeginning(failure.httpStatus);
		case 'reported':
			// Once a text has come, the service has begun, whatever it says of the end.
			return failure.partialText !== undefined || mayFollowBeginning(failure.meansStatus ?? 500);
		default:
			return failure.httpStatus === undefined || failure.httpStatus < 300;
	}
}

function mayFollowBeginning(httpStatus: number): boolean {
	return !isRefusal(httpStatus) && (httpStatus >= 500 || httpStatus === REQUEST_TIMEOUT);
}
