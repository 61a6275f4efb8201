/** Returns the entries that are there: for a list in which some depend on a condition, such as `[count > 0 && describe(count)]`. */
export function present<Entry>(entries: Array<Entry | undefined | false>): Entry[] {
	return entries.filter((entry): entry is Entry => entry !== undefined && entry !== false);
}
