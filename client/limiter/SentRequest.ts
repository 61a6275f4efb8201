export interface SentRequest {
	readonly startMs: number;
	/** Counts the requests that started at the limiter before it. */
	readonly index: number;
	/** Identifies the item that sent it. An item may itself be the reason for its 429. */
	readonly item: object;
	/** Says whether it is the first request of its item. */
	readonly isFirst: boolean;
	/** Says whether it counts as admitted, because it succeeded or was in flight for two seconds without a 429. */
	isAdmitted: boolean;
}
