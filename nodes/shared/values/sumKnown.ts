/** Adds up the values that are not null. Returns null if all of them are null. */
export function sumKnown(values: Array<number | null>): number | null {
	return values.reduce((sum, value) => (value === null ? sum : (sum ?? 0) + value), null);
}
