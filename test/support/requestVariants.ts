import type { ContractValidation } from '../../emulator/ContractValidation';
import { isRecord, resolve, variantOf, type Schema } from './schemas';

/** Describes a request body that differs from a valid one in one place. */
export interface RequestVariant {
	/** Holds the place, the rule and the value, for the title of a test. */
	name: string;
	body: unknown;
	/** Says whether the contract allows the body. */
	valid: boolean;
	/** Holds the field that a refusal must name. */
	field: string;
}

type Path = (string | number)[];

function changed(value: unknown, path: Path, change: (at: unknown) => unknown): unknown {
	const [key, ...rest] = path;
	if (key === undefined) return change(value);
	if (Array.isArray(value)) {
		return value.map((item, index) => (index === key ? changed(item, rest, change) : item));
	}
	if (!isRecord(value)) throw new Error(`Nothing at ${path.join('.')}`);
	return { ...value, [key]: changed(value[key], rest, change) };
}

function ofLength(items: unknown[], length: number): unknown[] {
	return Array.from({ length }, (_, index) => items[index % items.length]);
}

/**
 * Makes variants of a valid body for each rule of a request schema: each limit just met and just missed, each required field left
 * out, each closed object with an additional field, each typed field with another type. Only fields that the body contains are
 * varied, so it should contain all.
 */
export function requestVariants(
	contract: ContractValidation,
	schemaName: string,
	body: unknown,
): RequestVariant[] {
	const variants: RequestVariant[] = [];

	const add = (path: Path, rule: string, valid: boolean, change: (at: unknown) => unknown): void => {
		const field = path.join('.') || 'body';
		variants.push({ name: `${field}: ${rule}`, body: changed(body, path, change), valid, field });
	};

	const varyNumber = (schema: Schema, path: Path): void => {
		for (const [limit, sign] of [
			['minimum', -1],
			['maximum', 1],
		] as const) {
			const value = schema[limit];
			if (typeof value !== 'number') continue;
			add(path, `${limit} ${value}`, true, () => value);
			const step = schema.type === 'integer' ? 1 : 0.001;
			add(path, `beyond ${limit} ${value}`, false, () => value + sign * step);
		}
	};

	const varyArray = (schema: Schema, value: unknown[], path: Path): void => {
		if (typeof schema.minItems === 'number') {
			const { minItems } = schema;
			add(path, `${minItems} items`, true, () => ofLength(value, minItems));
			add(path, `${minItems - 1} items`, false, () => ofLength(value, minItems - 1));
		}
		if (typeof schema.maxItems === 'number') {
			const { maxItems } = schema;
			add(path, `${maxItems} items`, true, () => ofLength(value, maxItems));
			add(path, `${maxItems + 1} items`, false, () => ofLength(value, maxItems + 1));
		}
		value.forEach((item, index) => vary(schema.items, item, [...path, index]));
	};

	const varyObject = (schema: Schema, value: Record<string, unknown>, path: Path): void => {
		if (typeof schema.minProperties === 'number') {
			const { minProperties } = schema;
			const cut = (length: number): unknown => Object.fromEntries(Object.entries(value).slice(0, length));
			add(path, `${minProperties} fields`, true, () => cut(minProperties));
			add(path, `${minProperties - 1} fields`, false, () => cut(minProperties - 1));
		}
		for (const name of Array.isArray(schema.required) ? schema.required.map(String) : []) {
			add(path, `without ${name}`, false, (at) =>
				Object.fromEntries(Object.entries(at as object).filter(([key]) => key !== name)),
			);
		}
		if (schema.additionalProperties === false) {
			add(path, 'with a field more', false, (at) => ({ ...(at as object), unheard_of: 1 }));
		}
		const properties = isRecord(schema.properties) ? schema.properties : {};
		for (const [key, child] of Object.entries(value)) {
			vary(properties[key] ?? schema.additionalProperties, child, [...path, key]);
		}
	};

	const vary = (node: unknown, value: unknown, path: Path): void => {
		const general = resolve(contract, node);
		const variant = variantOf(contract, general, value);
		if (variant) add([...path, 'type'], 'of no variant', false, () => 'unheard_of');
		const schema = variant ?? general;
		if (schema.type !== undefined) add(path, 'null', false, () => null);
		if (Array.isArray(schema.enum)) add(path, 'not in the enumeration', false, () => 'unheard_of');
		if (typeof value === 'number') varyNumber(schema, path);
		else if (Array.isArray(value)) varyArray(schema, value, path);
		else if (isRecord(value)) varyObject(schema, value, path);
	};

	vary({ $ref: `#/components/schemas/${schemaName}` }, body, []);
	return variants;
}
