import { increase } from '../values/increase';

/**
 * Counts what was found in the texts that a run sent. A finding is the text of what was found, such as
 * `{{ $json.company }} in Message 1` for an expression without a value. Equal findings are counted together.
 */
export class SentFindings {
	/** Counts the items by what was found in them. */
	readonly counts = new Map<string, number>();

	private countedItems = 0;

	/** Holds what was found in items that have sent nothing yet, by the index of the item. */
	private readonly unsent = new Map<number, Set<string>>();

	/** Counts the items in which something was found, and that sent a request. */
	get affectedItems(): number {
		return this.countedItems;
	}

	/** Takes note of a finding. It counts from the next `countItem` on, because an item may fail before it sends a request. */
	add(itemIndex: number, finding: string): void {
		const found = this.unsent.get(itemIndex) ?? new Set();
		found.add(finding);
		this.unsent.set(itemIndex, found);
	}

	/** Counts what was found in an item that sends a request. Its further requests do not count the same findings again. */
	countItem(itemIndex: number): void {
		const found = this.unsent.get(itemIndex);
		if (!found) return;
		this.unsent.delete(itemIndex);
		this.countedItems++;
		for (const one of found) increase(this.counts, one);
	}
}
