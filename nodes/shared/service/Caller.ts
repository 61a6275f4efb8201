import type { CallResult } from '../../../client/Transport';
import type { ServiceRequest } from '../../../client/ServiceClient';

/** Calls the service for somebody: an item, or a request of an AI node. */
export interface Caller {
	/** Ends the requests when it aborts. */
	readonly signal: AbortSignal;
	/** @throws ServiceError */
	call<Result>(request: ServiceRequest<Result>): Promise<CallResult<Result>>;
	/** Receives the tokens of each response, null if the service does not report them. */
	countTokens?(input: number | null, output: number | null): void;
}
