import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { isRecord } from '../../../client/response/records';
import { parseJson } from '../../../client/response/parseJson';
import { shorten } from '../../../client/response/shorten';
import { ParameterError } from './ParameterError';

/** In characters. Errors shorten longer values. */
const MAX_SHOWN_LENGTH = 60;

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
	/** The field is read only while every one of these holds. */
	conditions?: readonly Condition[];
	/**
	 * Turns the value that n8n gives into a typed one.
	 * @param value resolved for one item; undefined or null if nothing is stored
	 * @throws ParameterError that names the place and the rule
	 */
	parse(value: unknown, place: Place): Value;
}

/** Another field, and the value that it must have. */
export type Condition = readonly [field: Field, value: string | boolean];

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
		parse: (given, place) => {
			// A resource locator holds its value besides the way it was chosen.
			const value = isRecord(given) && '__rl' in given ? given.value : given;
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
	return limitedField(property, 'a number', Number.isFinite);
}

/** The same for whole numbers. */
export function integerField(property: Untyped): Field<number | undefined> {
	return limitedField(property, 'a whole number', Number.isInteger);
}

function limitedField(
	property: Untyped,
	kind: string,
	isOfKind: (number: number) => boolean,
): Field<number | undefined> {
	const { minValue = -Infinity, maxValue = Infinity } = property.typeOptions ?? {};
	const lowest = minValue === -Infinity ? '' : ` of ${minValue} or more`;
	const range = maxValue === Infinity ? lowest : ` from ${minValue} to ${maxValue}`;
	return field({ type: 'number', ...property }, (value, { subject }) => {
		if (isNothing(value)) return undefined;
		// A boolean or an object is no number, whatever `Number` makes of it.
		const number = ['string', 'number'].includes(typeof value) ? Number(value) : NaN;
		if (isOfKind(number) && number >= minValue && number <= maxValue) return number;
		throw new ParameterError(subject, `must be ${kind}${range}`);
	});
}

/** Whether nothing is given: a field that a person has emptied is stored as empty text. */
export function isNothing(value: unknown): value is undefined | null | '' {
	return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

/** A boolean, which an expression may give as text; the property's default if nothing is given. */
export function booleanField(property: Untyped): Field<boolean> {
	return field({ type: 'boolean', ...property }, (value, { subject }) => {
		if (isNothing(value)) return property.default === true;
		if (value === true || value === 'true') return true;
		if (value === false || value === 'false') return false;
		throw new ParameterError(subject, 'must be true or false');
	});
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
		if (isNothing(value)) return undefined;
		const known = property.options.find((candidate) => candidate.value === value);
		if (known) return known.value;
		const labels = property.options.map(({ name }) => name);
		throw new ParameterError(subject, `must be one of ${labels.join(', ')}, not "${describe(value)}"`);
	});
}

/** JSON text, or an expression that gives the value itself; undefined if it is empty. */
export function jsonField(property: Untyped<'type' | 'default'>): Field<unknown> {
	return field({ type: 'json', default: '', ...property }, (value, { subject }) => {
		if (isNothing(value)) return undefined;
		if (typeof value !== 'string') return value;
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

/** The same field, read only while other fields have these values, and otherwise undefined. */
export function readIf<Value>(inner: Field<Value>, ...conditions: Condition[]): Field<Value | undefined> {
	return { ...inner, conditions };
}

/** The same field, shown and read only while other fields have these values, and otherwise undefined. */
export function shownIf<Value>(inner: Field<Value>, ...conditions: Condition[]): Field<Value | undefined> {
	const [first, ...others] = inner.properties;
	const isOption = inner.path !== first.name;
	const show = Object.fromEntries(
		conditions.map(([{ path, properties }, value]) => {
			const [{ name }] = properties;
			// In n8n, a name without a slash is one of the same collection.
			return [isOption && path === name ? `/${name}` : name, [value]];
		}),
	);
	const shown = ({ displayOptions, ...property }: INodeProperties): INodeProperties => ({
		...property,
		displayOptions: { ...displayOptions, show: { ...displayOptions?.show, ...show } },
	});
	return readIf({ ...inner, properties: [shown(first), ...others.map(shown)] }, ...conditions);
}

/** The same field, with the property's default if nothing is given. */
export function orDefault<Value>(inner: Field<Value | undefined>): Field<Value> {
	return refine(inner, (value) =>
		value === undefined || value === '' ? (inner.properties[0].default as Value) : value,
	);
}

/** The same field, which must not be empty. */
export function required<Value>(inner: Field<Value | undefined>, rule = 'must not be empty'): Field<Value> {
	return refine(inner, (value, { subject }) => {
		if (isNothing(value)) throw new ParameterError(subject, rule);
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
	const elsewhere = { ...displayOptions, hide: { ...displayOptions.hide, '@tool': [true] } };
	const asTool = { ...displayOptions, show: { ...displayOptions.show, '@tool': [true] } };
	return {
		...inner,
		properties: [
			{ ...property, displayOptions: elsewhere },
			{ ...property, ...changes, displayOptions: asTool },
		],
	};
}

/** The text of a value. An object from an expression has none. */
export function toText(value: unknown, { subject }: Place): string {
	if (value === undefined || value === null) return '';
	if (typeof value === 'object') throw new ParameterError(subject, 'must be text');
	return String(value);
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
	placeOf: (property: INodeProperties) => Place,
): ValuesOf<Fields> {
	const record = isRecord(value) ? value : {};
	const parsed = Object.entries(fields).map(([key, { properties, parse }]) => {
		const [property] = properties;
		return [key, parse(record[property.name], placeOf(property))];
	});
	return Object.fromEntries(parsed) as ValuesOf<Fields>;
}

/** A value as an error shows it. */
export function describe(value: unknown): string {
	return shorten(typeof value === 'object' ? JSON.stringify(value) : String(value), MAX_SHOWN_LENGTH);
}
