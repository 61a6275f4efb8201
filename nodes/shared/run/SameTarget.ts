import type { RunContext } from '../context/RunContext';
import { expressionsWithin } from '../fields/expressionText';
import type { Field } from '../fields/Field';
import { countOf } from '../text/wording';

/** Counts the items of a run that changed something at the service, for a hint if all of them changed the same. */
export class SameTarget {
	private count = 0;

	add(): void {
		this.count++;
	}

	/**
	 * Returns a hint if several items changed the same, because the field that names it has no expression. Whoever has several items
	 * probably means one for each.
	 * @param did what the items did, such as "cancelled the same batch"
	 */
	describe(field: Field, did: string, { parameters }: RunContext): string | undefined {
		if (this.count < 2 || expressionsWithin(parameters.stored(field)).length > 0) return undefined;
		const [{ displayName }] = field.properties;
		return `All ${countOf(this.count, 'item')} ${did}: if each item means another one, use an expression in '${displayName}'.`;
	}
}
