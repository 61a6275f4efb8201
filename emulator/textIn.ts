/** All strings inside a JSON value (not the names of fields), one per line. */
export function textIn(value: unknown): string {
	if (typeof value === 'string') return value;
	if (typeof value === 'number' || typeof value === 'boolean') return String(value);
	if (Array.isArray(value)) return value.map(textIn).join('\n');
	if (typeof value === 'object' && value !== null) return Object.values(value).map(textIn).join('\n');
	return '';
}
