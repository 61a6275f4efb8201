/** Only so many equal items are worth a hint, because two may well be meant. */
export const MIN_EQUAL_ITEMS = 3;

/** Compares what the items of a run send, each in its first paid request. */
export class SentTexts {
	private readonly senders = new Set<number>();

	private first: string | undefined;

	private differ = false;

	add(itemIndex: number, body: unknown): void {
		if (this.differ || this.senders.has(itemIndex)) return;
		this.senders.add(itemIndex);
		const text = JSON.stringify(body);
		this.first ??= text;
		this.differ = text !== this.first;
		if (this.differ) this.first = undefined;
	}

	/**
	 * Returns whether all items that sent something sent the same. Rows of a sheet hardly ever do, but a wrong field or a text without an
	 * expression does. Where most items sent nothing, a few may well be equal.
	 */
	areEqual(items: number): boolean {
		const { size } = this.senders;
		return !this.differ && size >= MIN_EQUAL_ITEMS && size * 2 > items;
	}
}
