import { isRecord } from './isRecord';

/** What a field counts besides its name and value, and a value that is neither a text nor a list or an object. In characters. */
const SMALL_VALUE_SIZE = 8;

/*
 * A record that is put together piece by piece. Names may come from the service: even `__proto__` is an ordinary one. Each
 * function returns by how many characters of JSON the record has grown, more or less, so that no record grows without bounds.
 */

/** Sets a field. */
export function setField(record: Record<string, unknown>, name: string, value: unknown): number {
	const isNew = !Object.hasOwn(record, name);
	const before = isNew ? undefined : record[name];
	if (!isNew && before === value) return 0;
	put(record, name, value);
	return isNew ? name.length + SMALL_VALUE_SIZE + sizeOf(value) : sizeOf(value) - sizeOf(before);
}

/** Adds to a text. */
export function appendText(record: Record<string, unknown>, name: string, text: string): number {
	const before = Object.hasOwn(record, name) ? record[name] : undefined;
	if (typeof before !== 'string') return setField(record, name, text);
	put(record, name, before + text);
	return text.length;
}

/** Adds to a list, which it begins where there is none. */
export function appendEntry(record: Record<string, unknown>, name: string, entry: unknown): number {
	const list = Object.hasOwn(record, name) ? record[name] : undefined;
	if (!Array.isArray(list)) return setField(record, name, [entry]);
	list.push(entry);
	return sizeOf(entry);
}

/** Adds to whatever there is: lists are joined, the fields of objects merged, other values replaced. Null adds nothing. */
export function mergeField(record: Record<string, unknown>, name: string, value: unknown): number {
	const before = Object.hasOwn(record, name) ? record[name] : undefined;
	if (before === undefined || before === null) return setField(record, name, value);
	if (value === null) return 0;
	if (Array.isArray(before) && Array.isArray(value)) {
		return sum(value.map((entry) => appendEntry(record, name, entry)));
	}
	if (isRecord(before) && isRecord(value)) {
		return sum(Object.entries(value).map(([within, part]) => mergeField(before, within, part)));
	}
	return setField(record, name, value);
}

/** About how long a value is as JSON. */
export function sizeOf(value: unknown): number {
	if (typeof value === 'string') return value.length;
	return typeof value === 'object' && value !== null ? JSON.stringify(value).length : SMALL_VALUE_SIZE;
}

function put(record: Record<string, unknown>, name: string, value: unknown): void {
	Object.defineProperty(record, name, { value, configurable: true, enumerable: true, writable: true });
}

function sum(numbers: number[]): number {
	return numbers.reduce((total, number) => total + number, 0);
}
