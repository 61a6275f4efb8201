import { isMissing, isRecord, setField } from '../response/records';

/**
 * Adds a piece to a field that arrives in pieces. Texts and lists are appended, fields of objects are merged, and other values
 * are replaced. Null changes nothing.
 */
export function growField(record: Record<string, unknown>, name: string, value: unknown): void {
	if (value !== null) mergeField(record, name, value, true);
}

/**
 * Merges a value into a field. Lists are appended, fields of objects are merged, texts are appended if `joinsTexts`, and other
 * values are replaced. Null replaces no value.
 */
export function mergeField(
	record: Record<string, unknown>,
	name: string,
	value: unknown,
	joinsTexts = false,
): void {
	const before = Object.hasOwn(record, name) ? record[name] : undefined;
	if (value === null && before !== undefined) return;
	if (isRecord(before) && isRecord(value)) {
		for (const [within, part] of Object.entries(value)) mergeField(before, within, part, joinsTexts);
	} else if (Array.isArray(before) && Array.isArray(value)) {
		before.push(...(value as unknown[]));
	} else if (joinsTexts && typeof before === 'string' && typeof value === 'string') {
		setField(record, name, before + value);
	} else setField(record, name, value);
}

/** Merges the token counts of a later event. Some gateways send 0, null or an empty text there for counts that were known before. */
export function mergeUsage(record: Record<string, unknown>, usage: Record<string, unknown>): void {
	const before = Object.hasOwn(record, 'usage') && isRecord(record.usage) ? record.usage : {};
	const known = Object.entries(usage).filter(
		([name, value]) => !(isMissing(before[name]) ? false : isMissing(value) || value === 0),
	);
	const merged = { ...before };
	for (const [name, value] of known) mergeField(merged, name, value);
	setField(record, 'usage', merged);
}
