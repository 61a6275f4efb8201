/** Returns whether a value is an object, but not null and not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A date is not a plain object, because it has its own form in JSON. */
export function isPlainObject(value: unknown): value is object {
	// Most values are texts and numbers, for which the first check is far cheaper.
	if (typeof value !== 'object' || value === null) return false;
	return Object.prototype.toString.call(value) === '[object Object]' && !('toJSON' in value);
}

/** Sets a field whose name comes from the service. An assignment to `__proto__` would change the prototype instead. */
export function setField(record: Record<string, unknown>, name: string, value: unknown): void {
	Object.defineProperty(record, name, { value, configurable: true, enumerable: true, writable: true });
}

/**
 * Returns whether a field has no value: missing, null or blank text. Some gateways send an empty text where others send null, and
 * a field that a person has cleared holds an empty text too.
 */
export function isMissing(value: unknown): value is undefined | null | '' {
	return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

export function isFilledText(value: unknown): value is string {
	return typeof value === 'string' && value.trim() !== '';
}

/** Returns whether a field has no value, or an empty list or object. */
export function isEmpty(value: unknown): boolean {
	return isMissing(value) || (typeof value === 'object' && Object.keys(value).length === 0);
}

/** Returns the value of a field, or null if it has none. */
export function givenOrNull(value: unknown): unknown {
	return isMissing(value) ? null : value;
}

/** Describes the fields of a contract type, with values of type `unknown`, because a response may contradict the contract. */
export type UnknownFields<Wire> = { readonly [Name in FieldOf<Wire>]?: unknown };

/** Gives the names of all fields of a union's members. `keyof` alone would give only the common ones. */
type FieldOf<Wire> = Wire extends unknown ? keyof Wire : never;
