/** Returns a number, or null for anything else. JSON such as 1e400, which JavaScript reads as infinite, gives null too. */
export function numberOrNull(value: unknown): number | null {
	return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
