import { isRecord } from './isRecord';
import type { PartCount } from './PartCount';

/*
 * A record that is assembled in parts. Names may come from the service: even `__proto__` is an ordinary one.
 */

export function setField(record: Record<string, unknown>, name: string, value: unknown): void {
	Object.defineProperty(record, name, { value, configurable: true, enumerable: true, writable: true });
}

/** Appends to text. */
export function appendText(record: Record<string, unknown>, name: string, text: string): void {
	const before = ownField(record, name);
	setField(record, name, typeof before === 'string' ? before + text : text);
}

/** Appends to a list, which is created if there is none. */
export function appendEntry(
	record: Record<string, unknown>,
	name: string,
	entry: unknown,
	parts: PartCount,
): void {
	parts.addWithin(entry);
	const list = ownField(record, name);
	if (Array.isArray(list)) list.push(entry);
	else setField(record, name, [entry]);
}

/**
 * Merges a value into the existing one: lists are joined, fields of objects merged, other values replaced. Null changes
 * nothing.
 */
export function mergeField(
	record: Record<string, unknown>,
	name: string,
	value: unknown,
	parts: PartCount,
): void {
	const before = ownField(record, name);
	if (value === null && before !== undefined) return;
	if (Array.isArray(before) && Array.isArray(value)) {
		parts.addWithin(value);
		for (const entry of value) before.push(entry);
	} else if (isRecord(before) && isRecord(value)) {
		for (const [within, part] of Object.entries(value)) mergeField(before, within, part, parts);
	} else setField(record, name, value);
}

function ownField(record: Record<string, unknown>, name: string): unknown {
	return Object.hasOwn(record, name) ? record[name] : undefined;
}
