import { isRecord } from '../../client/isRecord';

/** The entries of a fixed collection that may have several; none where the value is no list. */
export function readList(value: unknown): Array<Record<string, unknown>> {
	return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** A field of an entry as text; empty where it is not given. */
export function asText(value: unknown): string {
	return value === undefined || value === null ? '' : String(value);
}

export function firstDuplicate(values: string[]): string | undefined {
	return values.find((value, index) => values.indexOf(value) !== index);
}
