import { chooseByWords, evidenceByWords, probabilityByWords } from './decideByWords';
import { excerpt } from './excerpt';
import { quoteFrom } from './quoteFrom';

const DEEPEST = 8;

export type Schema = Record<string, unknown>;

/** What an object is made from. */
export interface Source {
	text: string;
	/** Anything else that was said about the object, such as a system prompt. */
	prompt?: string;
	/** JSON values, such as tools' results. Their fields are used if they have the right name. */
	known?: readonly unknown[];
	/** Maximum number of words of a text about which nothing else is known; default 12. */
	words?: number;
}

/** Whether a value can be a schema: an object. */
export function isSchema(value: unknown): value is Schema {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * A JSON object with the fields of a schema, taken from the text: what is known or written there, and what its words
 * decide. Of the schema it meets types, required fields, constants, enumerations, defaults and the limits of numbers.
 */
export function objectForSchema(schema: Schema, source: Source): Record<string, unknown> {
	const valueFor = (name: string, unresolved: unknown, depth: number): unknown => {
		const property = resolved(unresolved, schema);
		const variants = property.anyOf ?? property.oneOf;
		if (Array.isArray(variants)) return valueFor(name, variants[0], depth + 1);
		if ('const' in property) return property.const;
		if ('default' in property) return property.default;
		switch (typeOf(property)) {
			case 'object':
				return depth > DEEPEST ? {} : fieldsOf(property, depth + 1);
			case 'array':
				return Array.from({ length: Number(property.minItems ?? 0) }, () =>
					valueFor(name, property.items, depth + 1),
				);
			default:
				return foundIn(source, name, property) ?? drafted(name, property, source);
		}
	};
	const fieldsOf = (object: Schema, depth: number): Record<string, unknown> => {
		const properties = Object.entries(isSchema(object.properties) ? object.properties : {});
		const required = Array.isArray(object.required) ? object.required : properties.map(([name]) => name);
		const values = properties.map(([name, property]): [string, unknown] => {
			const known = resolved(property, schema);
			const isJudged = source.prompt !== undefined && ('enum' in known || typeOf(known) === 'boolean');
			const isMade = isJudged || required.includes(name);
			return [name, isMade ? valueFor(name, known, depth) : foundIn(source, name, known)];
		});
		return Object.fromEntries(values.filter(([, value]) => value !== undefined));
	};
	const root = resolved(schema, schema);
	return classesOf(root, source) ?? fieldsOf(root, 0);
}

/** Whether a name and its description apply to a text. */
export function isTrueOf(text: string, name: string, description: string): boolean {
	if (/cannot|can't|unsure|not sure|in doubt/i.test(description)) return true;
	return probabilityByWords(text, `${name.replaceAll('_', ' ')} ${description}`) >= 0.5;
}

/** Booleans are classes if the prompt says so: the best one, or all that the text speaks for if several may be true. */
function classesOf(
	{ properties }: Schema,
	{ text, prompt = '' }: Source,
): Record<string, boolean> | undefined {
	const entries = Object.entries(isSchema(properties) ? properties : {});
	const areClasses = entries.length > 0 && entries.every(([, property]) => typeOf(property) === 'boolean');
	if (!areClasses || !/categor|class/i.test(prompt)) return undefined;
	const evidence = evidenceByWords(
		text,
		Object.fromEntries(entries.map(([name, property]) => [name, descriptionOf(property)])),
	);
	const { choice } = chooseByWords(
		text,
		entries.map(([name]) => name),
	);
	const strongest = Math.max(...evidence);
	const best = strongest > 0 ? entries[evidence.indexOf(strongest)]![0] : choice;
	const several = /not mutually exclusive|multiple can/i.test(prompt);
	return Object.fromEntries(
		entries.map(([name], index) => [name, name === best || (several && evidence[index]! > 0)]),
	);
}

function resolved(schema: unknown, root: Schema): Schema {
	if (!isSchema(schema)) return {};
	if (typeof schema.$ref !== 'string') return schema;
	let node: unknown = root;
	for (const segment of schema.$ref.split('/').slice(1)) node = isSchema(node) ? node[segment] : undefined;
	return isSchema(node) ? node : {};
}

function typeOf(schema: unknown): string {
	if (!isSchema(schema)) return 'string';
	const [type] = [schema.type].flat().filter((one) => one !== 'null');
	return typeof type === 'string' ? type : isSchema(schema.properties) ? 'object' : 'string';
}

function descriptionOf(schema: unknown): string {
	return isSchema(schema) ? String(schema.description ?? '') : '';
}

/** A field that is already known, or a value that is written in the text. */
function foundIn({ text, known = [] }: Source, name: string, schema: Schema): unknown {
	const type = typeOf(schema);
	const field = fieldNamed(name, type === 'integer' ? 'number' : type, known);
	if (Array.isArray(schema.enum)) return schema.enum.find((value) => value === field);
	if (field !== undefined || type !== 'string') return field;
	return quoteFrom(text, `${name} ${descriptionOf(schema)} ${String(schema.format ?? '')}`);
}

/** The value of a field of that name, or that begins with it (`urgent` of `urgent_yes`), at any depth. */
function fieldNamed(name: string, type: string, value: unknown): unknown {
	if (typeof value !== 'object' || value === null) return undefined;
	const fields = Object.entries(value) as Array<[string, unknown]>;
	const own = fields.find(
		([key, field]) => typeof field === type && `${key}_`.toLowerCase().startsWith(`${name.toLowerCase()}_`),
	);
	return own
		? own[1]
		: fields.map(([, field]) => fieldNamed(name, type, field)).find((one) => one !== undefined);
}

function drafted(name: string, schema: Schema, { text, words = 12 }: Source): unknown {
	if (Array.isArray(schema.enum)) {
		const { choice } = chooseByWords(text, schema.enum.map(String));
		return schema.enum.find((value) => String(value) === choice);
	}
	const { minimum = -Infinity, maximum = Infinity } = schema as { minimum?: number; maximum?: number };
	switch (typeOf(schema)) {
		case 'boolean':
			return isTrueOf(text, name, descriptionOf(schema));
		case 'null':
			return null;
		case 'number':
		case 'integer': {
			if (minimum === 0 && maximum === 1) return probabilityByWords(text, `${name} ${descriptionOf(schema)}`);
			const written = Number(/-?\d+(?:\.\d+)?/.exec(text)?.[0] ?? 0);
			const value = Math.min(maximum, Math.max(minimum, written));
			return typeOf(schema) === 'integer' ? Math.trunc(value) : value;
		}
		default:
			if (schema.format === 'date') return '2026-01-31';
			if (schema.format === 'date-time') return '2026-01-31T12:00:00Z';
			return excerpt(text, words).slice(0, Number(schema.maxLength ?? Infinity));
	}
}
