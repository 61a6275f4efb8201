/** A number, null for anything else. JSON allows numbers that JavaScript reads as infinite, such as 1e400. */
export function numberOrNull(value: unknown): number | null {
	return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
