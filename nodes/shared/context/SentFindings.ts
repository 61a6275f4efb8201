import { increase } from '../values/increase';

/** Counts what was found in the texts that a run sent. */
export class SentFindings {
	/** The number of items by what was found in them. */
	readonly counts = new Map<string, number>();

	private affected = 0;

	/** What was found in items that have sent nothing yet, by the index of the item. */
	private readonly unsent = new Map<number, Set<string>>();

	/** The number of items in which something was found. */
	get items(): number {
		return this.affected;
	}

	add(itemIndex: number, finding: string): void {
		const found = this.unsent.get(itemIndex) ?? new Set();
		found.add(finding);
		this.unsent.set(itemIndex, found);
	}

	/** Counts what was found in an item that sends a request. */
	countItem(itemIndex: number): void {
		const found = this.unsent.get(itemIndex);
		if (!found) return;
		this.unsent.delete(itemIndex);
		this.affected++;
		for (const one of found) increase(this.counts, one);
	}
}
