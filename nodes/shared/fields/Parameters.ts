import type { IExecuteFunctions, INodeParameters, ISupplyDataFunctions } from 'n8n-workflow';

import { errorMessage } from '../text/errorMessage';
import { named, type Field, type Place, type ValuesOf } from './Field';
import { once } from './once';
import { ParameterError } from './ParameterError';

/**
 * Reads a node's parameters by their fields. n8n takes about 30 µs for each, whatever its value, so values that are the same
 * for every item of an execution are read as stored, and parsed once.
 */
export class Parameters {
	private readonly readers = new Map<Field, (itemIndex: number) => unknown>();

	/**
	 * @param all as stored in the workflow, with the defaults filled in
	 * @param resolve gives the value at a path with its expressions resolved for an item; null if there is none
	 */
	constructor(
		private readonly all: INodeParameters,
		private readonly resolve: (path: string, itemIndex: number) => unknown,
	) {}

	/** The parameters of a node that is run for items. */
	static ofItems(context: IExecuteFunctions | ISupplyDataFunctions): Parameters {
		// Without a fallback, n8n throws for a parameter that is hidden or was never set.
		return new Parameters(context.getNode().parameters, (path, itemIndex) =>
			context.getNodeParameter(path, itemIndex, null),
		);
	}

	/**
	 * The value of a field for an item; undefined while its conditions hide it. The same object for every item if it holds no
	 * expression.
	 * @throws ParameterError
	 */
	read<Value>(field: Field<Value>, itemIndex: number): Value {
		let reader = this.readers.get(field);
		if (!reader) {
			reader = this.readerOf(field);
			this.readers.set(field, reader);
		}
		return reader(itemIndex) as Value;
	}

	/**
	 * The values of several fields, by the same names.
	 * @throws ParameterError
	 */
	readEach<Fields extends Record<string, Field>>(fields: Fields, itemIndex: number): ValuesOf<Fields> {
		return Object.fromEntries(
			Object.entries(fields).map(([name, field]) => [name, this.read(field, itemIndex)]),
		) as ValuesOf<Fields>;
	}

	/** The value of a field as it is stored, expressions included. */
	stored({ path }: Field): unknown {
		return path
			.split('.')
			.reduce<unknown>(
				(value, key) => (value as Record<string, unknown> | null | undefined)?.[key],
				this.all,
			);
	}

	private readerOf(field: Field): (itemIndex: number) => unknown {
		const { conditions } = field;
		const stored = this.stored(field);
		const place = { subject: named(field), path: field.path, stored };
		const read = holdsExpression(stored)
			? (itemIndex: number) => field.parse(this.resolved(place, itemIndex), place)
			: once(() => field.parse(stored, place));
		if (!conditions) return read;
		const isShown = (itemIndex: number) =>
			conditions.every(([other, value]) => this.read(other, itemIndex) === value);
		return (itemIndex) => (isShown(itemIndex) ? read(itemIndex) : undefined);
	}

	/** n8n's own error names neither the parameter nor the item. */
	private resolved({ subject, path }: Place, itemIndex: number): unknown {
		let problem: string;
		try {
			return this.resolve(path, itemIndex);
		} catch (error) {
			problem = errorMessage(error);
		}
		throw new ParameterError(subject, `cannot be read: ${problem}`, 'Correct the expression.');
	}
}

function holdsExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	return typeof value === 'object' && value !== null && Object.values(value).some(holdsExpression);
}
