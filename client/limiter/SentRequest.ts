export interface SentRequest {
	readonly startMs: number;
	/** Counts the requests that started at the limiter before this one. */
	readonly index: number;
	/** Identifies the item that the request belongs to. An item may itself be the reason for its 429. */
	readonly item: object;
	/** Says whether the request is the first of its item. */
	readonly isFirst: boolean;
	/** Says whether the request counts as admitted, because it succeeded or was in flight for two seconds without a 429. */
	isAdmitted: boolean;
}
