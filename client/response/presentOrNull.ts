/**
 * A field that the service sent, or null if it says nothing. Services and gateways leave such a field out, send null, or
 * send empty text: some send `finish_reason: ""` in every chunk before the last.
 */
export function presentOrNull<Value>(value: Value): NonNullable<Value> | null {
	const isBlank = typeof value === 'string' && value.trim() === '';
	return value === undefined || value === null || isBlank ? null : value;
}
