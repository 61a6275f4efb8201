export interface CallResult<Result> {
	result: Result;
	/** The service's trace identifier, or the one sent where the response names none. */
	traceId?: string;
}
