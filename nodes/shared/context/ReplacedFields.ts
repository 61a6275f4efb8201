import { isMissing } from '../../../client/values/records';
import { increase } from '../values/increase';

/** Counts the input fields that have the name of a column of the output: those that a run replaced, and those of failed items. */
export class ReplacedFields {
	/** Counts the items by the name of the field. */
	readonly counts = new Map<string, number>();

	private countedItems = 0;

	/** Holds the names of all columns that results had. */
	private readonly columns = new Set<string>();

	/** Counts the failed items by the name of a field that has a value. */
	private readonly failedFields = new Map<string, number>();

	/** Counts the items with at least one replaced field. */
	get affectedItems(): number {
		return this.countedItems;
	}

	/** Takes note of columns before an item has them, so that they are known even if every item fails. */
	noteColumns(names: string[]): void {
		for (const name of names) this.columns.add(name);
	}

	/**
	 * Counts the replaced fields of one item, and remembers the names of its columns.
	 * @param names the replaced fields of one item, each as often as it has results that replace it
	 * @param columns the names of its columns
	 */
	addItem(names: string[], columns: string[]): void {
		this.noteColumns(columns);
		if (names.length === 0) return;
		this.countedItems++;
		for (const name of new Set(names)) increase(this.counts, name);
	}

	/**
	 * Counts the fields of a failed item that have a value.
	 * @param fields the fields of a failed item, which its output keeps
	 */
	addFailed(fields: object): void {
		for (const [name, value] of Object.entries(fields)) {
			if (!isMissing(value)) increase(this.failedFields, name);
		}
	}

	/** Returns the fields of failed items that others have as columns, so that a value of the input looks like a result. */
	keptByFailed(): Map<string, number> {
		return new Map([...this.failedFields].filter(([name]) => this.columns.has(name)));
	}
}
