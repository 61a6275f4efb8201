import { isRecord } from '../../../client/response/records';

/** A quoted key of a path, in which the editor escapes only the quote. */
const QUOTED = String.raw`'(?:\\'|[^'])*'|"(?:\\"|[^"])*"`;
const BRACKET = String.raw`\[(?:${QUOTED}|[^\]['"]+)\]`;

/**
 * Splits a list of names as a person types it, or as n8n's editor writes it when fields are dropped on the parameter, such as
 * `subject, ['Your Message'], address.city`. Commas inside brackets do not separate names.
 */
export function splitNames(list: string): string[] {
	const names = list.match(new RegExp(String.raw`(?:${BRACKET}|[^,])+`, 'g')) ?? [];
	return names.map((name) => name.trim()).filter((name) => name !== '');
}

/**
 * Returns the value of the field with exactly this name. If there is none, the name is read as a path, as n8n's editor inserts
 * it. Only own properties are read, so `constructor` is a name like any other.
 * @returns undefined if there is no such field
 */
export function readPath(json: object, name: string): unknown {
	const path = findPath(json, name);
	return path && valueAt(json, path);
}

/**
 * Returns the keys that lead to the field that a name or path stands for, outermost first.
 * @returns undefined if there is no such field
 */
export function findPath(json: object, name: string): string[] | undefined {
	if (Object.hasOwn(json, name)) return [name];
	const path = parsePath(name);
	if (!path) return undefined;
	const parent = valueAt(json, path.slice(0, -1));
	return hasField(parent, path.at(-1)!) ? path : undefined;
}

/** Returns the value at the end of these keys, or undefined if one of them is missing. */
export function valueAt(json: object, path: string[]): unknown {
	let value: unknown = json;
	for (const key of path) {
		if (!hasField(value, key)) return undefined;
		value = value[key];
	}
	return value;
}

/**
 * Returns a copy of the value that contains only these paths. All of them must exist. In a list, the remaining entries move up,
 * because JSON could mark a gap only by null, which would look like an entry.
 */
export function pickPaths(value: unknown, paths: string[][]): unknown {
	if (paths.some((path) => path.length === 0)) return value;
	const source = value as Record<string, unknown>;
	const within = new Map<string, string[][]>();
	for (const [key, ...rest] of paths) {
		const others = within.get(key!);
		if (others) others.push(rest);
		else within.set(key!, [rest]);
	}
	const keys = Object.keys(source).filter((key) => within.has(key));
	const picked = keys.map((key) => [key, pickPaths(source[key], within.get(key)!)] as const);
	return Array.isArray(value) ? picked.map(([, entry]) => entry) : Object.fromEntries(picked);
}

/** Returns whether a value is missing, null or blank text. */
export function isBlank(value: unknown): boolean {
	return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

function hasField(value: unknown, key: string): value is Record<string, unknown> {
	return (isRecord(value) || Array.isArray(value)) && Object.hasOwn(value, key);
}

/** Parses a path such as `address.city`, `tags[0]` or `['Your Message']['text']` into keys. Returns undefined for other text. */
function parsePath(text: string): string[] | undefined {
	const segment = new RegExp(String.raw`(${BRACKET})|(?:^|\.|(?<=\]))([^.[\]]+)`, 'y');
	const path: string[] = [];
	while (segment.lastIndex < text.length) {
		const match = segment.exec(text);
		if (!match) return undefined;
		const [, bracket, key] = match;
		path.push(bracket === undefined ? key! : unquote(bracket.slice(1, -1)));
	}
	return path.length === 0 ? undefined : path;
}

function unquote(key: string): string {
	const quote = key[0]!;
	if (quote !== "'" && quote !== '"') return key;
	return key.slice(1, -1).replaceAll(`\\${quote}`, quote);
}
