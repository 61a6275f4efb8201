export interface CallResult<Result> {
	result: Result;
	/** The service's trace identifier, or if the response has none, the one that was sent. */
	traceId?: string;
}
