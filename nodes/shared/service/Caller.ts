import type { CallResult } from '../../../client/Transport';
import type { ServiceRequest } from '../../../client/ServiceClient';

/** Calls the service on behalf of an item, or of a request by an AI node. */
export interface Caller {
	readonly signal: AbortSignal;
	/**
	 * Sends a request, or reuses an answer to it.
	 * @throws ServiceError
	 */
	call<Result>(request: ServiceRequest<Result>): Promise<CallResult<Result>>;
	/** Receives the token usage of each response. A number is null if the service did not report it. */
	countTokens?(input: number | null, output: number | null): void;
}
