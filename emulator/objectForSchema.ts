import { chooseByWords, probabilityByWords } from './decideByWords';
import { excerpt } from './tokens';

const DEEPEST = 8;

export type Schema = Record<string, unknown>;

/** What an object is made from. */
export interface Source {
	text: string;
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
 * A JSON object with the fields of a schema: known ones, what the words of the text decide, and of the others those that are
 * required. Of the schema it meets types, required fields, constants, enumerations, defaults and the limits of numbers.
 */
export function objectForSchema(root: Schema, source: Source): Record<string, unknown> {
	const valueFor = (name: string, unresolved: unknown, depth: number): unknown => {
		const schema = resolved(unresolved, root);
		const variants = schema.anyOf ?? schema.oneOf;
		if (Array.isArray(variants)) return valueFor(name, variants[0], depth + 1);
		if ('const' in schema) return schema.const;
		if ('default' in schema) return schema.default;
		switch (typeOf(schema)) {
			case 'object':
				return depth > DEEPEST ? {} : fieldsOf(schema, depth + 1);
			case 'array':
				return Array.from({ length: Number(schema.minItems ?? 0) }, () =>
					valueFor(name, schema.items, depth + 1),
				);
			default:
				return knownField(name, schema, source) ?? drafted(name, schema, source);
		}
	};
	const fieldsOf = (object: Schema, depth: number): Record<string, unknown> => {
		const properties = Object.entries(isSchema(object.properties) ? object.properties : {});
		const required = Array.isArray(object.required) ? object.required : properties.map(([name]) => name);
		const values = properties.map(([name, property]): [string, unknown] => {
			const schema = resolved(property, root);
			const isMade = required.includes(name) || 'enum' in schema || typeOf(schema) === 'boolean';
			return [name, isMade ? valueFor(name, schema, depth) : knownField(name, schema, source)];
		});
		const fields = Object.fromEntries(values.filter(([, value]) => value !== undefined));
		// n8n's Text Classifier names the class of everything else so.
		const fitsNowhere = fields.fallback === false && Object.values(fields).every((value) => value === false);
		return fitsNowhere ? { ...fields, fallback: true } : fields;
	};
	return fieldsOf(resolved(root, root), 0);
}

/** Whether a name and its description apply to a text. */
export function isTrueOf(text: string, name: string, description: string): boolean {
	if (/cannot|can't|unsure|not sure|in doubt/i.test(description)) return true;
	return probabilityByWords(text, `${name.replaceAll('_', ' ')} ${description}`) >= 0.5;
}

function resolved(schema: unknown, root: Schema): Schema {
	if (!isSchema(schema)) return {};
	if (typeof schema.$ref !== 'string') return schema;
	let node: unknown = root;
	for (const segment of schema.$ref.split('/').slice(1)) node = isSchema(node) ? node[segment] : undefined;
	return isSchema(node) ? node : {};
}

function typeOf(schema: Schema): string {
	const [type] = [schema.type].flat().filter((one) => one !== 'null');
	return typeof type === 'string' ? type : isSchema(schema.properties) ? 'object' : 'string';
}

function knownField(name: string, schema: Schema, { known = [] }: Source): unknown {
	const type = typeOf(schema);
	const field = fieldNamed(name, type === 'integer' ? 'number' : type, known);
	return Array.isArray(schema.enum) ? schema.enum.find((value) => value === field) : field;
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
	const description = typeof schema.description === 'string' ? schema.description : '';
	if (Array.isArray(schema.enum)) {
		const { choice } = chooseByWords(text, schema.enum.map(String));
		return schema.enum.find((value) => String(value) === choice);
	}
	const { minimum = -Infinity, maximum = Infinity } = schema as { minimum?: number; maximum?: number };
	switch (typeOf(schema)) {
		case 'boolean':
			return isTrueOf(text, name, description);
		case 'null':
			return null;
		case 'number':
		case 'integer': {
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
