import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { isMissing, isRecord } from '../../../client/values/records';
import { shorten } from '../../../client/values/shorten';
import { isBlank } from '../text/composed';
import type { Unreadable } from '../text/unreadable';
import { ParameterError } from './ParameterError';

/** Errors shorten longer values. */
const MAX_SHOWN_CHARS = 60;

/** Where a value is stored, so that an error can name it. */
export interface Place {
	/** Names the parameter by its label and its stored name, or a part of it, such as `question "urgent"`. */
	subject: string;
	/** Holds the path in the node's parameters, such as `options.timeout`. */
	path: string;
	/** Holds the value as it is stored, with expressions not resolved. */
	stored?: unknown;
	label: string;
	/** Holds the entry of a list that the value belongs to, such as `Message 1`. It is undefined outside lists. */
	entry?: string;
	/** Holds the expressions of the parameter for one item. It is undefined if it has none. */
	expressions?: ItemExpressions;
}

/** Describes what the fields of one parameter can find out and report about its expressions, for one item. */
interface ItemExpressions {
	/** Returns the value of one expression, with its braces. */
	evaluate(expression: string): unknown;
	/** Reports an expression in text that is sent. */
	report(place: Place, expression: string, finding: ExpressionFinding): void;
}

/** Says that an expression has no value, or why the model cannot read it. */
export type ExpressionFinding = 'empty' | Unreadable;

/**
 * Describes a parameter of a node: the property that the editor shows, the path at which workflows store the value, and a
 * function that reads the value. The name, label, limits and default are written in the property only.
 */
export interface Field<Value = unknown> {
	/** A field has usually one property. One that looks different in an AI Agent's tool has a second one. */
	properties: readonly [INodeProperties, ...INodeProperties[]];
	/** Holds the place in the stored parameters: `name`, or `options.name` for an entry of the collection "Options". */
	path: string;
	/** The field is read only while every one of these holds. */
	conditions?: readonly Condition[];
	/**
	 * Turns the value that n8n gives into a typed one.
	 * @param value the value for one item, with expressions resolved. Undefined or null if nothing is stored.
	 * @throws ParameterError with the name of the parameter and the rule that the value breaks
	 */
	parse(value: unknown, place: Place): Value;
}

/** A condition holds if another field has this value. */
type Condition = readonly [field: Field, value: string | boolean];

/** Describes the parsed values of several fields, under the names of the fields. */
export type ValuesOf<Fields extends Record<string, Field>> = {
	[Name in keyof Fields]: ReturnType<Fields[Name]['parse']>;
};

/** Describes a property without its `type`, which the function that makes the field fills in. */
export type PropertyWithoutType<Keys extends keyof INodeProperties = 'type'> = Omit<INodeProperties, Keys> &
	Partial<Pick<INodeProperties, Keys>>;

export function field<Value>(property: INodeProperties, parse: Field<Value>['parse']): Field<Value> {
	return {
		properties: [property],
		path: property.name,
		parse: (value, place) => {
			// An expression that calculates with a missing field gives NaN.
			const wrong = [value].flat().find((one) => typeof one === 'number' && !Number.isFinite(one));
			if (wrong !== undefined) throw new ParameterError(place.subject, `must not be ${String(wrong)}`);
			return parse(value, place);
		},
	};
}

/**
 * Makes a field for text. A number or a boolean from an expression becomes text, an object is an error, and a missing value
 * becomes empty text.
 */
export function textField(property: PropertyWithoutType<'type' | 'default'>): Field<string> {
	return field({ type: 'string', default: '', ...property }, toText);
}

/**
 * Makes a field for text that may be chosen in several ways. n8n stores it as an object, together with the way it was chosen.
 * @param inner the rules for the text, which get neither this object nor the way
 */
export function locatorField(inner: Field<string>): Field<string> {
	return {
		...inner,
		parse: (value, place) => inner.parse(chosenIn(value), { ...place, stored: chosenIn(place.stored) }),
	};
}

function chosenIn(value: unknown): unknown {
	return isRecord(value) && '__rl' in value ? value.value : value;
}

/** Makes a field for a number within the property's limits, both inclusive. Its value is undefined if none is given. */
export function numberField(property: PropertyWithoutType): Field<number | undefined> {
	return limitedField(property, 'a number', Number.isFinite);
}

/** Makes a field for a whole number within the property's limits. Its value is undefined if none is given. */
export function integerField(property: PropertyWithoutType): Field<number | undefined> {
	return limitedField(property, 'a whole number', Number.isInteger);
}

/** A number is read as `Number` reads it, but in decimal notation only: 0x64 is more likely a code than the number 100. */
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** Returns NaN for what is no number. `Number` alone would turn true, null or an empty list into one. */
function toNumber(value: unknown): number {
	if (typeof value === 'string') return DECIMAL.test(value.trim()) ? Number(value) : NaN;
	return typeof value === 'number' ? value : NaN;
}

function limitedField(
	property: PropertyWithoutType,
	kind: string,
	isOfKind: (number: number) => boolean,
): Field<number | undefined> {
	const { minValue = -Infinity, maxValue = Infinity } = property.typeOptions ?? {};
	const lowest = minValue === -Infinity ? '' : ` of ${minValue} or more`;
	const range = maxValue === Infinity ? lowest : ` from ${minValue} to ${maxValue}`;
	return field({ type: 'number', ...property }, (value, { subject }) => {
		if (isMissing(value)) return undefined;
		const number = toNumber(value);
		if (isOfKind(number) && number >= minValue && number <= maxValue) return number;
		throw new ParameterError(subject, `must be ${kind}${range}`);
	});
}

/** Makes a field for a boolean, which an expression may give as text. Its value is the property's default if none is given. */
export function booleanField(property: PropertyWithoutType): Field<boolean> {
	return field({ type: 'boolean', ...property }, (value, { subject }) => {
		if (isMissing(value)) return property.default === true;
		if (value === true || value === 'true') return true;
		if (value === false || value === 'false') return false;
		throw new ParameterError(subject, 'must be true or false');
	});
}

/** Describes the property of a field with a fixed list of values. */
export type OptionsProperty<Value extends string> = Omit<PropertyWithoutType, 'options'> & {
	options: Array<Omit<INodePropertyOptions, 'value'> & { value: Value }>;
};

/** Makes a field for one of the property's options. Its value is undefined if none is given. */
export function optionsField<const Value extends string>(
	property: OptionsProperty<Value>,
): Field<Value | undefined> {
	return field({ type: 'options', ...property }, (value, { subject }) => {
		if (isMissing(value)) return undefined;
		const known = property.options.find((candidate) => candidate.value === value);
		if (known) return known.value;
		const labels = property.options.map(({ name }) => name);
		throw new ParameterError(subject, `must be one of ${labels.join(', ')}, not "${describeValue(value)}"`);
	});
}

/** Makes a field for a collection, whose inner fields a person adds one by one. */
export function collectionField<Fields extends Record<string, Field>>(
	property: Omit<INodeProperties, 'type' | 'options'>,
	fields: Fields,
): Field<ValuesOf<Fields>> {
	const options = Object.values(fields).flatMap(({ properties }) => properties);
	return field({ ...property, type: 'collection', options }, (value, place) =>
		parseEach(fields, value, place, ({ name, displayName }) => {
			const path = `${place.path}.${name}`;
			return { subject: formatSubject(displayName, path), path };
		}),
	);
}

interface EntryDefinition<Fields> {
	displayName: string;
	/** Holds the key under which the list is stored. */
	name: string;
	fields: Fields;
	/**
	 * Returns the name of an entry for error messages.
	 * @param position the position in the list, counted from 1
	 */
	nameOf(entry: Record<string, unknown>, position: number, list: Place): string;
}

/** Makes a field for a list whose entries all have the same inner fields. */
export function entriesField<Fields extends Record<string, Field>>(
	property: Omit<INodeProperties, 'type' | 'options'>,
	{ displayName, name, fields, nameOf }: EntryDefinition<Fields>,
): Field<Array<ValuesOf<Fields>>> {
	const values = Object.values(fields).flatMap(({ properties }) => properties);
	return field(
		{ ...property, type: 'fixedCollection', options: [{ displayName, name, values }] },
		(value, place) => {
			const storedList = listIn(place.stored, name);
			const entries = listIn(value, name).map((entry, index) => ({ entry, stored: storedList[index] }));
			return entries
				.filter(({ entry }) => isRecord(entry))
				.map(({ entry, stored }, index) => {
					const subject = nameOf(entry as Record<string, unknown>, index + 1, place);
					const title = `${displayName} ${index + 1}`;
					const entryPlace = {
						...place,
						stored,
						entry: place.entry === undefined ? title : `${place.entry}, ${title}`,
					};
					return parseEach(fields, entry, entryPlace, (inner) => ({
						subject: `${subject}: "${inner.displayName}" (${inner.name})`,
						path: `${place.path}.${name}`,
					}));
				});
		},
	);
}

function listIn(value: unknown, name: string): unknown[] {
	const list = isRecord(value) ? value[name] : undefined;
	return Array.isArray(list) ? list : [];
}

/** Moves a field into the collection "Options". */
export function option<Value>(inner: Field<Value>): Field<Value> {
	return { ...inner, path: `options.${inner.path}` };
}

/** Makes a field undefined unless other fields have these values. The editor shows it in either case. */
export function readIf<Value>(inner: Field<Value>, ...conditions: Condition[]): Field<Value | undefined> {
	return { ...inner, conditions };
}

/** Hides a field, and makes it undefined, unless other fields have these values. */
export function shownIf<Value>(inner: Field<Value>, ...conditions: Condition[]): Field<Value | undefined> {
	const [first, ...others] = inner.properties;
	const isOption = inner.path !== first.name;
	const show = Object.fromEntries(
		conditions.map(([{ path, properties }, value]) => {
			const [{ name }] = properties;
			// Within a collection, n8n looks up a name without a slash in that collection.
			return [isOption && path === name ? `/${name}` : name, [value]];
		}),
	);
	const shown = ({ displayOptions, ...property }: INodeProperties): INodeProperties => ({
		...property,
		displayOptions: { ...displayOptions, show: { ...displayOptions?.show, ...show } },
	});
	return readIf({ ...inner, properties: [shown(first), ...others.map(shown)] }, ...conditions);
}

/** Replaces a missing value by the property's default. */
export function orDefault<Value>(inner: Field<Value | undefined>): Field<Value> {
	return refine(inner, (value) =>
		value === undefined || value === '' ? (inner.properties[0].default as Value) : value,
	);
}

/** Makes an empty value an error. */
export function required<Value>(inner: Field<Value | undefined>, rule = 'must not be empty'): Field<Value> {
	return refine(inner, (value, { subject }) => {
		if (value === undefined || isBlank(value)) throw new ParameterError(subject, rule);
		return value;
	});
}

export function trimmed(inner: Field<string>): Field<string> {
	return refine(inner, (text) => text.trim());
}

/** Checks or converts the parsed value of a field further. */
export function refine<Value, Refined>(
	inner: Field<Value>,
	parse: (value: Value, place: Place) => Refined,
): Field<Refined> {
	return { ...inner, parse: (value, place) => parse(inner.parse(value, place), place) };
}

/** Shows a field with a changed property if the node is a tool of an AI Agent. */
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

/**
 * Turns a value into text.
 * @throws ParameterError for an object, which an expression may give instead of text, and for an integer that is not exact
 */
export function toText(value: unknown, { subject }: Place): string {
	if (value === undefined || value === null) return '';
	if (typeof value === 'object') throw new ParameterError(subject, 'must be text');
	if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
		throw new ParameterError(
			subject,
			`must not be the number ${String(value)}, because so large a number loses its last digits: give it as text`,
		);
	}
	return String(value);
}

/** Returns the name of a field for error messages: its label and the path under which it is stored. */
export function subjectOf({ properties: [{ displayName }], path }: Field): string {
	return formatSubject(displayName, path);
}

export function placeOf(field: Field, stored: unknown): Place {
	const { path, properties } = field;
	return { subject: subjectOf(field), path, stored, label: properties[0].displayName };
}

export function formatSubject(displayName: string, path: string): string {
	return `"${displayName}" (${path})`;
}

/**
 * Parses the inner fields of a collection, or of an entry of a list.
 * @param outer where the record itself is stored
 */
function parseEach<Fields extends Record<string, Field>>(
	fields: Fields,
	value: unknown,
	outer: Place,
	nameOf: (property: INodeProperties) => Pick<Place, 'subject' | 'path'>,
): ValuesOf<Fields> {
	const record = isRecord(value) ? value : {};
	const storedRecord = isRecord(outer.stored) ? outer.stored : {};
	const parsed = Object.entries(fields).map(([key, { properties, parse }]) => {
		const [property] = properties;
		const { name, displayName: label } = property;
		const { entry, expressions } = outer;
		return [
			key,
			parse(record[name], { ...nameOf(property), label, stored: storedRecord[name], entry, expressions }),
		];
	});
	return Object.fromEntries(parsed) as ValuesOf<Fields>;
}

/** Writes a value for an error message. */
export function describeValue(value: unknown): string {
	return shorten(typeof value === 'object' ? JSON.stringify(value) : String(value), MAX_SHOWN_CHARS);
}
