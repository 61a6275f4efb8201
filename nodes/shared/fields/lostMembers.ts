import { isPlainObject } from '../../../client/values/records';
import { isExpression } from './expressionText';

/** An expression with one of these writes an object or a list itself. A bracket after a name only reads a member. */
const WRITES_MEMBERS = /^=\s*\{\{(?:\[|.*?(?:\{|[\s(,:?>&|]\[))/s;

/**
 * Returns the paths of the members that are undefined or no finite number, such as `mail.text`, of a value that an expression wrote:
 * JSON leaves them out, or has null in their place. A value that is only read from an item is as the item has it, so that nothing is lost.
 */
export function lostMembersOf(value: unknown, stored: unknown): string[] {
	if (!isExpression(stored) || !WRITES_MEMBERS.test(stored)) return [];
	return [...new Set(search(value, '', new Set()))];
}

/** Returns whether a member at any depth is undefined or null. */
export function lacksMember(value: unknown): boolean {
	if (!Array.isArray(value) && !isPlainObject(value)) return value === undefined || value === null;
	return Object.values(value).some(lacksMember);
}

function search(value: unknown, path: string, seen: Set<object>): string[] {
	if (value === undefined || (typeof value === 'number' && !Number.isFinite(value))) return [path];
	// An object that contains itself cannot be sent, and would be searched forever.
	if ((!Array.isArray(value) && !isPlainObject(value)) || seen.has(value)) return [];
	seen.add(value);
	if (!Array.isArray(value)) {
		return Object.entries(value).flatMap(([key, member]) => search(member, join(path, key), seen));
	}
	// The entries of a list are usually alike, so the first one that lacks something stands for all.
	for (const [index, entry] of value.entries()) {
		const lost = search(entry, `${path}[${index}]`, seen);
		if (lost.length > 0) return lost;
	}
	return [];
}

function join(path: string, key: string): string {
	return path === '' ? key : `${path}.${key}`;
}
