import { chooseByWords, evidenceByWords, probabilityByWords } from './decideByWords';
import { excerpt } from './excerpt';
import { quoteFrom } from './quoteFrom';
import { mostNamedIn } from './Subject';

const DEEPEST = 8;

/** At or above this, a word speaks for one of several classes that may apply together. */
const SPEAKS_FOR = 0.6;

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
 * A JSON object that meets a schema as far as types, required fields, constants, enumerations, defaults and simple
 * limits go: classes and probabilities are decided by the words of the text, other values taken from it.
 */
export function objectForSchema(schema: Schema, source: Source): Record<string, unknown> {
	return new Draft(schema, source).object(resolved(schema, schema), 0);
}

/** Whether a name and its description apply to a text. */
export function isTrueOf(text: string, name: string, description: string): boolean {
	if (/cannot|can't|unsure|not sure|in doubt/i.test(description)) return true;
	return probabilityByWords(text, `${name.replaceAll('_', ' ')} ${description}`) >= 0.5;
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

const descriptionOf = (schema: Schema): string => String(schema.description ?? '');

/** The value of a field of that name, or that begins with it (`urgent` of `urgent_yes`), at any depth. */
function valueNamed(name: string, type: string, value: unknown): unknown {
	if (typeof value !== 'object' || value === null) return undefined;
	const wanted = name.toLowerCase();
	const fields = Object.entries(value);
	const fits = ([key, field]: [string, unknown]): boolean =>
		(typeof field === type || (type === 'integer' && Number.isInteger(field))) &&
		(key.toLowerCase() === wanted || key.toLowerCase().startsWith(`${wanted}_`));
	const direct = fields.find(fits);
	if (direct !== undefined) return direct[1];
	for (const [, field] of fields) {
		const found = valueNamed(name, type, field);
		if (found !== undefined) return found;
	}
	return undefined;
}

class Draft {
	/** The confidence of the last choice. */
	private confidence: number | undefined;

	constructor(
		private readonly root: Schema,
		private readonly source: Source,
	) {}

	object(schema: Schema, depth: number): Record<string, unknown> {
		const properties = Object.entries(isSchema(schema.properties) ? schema.properties : {}).map(
			([name, property]): [string, Schema] => [name, isSchema(property) ? resolved(property, this.root) : {}],
		);
		const classes = this.classes(properties) ?? this.verdict(properties);
		if (classes !== undefined) return classes;
		const required = Array.isArray(schema.required) ? schema.required.map(String) : undefined;
		const values = properties.map(([name, property]): [string, unknown] =>
			required === undefined || required.includes(name)
				? [name, this.value(name, property, depth + 1)]
				: [name, this.optional(name, property, depth + 1)],
		);
		return Object.fromEntries(values.filter(([, value]) => value !== undefined));
	}

	private optional(name: string, schema: Schema, depth: number): unknown {
		const canBeJudged = typeOf(schema) === 'boolean' || Array.isArray(schema.enum);
		return this.source.prompt !== undefined && canBeJudged
			? this.value(name, schema, depth)
			: this.found(name, schema);
	}

	/** Booleans are classes if the prompt says so. */
	private classes(properties: [string, Schema][]): Record<string, boolean> | undefined {
		const { text, prompt = '' } = this.source;
		const areClasses =
			properties.length > 0 &&
			properties.every(([, property]) => typeOf(property) === 'boolean') &&
			/categor|class/i.test(prompt);
		if (!areClasses) return undefined;
		const several = /not mutually exclusive|multiple can/i.test(prompt);
		const evidence = evidenceByWords(
			text,
			Object.fromEntries(properties.map(([name, property]) => [name, descriptionOf(property)])),
		);
		const strongest = Math.max(...evidence);
		const best = strongest > 0 ? evidence.indexOf(strongest) : -1;
		const fallsBack = properties[best]?.[0] === 'fallback';
		return Object.fromEntries(
			properties.map(([name], index) => [
				name,
				index === best ||
					(several && !fallsBack && name !== 'fallback' && (evidence[index] ?? 0) >= SPEAKS_FOR),
			]),
		);
	}

	/** A flag with a score says how well a text matches what the prompt is mostly about. */
	private verdict(properties: [string, Schema][]): Record<string, unknown> | undefined {
		const { text, prompt = '' } = this.source;
		const types = properties.map(([, property]) => typeOf(property)).sort();
		if (types.join() !== 'boolean,number' || !/\bflag/i.test(prompt)) return undefined;
		const scope = /scope:\s*(.+)/i.exec(prompt)?.[1];
		const probability = probabilityByWords(text, scope ?? mostNamedIn(prompt));
		// The probability is squared, because an alarm takes more than a hint.
		const score = Math.round(100 * (scope === undefined ? probability ** 2 : 1 - probability)) / 100;
		return Object.fromEntries(
			properties.map(([name, property]) => [name, typeOf(property) === 'number' ? score : score >= 0.5]),
		);
	}

	private value(name: string, schema: Schema, depth: number): unknown {
		const actual = resolved(schema, this.root);
		if ('const' in actual) return actual.const;
		if (Array.isArray(actual.enum) && actual.enum.length > 0) {
			return this.found(name, actual) ?? this.chosen(actual.enum);
		}
		if ('default' in actual) return actual.default;
		const variants = actual.anyOf ?? actual.oneOf;
		if (Array.isArray(variants) && isSchema(variants[0])) return this.value(name, variants[0], depth + 1);
		switch (typeOf(actual)) {
			case 'object':
				return depth > DEEPEST ? {} : this.object(actual, depth);
			case 'array':
				return Array.from({ length: numberOr(actual.minItems, 0) }, () =>
					this.value(name, isSchema(actual.items) ? actual.items : {}, depth + 1),
				);
			case 'integer':
			case 'number':
				return this.number(name, actual);
			case 'boolean':
				return this.found(name, actual) ?? isTrueOf(this.source.text, name, descriptionOf(actual));
			case 'null':
				return null;
			default:
				return this.string(name, actual);
		}
	}

	/** A field that is already known, or a value that is written in the text. */
	private found(name: string, schema: Schema): unknown {
		const type = Array.isArray(schema.enum) ? 'string' : typeOf(schema);
		for (const value of this.source.known ?? []) {
			const known = valueNamed(name, type === 'number' ? 'number' : type, value);
			if (known !== undefined && (!Array.isArray(schema.enum) || schema.enum.includes(known))) return known;
		}
		if (type !== 'string' || Array.isArray(schema.enum)) return undefined;
		return quoteFrom(this.source.text, `${name} ${descriptionOf(schema)} ${String(schema.format ?? '')}`);
	}

	private chosen(values: unknown[]): unknown {
		const names = values.map(String);
		const { choice, confidence } = chooseByWords(this.source.text, names);
		this.confidence = confidence;
		return values[names.indexOf(choice)];
	}

	private string(name: string, schema: Schema): string {
		const found = this.found(name, schema);
		if (typeof found === 'string') return found;
		if (schema.format === 'date') return '2026-01-31';
		if (schema.format === 'date-time') return '2026-01-31T12:00:00Z';
		if (schema.format === 'email') return 'someone@example.com';
		if (schema.format === 'uri') return 'https://example.com/';
		const { text, words = 12 } = this.source;
		const plain = excerpt(text, words).padEnd(numberOr(schema.minLength, 0), '.');
		return plain.slice(0, numberOr(schema.maxLength, plain.length));
	}

	private number(name: string, schema: Schema): number {
		const known = this.found(name, schema);
		if (typeof known === 'number') return known;
		const { text } = this.source;
		if (schema.minimum === 0 && schema.maximum === 1) {
			if (this.confidence !== undefined) return this.confidence;
			return probabilityByWords(text, `${name} ${descriptionOf(schema)}`);
		}
		const found = /-?\d+(?:\.\d+)?/.exec(text);
		const value = found === null ? numberOr(schema.minimum, 0) : Number(found[0]);
		const whole = typeOf(schema) === 'integer' ? Math.trunc(value) : value;
		return Math.min(numberOr(schema.maximum, whole), Math.max(numberOr(schema.minimum, whole), whole));
	}
}
