import type { IExecuteFunctions, INodeParameters, ISupplyDataFunctions } from 'n8n-workflow';

import { errorMessage } from '../text/errorMessage';
import {
	describeValue,
	placeOf,
	type ExpressionFinding,
	type Field,
	type Place,
	type ValuesOf,
} from './Field';
import { findObjectInText, isResolved } from './expressionText';
import { once } from '../values/once';
import { ParameterError } from './ParameterError';

export type Report = (
	itemIndex: number,
	place: Place,
	expression: string,
	finding: ExpressionFinding,
) => void;

/**
 * Reads a node's parameters by their fields. n8n takes about 30 µs to read one parameter for one item. So a parameter without
 * an expression, which has the same value for every item, is read as it is stored, and is parsed only once.
 */
export class Parameters {
	private readonly readers = new Map<Field, (itemIndex: number) => unknown>();

	/**
	 * Makes a reader of parameters from what n8n offers, which differs between items and polls.
	 * @param all the parameters as the workflow stores them, with the defaults filled in
	 * @param resolve returns the value at a path with its expressions resolved for an item, or null if there is none
	 * @param evaluate returns the value of one expression, with its braces, for an item
	 * @param report is called for each expression in text that is sent, and that has no value for an item, or one that cannot be read
	 */
	constructor(
		private readonly all: INodeParameters,
		private readonly resolve: (path: string, itemIndex: number) => unknown,
		private readonly evaluate: (expression: string, itemIndex: number) => unknown,
		private readonly report: Report = () => {},
	) {}

	static ofItems(context: IExecuteFunctions | ISupplyDataFunctions, report?: Report): Parameters {
		// Without a fallback, n8n throws for a parameter that is hidden or was never set.
		return new Parameters(
			context.getNode().parameters,
			(path, itemIndex) => context.getNodeParameter(path, itemIndex, null),
			(expression, itemIndex) => context.evaluateExpression(expression, itemIndex),
			report,
		);
	}

	/**
	 * Returns the value of a field for an item, or undefined if the conditions of the field do not hold. If the value holds no
	 * expression, all items get the same object.
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
	 * Returns the values of several fields, under the names of the fields.
	 * @throws ParameterError
	 */
	readEach<Fields extends Record<string, Field>>(fields: Fields, itemIndex: number): ValuesOf<Fields> {
		const values: Record<string, unknown> = {};
		for (const [name, field] of Object.entries(fields)) values[name] = this.read(field, itemIndex);
		return values as ValuesOf<Fields>;
	}

	/** Returns the value of a field as it is stored, with expressions not resolved. */
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
		const place = placeOf(field, stored);
		const readResolved = (itemIndex: number) => {
			const resolved = this.resolveFor(place, itemIndex);
			const evaluate = (expression: string) => this.evaluate(expression, itemIndex);
			checkTexts(place, resolved, evaluate);
			const report = (inner: Place, expression: string, finding: ExpressionFinding) =>
				this.report(itemIndex, inner, expression, finding);
			return field.parse(resolved, { ...place, expressions: { evaluate, report } });
		};
		const read = holdsExpression(stored) ? readResolved : once(() => field.parse(stored, place));
		if (!conditions) return read;
		const isShown = (itemIndex: number) =>
			conditions.every(([other, value]) => this.read(other, itemIndex) === value);
		return (itemIndex) => (isShown(itemIndex) ? read(itemIndex) : undefined);
	}

	/**
	 * Lets n8n resolve the expressions of a parameter for an item.
	 * @throws ParameterError instead of n8n's own error, which names neither the parameter nor the item
	 */
	private resolveFor({ subject, path }: Place, itemIndex: number): unknown {
		let problem: string;
		try {
			return this.resolve(path, itemIndex);
		} catch (error) {
			problem = errorMessage(error);
		}
		throw new ParameterError(subject, `cannot be read: ${problem}`, 'Correct the expression.');
	}
}

/**
 * Checks that no text was made of an object or a function.
 * @throws ParameterError for an object or a function that is joined to text. For n8n, this is no error.
 */
function checkTexts(
	{ subject, stored }: Place,
	resolved: unknown,
	evaluate: (expression: string) => unknown,
): void {
	const found = findObjectInText(stored, resolved, evaluate);
	if (!found) return;
	const { expression, gives } = found;
	const what = gives === 'function' ? 'a function' : 'an object';
	const steps = {
		object: `Name one of its fields, or send it all as {{ JSON.stringify(${expression.slice(2, -2).trim()}) }}.`,
		textOfObject: 'Name one of the fields of the object, or put it in JSON.stringify( ).',
		function: 'To call the function, write () after its name.',
	};
	throw new ParameterError(
		subject,
		`must not join ${what} to text, as ${describeValue(expression)} does`,
		steps[gives],
	);
}

function holdsExpression(value: unknown): boolean {
	if (typeof value === 'object' && value !== null) return Object.values(value).some(holdsExpression);
	return isResolved(value);
}
