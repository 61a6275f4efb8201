/**
 * Returns whether a field of an item is part of what is sent: of an object by its name, and of a text by its value, which may stand there
 * as JSON writes it.
 * @param sent a text, an object, or a list of these
 */
export function isFieldIn(sent: unknown, name: string, value: unknown): boolean {
	if (Array.isArray(sent)) return sent.some((one) => isFieldIn(one, name, value));
	if (typeof sent !== 'string') return typeof sent === 'object' && sent !== null && Object.hasOwn(sent, name);
	const text = typeof value === 'string' ? value.trim() : String(JSON.stringify(value));
	return sent.includes(text) || sent.includes(JSON.stringify(text).slice(1, -1));
}
