import { isMissing } from '../../../client/response/records';
import { increase } from '../text/increase';

/** Counts the input fields that a run replaced by other values in its output. An empty field loses nothing, so it does not count. */
export class ReplacedFields {
	/** The number of items by the name of the field. */
	readonly counts = new Map<string, number>();

	/** The number of items with at least one such field. */
	items = 0;

	/** @param results the results of one item */
	addItem(input: Record<string, unknown>, results: object[]): void {
		const names = new Set(results.flatMap((result) => replacedIn(input, result)));
		if (names.size === 0) return;
		this.items++;
		for (const name of names) increase(this.counts, name);
	}
}

function replacedIn(input: Record<string, unknown>, result: object): string[] {
	return Object.entries(result).flatMap(([name, value]) => {
		const isKept = !Object.hasOwn(input, name) || isMissing(input[name]) || isSame(input[name], value);
		return isKept ? [] : [name];
	});
}

function isSame(a: unknown, b: unknown): boolean {
	if (a === b) return true;
	const areObjects = typeof a === 'object' && typeof b === 'object';
	return areObjects && JSON.stringify(a) === JSON.stringify(b);
}
