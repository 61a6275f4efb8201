/** The sum of the numbers that are known; null if none is. */
export function sumKnown(values: Array<number | null>): number | null {
	return values.reduce((sum, value) => (value === null ? sum : (sum ?? 0) + value), null);
}
