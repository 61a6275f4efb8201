import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { isRecord } from '../../../client/isRecord';
import { parseJson } from '../../../client/parseJson';
import { shorten } from '../../../client/shorten';
import { ParameterError } from './ParameterError';

/** In characters. Errors shorten longer values. */
const LONGEST_SHOWN = 60;

/** Where a value is stored, so that an error can name it. */
export interface Place {
	/** A parameter by its label and its stored name, or a part of one, such as `question "urgent"`. */
	subject: string;
	/** Its path in the node's parameters, such as `options.timeout`. */
	path: string;
	/** The value with its expressions as they are stored. Only parameters have it, not the fields within a collection. */
	stored?: unknown;
}

/**
 * A parameter of a node: what the editor shows of it, where workflows store it, and how its value is read. Its name, label,
 * limits and default are in its property only.
 */
export interface Field<Value = unknown> {
	/** Usually one. A field that looks different in an AI Agent's tool has a second one for that. */
	properties: readonly [INodeProperties, ...INodeProperties[]];
	/** `name`, or `options.name` for an entry of the collection "Options". */
	path: string;
	/**
	 * Turns the value that n8n gives into a typed one.
	 * @param value resolved for one item; undefined or null if nothing is stored
	 * @throws ParameterError that names the place and the rule
	 */
	parse(value: unknown, place: Place): Value;
}

/** The values of fields, by the same names. */
export type ValuesOf<Fields extends Record<string, Field>> = {
	[Name in keyof Fields]: ReturnType<Fields[Name]['parse']>;
};

/** A property whose type follows from the kind of its field. */
type Untyped<Keys extends keyof INodeProperties = 'type'> = Omit<INodeProperties, Keys> &
	Partial<Pick<INodeProperties, Keys>>;

export function field<Value>(property: INodeProperties, parse: Field<Value>['parse']): Field<Value> {
	return {
		properties: [property],
		path: property.name,
		parse: (value, place) => {
			// An expression that computes with what is missing gives NaN.
			const wrong = [value].flat().find((one) => typeof one === 'number' && !Number.isFinite(one));
			if (wrong !== undefined) throw new ParameterError(place.subject, `must not be ${String(wrong)}`);
			return parse(value, place);
		},
	};
}

/**
 * Text as given. A number or a boolean from an expression becomes text, an object is an error, and a missing value is empty
 * text.
 */
export function textField(property: Untyped<'type' | 'default'>): Field<string> {
	return field({ type: 'string', default: '', ...property }, toText);
}

/** A number within the limits of the property, both inclusive; undefined if none is given. */
export function numberField(property: Untyped): Field<number | undefined> {
	return field({ type: 'number', ...property }, (value, { subject }) =>
		parseNumber(value, subject, property, 'a number'),
	);
}

/** The same for whole numbers. */
export function integerField(property: Untyped): Field<number | undefined> {
	return field({ type: 'number', ...property }, (value, { subject }) => {
		const number = parseNumber(value, subject, property, 'a whole number');
		if (number === undefined || Number.isInteger(number)) return number;
		throw outOfRange(subject, property, 'a whole number');
	});
}

/** Anything but a boolean counts as the default. */
export function booleanField(property: Untyped): Field<boolean> {
	return field({ type: 'boolean', ...property }, (value) =>
		typeof value === 'boolean' ? value : property.default === true,
	);
}

/** The property of a field with a fixed choice of values. */
export type OptionsProperty<Value extends string> = Omit<Untyped, 'options'> & {
	options: Array<Omit<INodePropertyOptions, 'value'> & { value: Value }>;
};

/** One of the property's options; undefined if none is given. */
export function optionsField<const Value extends string>(
	property: OptionsProperty<Value>,
): Field<Value | undefined> {
	return field({ type: 'options', ...property }, (value, { subject }) => {
		if (value === undefined || value === null || value === '') return undefined;
		const known = property.options.find((candidate) => candidate.value === value);
		if (known) return known.value;
		const labels = property.options.map(({ name }) => name);
		throw new ParameterError(subject, `must be one of ${labels.join(', ')}, not "${describe(value)}"`);
	});
}

/** JSON text, or an expression that gives the value itself; undefined if it is empty. */
export function jsonField(property: Untyped<'type' | 'default'>): Field<unknown> {
	return field({ type: 'json', default: '', ...property }, (value, { subject }) => {
		if (value === undefined || value === null) return undefined;
		if (typeof value !== 'string') return value;
		if (value.trim() === '') return undefined;
		const parsed = parseJson(value);
		if (parsed.success) return parsed.value;
		throw new ParameterError(subject, `must be valid JSON (${parsed.problem})`);
	});
}

/** A collection whose entries a person adds one by one. */
export function collectionField<Fields extends Record<string, Field>>(
	property: Omit<INodeProperties, 'type' | 'options'>,
	fields: Fields,
): Field<ValuesOf<Fields>> {
	const options = Object.values(fields).flatMap(({ properties }) => properties);
	return field({ ...property, type: 'collection', options }, (value, { path }) =>
		parseEach(fields, value, ({ name, displayName }) => ({
			subject: subjectOf(displayName, `${path}.${name}`),
			path: `${path}.${name}`,
		})),
	);
}

interface EntryOf<Fields> {
	displayName: string;
	/** The key under which the list is stored. */
	name: string;
	fields: Fields;
	/**
	 * What an error calls an entry.
	 * @param position counted from 1
	 */
	nameOf(entry: Record<string, unknown>, position: number, list: Place): string;
}

/** A list whose entries all have the same fields. */
export function entriesField<Fields extends Record<string, Field>>(
	property: Omit<INodeProperties, 'type' | 'options'>,
	{ displayName, name, fields, nameOf }: EntryOf<Fields>,
): Field<Array<ValuesOf<Fields>>> {
	const values = Object.values(fields).flatMap(({ properties }) => properties);
	return field(
		{ ...property, type: 'fixedCollection', options: [{ displayName, name, values }] },
		(value, place) =>
			entriesOf(value, name).map((entry, index) => {
				const subject = nameOf(entry, index + 1, place);
				return parseEach(fields, entry, (inner) => ({
					subject: `${subject}: "${inner.displayName}" (${inner.name})`,
					path: `${place.path}.${name}`,
				}));
			}),
	);
}

function entriesOf(value: unknown, name: string): Array<Record<string, unknown>> {
	const list = isRecord(value) ? value[name] : undefined;
	return Array.isArray(list) ? list.filter(isRecord) : [];
}

/** The same field within the collection "Options". */
export function option<Value>(inner: Field<Value>): Field<Value> {
	return { ...inner, path: `options.${inner.path}` };
}

/** The same field with the property's default if nothing is given. */
export function orDefault<Value>(inner: Field<Value | undefined>): Field<Value> {
	return refine(inner, (value) =>
		value === undefined || value === '' ? (inner.properties[0].default as Value) : value,
	);
}

/** The same field, which must not be empty. */
export function required<Value>(inner: Field<Value | undefined>, rule = 'must not be empty'): Field<Value> {
	return refine(inner, (value, { subject }) => {
		if (value === undefined || (typeof value === 'string' && value.trim() === '')) {
			throw new ParameterError(subject, rule);
		}
		return value;
	});
}

/** The same field without white space around its text. */
export function trimmed(inner: Field<string>): Field<string> {
	return refine(inner, (text) => text.trim());
}

/** The same field, with its value checked or converted further. */
export function refine<Value, Refined>(
	inner: Field<Value>,
	parse: (value: Value, place: Place) => Refined,
): Field<Refined> {
	return { ...inner, parse: (value, place) => parse(inner.parse(value, place), place) };
}

/** The same field with a property that differs in part if the node is a tool of an AI Agent. */
export function inTool<Value>(inner: Field<Value>, changes: Partial<INodeProperties>): Field<Value> {
	const [property] = inner.properties;
	const { displayOptions = {} } = property;
	return {
		...inner,
		properties: [
			{
				...property,
				displayOptions: { ...displayOptions, hide: { ...displayOptions.hide, '@tool': [true] } },
			},
			{
				...property,
				...changes,
				displayOptions: { ...displayOptions, show: { ...displayOptions.show, '@tool': [true] } },
			},
		],
	};
}

/** The text of a value. An object from an expression has none. */
export function toText(value: unknown, { subject }: Place): string {
	if (value === undefined || value === null) return '';
	if (typeof value === 'object') throw new ParameterError(subject, 'must be text');
	return String(value);
}

export function placeOf({ properties: [{ displayName }], path }: Field, stored: unknown): Place {
	return { subject: subjectOf(displayName, path), path, stored };
}

export function named({ properties: [{ displayName }], path }: Field): string {
	return subjectOf(displayName, path);
}

export function subjectOf(displayName: string, path: string): string {
	return `"${displayName}" (${path})`;
}

function parseEach<Fields extends Record<string, Field>>(
	fields: Fields,
	value: unknown,
	placeOfInner: (property: INodeProperties) => Place,
): ValuesOf<Fields> {
	const record = isRecord(value) ? value : {};
	return Object.fromEntries(
		Object.entries(fields).map(
			([
				key,
				{
					properties: [property],
					parse,
				},
			]) => [key, parse(record[property.name], placeOfInner(property))],
		),
	) as ValuesOf<Fields>;
}

function parseNumber(
	value: unknown,
	subject: string,
	property: Pick<INodeProperties, 'typeOptions'>,
	kind: string,
): number | undefined {
	if (value === undefined || value === null) return undefined;
	if (typeof value === 'string' && value.trim() === '') return undefined;
	// A boolean or an object is no number, whatever `Number` makes of it.
	const number = ['string', 'number'].includes(typeof value) ? Number(value) : NaN;
	const { minValue = -Infinity, maxValue = Infinity } = property.typeOptions ?? {};
	if (Number.isFinite(number) && number >= minValue && number <= maxValue) return number;
	throw outOfRange(subject, property, kind);
}

function outOfRange(
	subject: string,
	{ typeOptions = {} }: Pick<INodeProperties, 'typeOptions'>,
	kind: string,
): ParameterError {
	const { minValue, maxValue } = typeOptions;
	const range =
		maxValue === undefined
			? minValue === undefined
				? ''
				: ` of ${minValue} or more`
			: ` from ${minValue} to ${maxValue}`;
	return new ParameterError(subject, `must be ${kind}${range}`);
}

export function describe(value: unknown): string {
	return typeof value === 'object' ? shorten(JSON.stringify(value), LONGEST_SHOWN) : String(value);
}
