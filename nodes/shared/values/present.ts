/** An entry of the list may depend on a condition, as in `[count > 0 && describe(count)]`. It is left out if that does not hold. */
export function present<Entry>(entries: Array<Entry | undefined | false>): Entry[] {
	return entries.filter((entry): entry is Entry => entry !== undefined && entry !== false);
}
