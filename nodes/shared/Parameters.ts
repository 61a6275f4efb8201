import type { INodeParameters } from 'n8n-workflow';

import { placeOf, type Field } from './Field';
import { once } from './once';

/**
 * Reads a node's parameters by their fields. n8n takes some 30 µs for each, whatever it holds, so what is the same for every
 * item of an execution is taken as it is stored, and parsed once.
 */
export class Parameters {
	/** What reads a field that holds no expression; undefined for one that does. */
	private readonly fixed = new Map<Field, (() => unknown) | undefined>();

	/**
	 * @param all as stored in the workflow, with the defaults filled in
	 * @param resolve gives the value at a path with its expressions resolved for an item; null where there is none
	 */
	constructor(
		private readonly all: INodeParameters,
		private readonly resolve: (path: string, itemIndex: number) => unknown,
	) {}

	/**
	 * The value of a field for an item. The same object for every item where it holds no expression.
	 * @throws ParameterError
	 */
	read<Value>(field: Field<Value>, itemIndex: number): Value {
		if (!this.fixed.has(field)) this.fixed.set(field, this.readerOfFixed(field));
		const readFixed = this.fixed.get(field) as (() => Value) | undefined;
		if (readFixed) return readFixed();
		return field.parse(this.resolve(field.path, itemIndex), placeOf(field, this.stored(field)));
	}

	/** The value of a field as it is stored, expressions and all. */
	stored({ path }: Field): unknown {
		return path
			.split('.')
			.reduce<unknown>(
				(value, key) => (value as Record<string, unknown> | null | undefined)?.[key],
				this.all,
			);
	}

	private readerOfFixed<Value>(field: Field<Value>): (() => Value) | undefined {
		const stored = this.stored(field);
		return holdsExpression(stored) ? undefined : once(() => field.parse(stored, placeOf(field, stored)));
	}
}

/** Whether a stored value, or anything within it, is an expression. */
export function holdsExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	return typeof value === 'object' && value !== null && Object.values(value).some(holdsExpression);
}
