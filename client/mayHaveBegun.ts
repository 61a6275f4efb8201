import { saysNotBegun } from './mayRepeat';
import type { ServiceErrorFacts } from './ServiceError';

const REQUEST_TIMEOUT = 408;

/**
 * Whether the service may have begun to process a failed request, and so may bill it or have carried it out. If nobody can
 * tell, it may have.
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
			// Once text has arrived, the service has begun, however the response ended.
			return failure.partialText !== undefined || mayFollowBeginning(failure.meansStatus ?? 500);
		default:
			return failure.httpStatus === undefined || failure.httpStatus < 300;
	}
}

function mayFollowBeginning(httpStatus: number): boolean {
	return !saysNotBegun(httpStatus) && (httpStatus >= 500 || httpStatus === REQUEST_TIMEOUT);
}
