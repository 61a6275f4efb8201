import { excerpt } from './excerpt';

const DEEPEST = 8;

/** A JSON Schema. */
export type Schema = Record<string, unknown>;

/** Whether a value can be a schema: an object. */
export function isSchema(value: unknown): value is Schema {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * A JSON object that meets a schema as far as types, required fields, constants, enumerations, defaults and simple
 * limits go, filled from a text.
 */
export function objectForSchema(schema: Schema, text: string): Record<string, unknown> {
	return objectFor(resolved(schema, schema), text, schema, 0);
}

function numberOr(value: unknown, fallback: number): number {
	return typeof value === 'number' ? value : fallback;
}

function resolved(schema: Schema, root: Schema): Schema {
	if (typeof schema.$ref !== 'string' || !schema.$ref.startsWith('#/')) return schema;
	let node: unknown = root;
	for (const segment of schema.$ref.slice(2).split('/')) {
		node = isSchema(node) ? node[segment] : undefined;
	}
	return isSchema(node) ? node : {};
}

function typeOf(schema: Schema): string {
	if (typeof schema.type === 'string') return schema.type;
	if (Array.isArray(schema.type)) return String(schema.type.find((type) => type !== 'null') ?? 'null');
	return isSchema(schema.properties) ? 'object' : 'string';
}

function stringFor(schema: Schema, text: string): string {
	if (schema.format === 'date') return '2026-01-31';
	if (schema.format === 'date-time') return '2026-01-31T12:00:00Z';
	if (schema.format === 'email') return 'someone@example.com';
	if (schema.format === 'uri') return 'https://example.com/';
	const plain = excerpt(text, 12).padEnd(numberOr(schema.minLength, 0), '.');
	return plain.slice(0, numberOr(schema.maxLength, plain.length));
}

function numberFor(schema: Schema, text: string): number {
	const found = /-?\d+(?:\.\d+)?/.exec(text);
	const value = found === null ? numberOr(schema.minimum, 0) : Number(found[0]);
	const whole = typeOf(schema) === 'integer' ? Math.trunc(value) : value;
	return Math.min(numberOr(schema.maximum, whole), Math.max(numberOr(schema.minimum, whole), whole));
}

function valueFor(schema: Schema, text: string, root: Schema, depth: number): unknown {
	const actual = resolved(schema, root);
	if ('const' in actual) return actual.const;
	if (Array.isArray(actual.enum) && actual.enum.length > 0) return actual.enum[0];
	if ('default' in actual) return actual.default;
	const variants = actual.anyOf ?? actual.oneOf;
	if (Array.isArray(variants) && isSchema(variants[0])) return valueFor(variants[0], text, root, depth + 1);
	switch (typeOf(actual)) {
		case 'object':
			return depth > DEEPEST ? {} : objectFor(actual, text, root, depth);
		case 'array':
			return Array.from({ length: numberOr(actual.minItems, 0) }, () =>
				valueFor(isSchema(actual.items) ? actual.items : {}, text, root, depth + 1),
			);
		case 'integer':
		case 'number':
			return numberFor(actual, text);
		case 'boolean':
			return true;
		case 'null':
			return null;
		default:
			return stringFor(actual, text);
	}
}

function objectFor(schema: Schema, text: string, root: Schema, depth: number): Record<string, unknown> {
	const properties = isSchema(schema.properties) ? schema.properties : {};
	const names = Array.isArray(schema.required) ? schema.required.map(String) : Object.keys(properties);
	return Object.fromEntries(
		names.map((name) => {
			const property = properties[name];
			return [name, valueFor(isSchema(property) ? property : {}, text, root, depth + 1)];
		}),
	);
}
