/**
 * Adds to a text within a record that is put together piece by piece.
 * @param name may come from the service: even `__proto__` is an ordinary one
 */
export function appendText(record: Record<string, unknown>, name: string, text: string): void {
	const before = Object.hasOwn(record, name) ? record[name] : undefined;
	setField(record, name, (typeof before === 'string' ? before : '') + text);
}

/** Adds to a list within such a record, which it begins where there is none. */
export function appendEntry(record: Record<string, unknown>, name: string, entry: unknown): void {
	const list = Object.hasOwn(record, name) ? record[name] : undefined;
	if (Array.isArray(list)) list.push(entry);
	else setField(record, name, [entry]);
}

/** Sets a field of such a record. */
export function setField(record: Record<string, unknown>, name: string, value: unknown): void {
	Object.defineProperty(record, name, { value, configurable: true, enumerable: true, writable: true });
}
