import { isMissing, isRecord, setField } from '../values/records';

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

/**
 * Returns the token counts after a later event, nested ones included. Some gateways send 0, null or an empty text there for counts
 * that were known before.
 */
export function mergeUsage(known: unknown, later: unknown): unknown {
	if (isRecord(known) && isRecord(later)) {
		const merged = Object.entries(later).map(([name, count]) => [name, mergeUsage(known[name], count)]);
		return { ...known, ...Object.fromEntries(merged) };
	}
	return isMissing(known) || (!isMissing(later) && later !== 0) ? later : known;
}
