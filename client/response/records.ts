/** Whether a value is an object with fields: not null, not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Sets a field whose name comes from the service: even `__proto__` is an ordinary one. */
export function setField(record: Record<string, unknown>, name: string, value: unknown): void {
	Object.defineProperty(record, name, { value, configurable: true, enumerable: true, writable: true });
}

/** Whether the service gave no value for a field. Some gateways send an empty text where others send null. */
export function isMissing(value: unknown): boolean {
	return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

/** The value of a field, or null where the service gave none. */
export function givenOrNull(value: unknown): unknown {
	return isMissing(value) ? null : value;
}

/** The fields that the contract names, with values that are unknown until they are checked. */
export type UnknownFields<Wire> = { readonly [Name in FieldOf<Wire>]?: unknown };

/** The fields of each alternative, if the type has several. */
type FieldOf<Wire> = Wire extends unknown ? keyof Wire : never;
