/** A number, null for anything else. JSON has numbers that JavaScript has not, such as 1e400. */
export function numberOrNull(value: unknown): number | null {
	return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
