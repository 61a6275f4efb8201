import { increase } from '../values/increase';

/** Counts the input fields that a run replaced by other values in its output. */
export class ReplacedFields {
	/** The number of items by the name of the field. */
	readonly counts = new Map<string, number>();

	/** The number of items with at least one such field. */
	items = 0;

	/** @param names the fields of one item, each as often as it has results that replace it */
	addItem(names: string[]): void {
		if (names.length === 0) return;
		this.items++;
		for (const name of new Set(names)) increase(this.counts, name);
	}
}
