/** A request that has been started. */
export interface SentRequest {
	readonly startMs: number;
	/** The number of requests that started before it. */
	readonly index: number;
	/** The item that sent it. An item may itself be the reason for its 429. */
	readonly item: object;
	/** Whether it is the first request of its item. */
	readonly isFirst: boolean;
	/** Whether it counts as admitted, because it succeeded or was in flight for two seconds without a 429. */
	isAdmitted: boolean;
}
