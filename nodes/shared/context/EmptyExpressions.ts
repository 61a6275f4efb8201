import { shorten } from '../../../client/values/shorten';
import { increase } from '../values/increase';
import { MAX_EXPRESSION_CHARS } from '../fields/expressionText';
import type { Place } from '../fields/Field';

/** Counts the expressions that had no value in the text that a run sent. */
export class EmptyExpressions {
	/** The number of items by expression and place, such as `{{ $json.company }} in Message 1`. */
	readonly counts = new Map<string, number>();

	private affected = 0;

	/** The expressions of items that have sent nothing yet, by the index of the item. */
	private readonly unsent = new Map<number, Set<string>>();

	/** The number of items with at least one expression without a value. */
	get items(): number {
		return this.affected;
	}

	add(itemIndex: number, { entry, label }: Place, expression: string): void {
		const found = this.unsent.get(itemIndex) ?? new Set();
		found.add(`${shorten(expression, MAX_EXPRESSION_CHARS)} in ${entry ?? label}`);
		this.unsent.set(itemIndex, found);
	}

	/** Counts the expressions of an item that sends a request. */
	countItem(itemIndex: number): void {
		const found = this.unsent.get(itemIndex);
		if (!found) return;
		this.unsent.delete(itemIndex);
		this.affected++;
		for (const one of found) increase(this.counts, one);
	}
}
