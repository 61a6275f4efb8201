import { once } from '../values/once';
import { hasField, keyFinder } from './keyFinder';

/** In a quoted key of a path, the editor escapes only the quote. */
const QUOTED = String.raw`'(?:\\'|[^'])*'|"(?:\\"|[^"])*"`;
const BRACKET = String.raw`\[(?:${QUOTED}|[^\]['"]+)\]`;
const NAMES = new RegExp(String.raw`(?:${BRACKET}|[^,])+`, 'g');
const SEGMENTS = new RegExp(String.raw`(${BRACKET})|(?:^|\.|(?<=\]))([^.[\]]+)`, 'y');

/**
 * Splits a list of names as a person types it, or as n8n's editor writes it when fields are dropped on the parameter, such as
 * `subject, ['Your Message'], address.city`. Commas inside brackets do not separate names.
 */
export function splitNames(list: string): string[] {
	const names = list.match(NAMES) ?? [];
	return names.map((name) => name.trim()).filter((name) => name !== '');
}

/**
 * Returns a function that finds a field in one item after another: the field with exactly this name, or else the one to which the
 * name leads as a path, as n8n's editor inserts it. Only own properties are read, so `constructor` is a name like any other.
 * @returns the keys that lead to the field, outermost first and as the item spells them, or undefined if there is no such field
 */
export function pathFinder(name: string): (json: object) => string[] | undefined {
	const literal = keyFinder(name);
	// Parsing takes longer than looking, so it happens once for all items, and not at all if each has a field with exactly this name.
	const parsed = once(() => parsePath(name)?.map(keyFinder));
	return (json) => {
		const key = literal(json);
		if (key !== undefined) return [key];
		const finders = parsed();
		return finders && walk(json, finders);
	};
}

/** Looks at no more keys than the value has levels, because a long path may be looked for in many items. */
function walk(json: object, finders: Array<ReturnType<typeof keyFinder>>): string[] | undefined {
	const path: string[] = [];
	let value: unknown = json;
	for (const find of finders) {
		const key = find(value);
		if (key === undefined) return undefined;
		path.push(key);
		value = (value as Record<string, unknown>)[key];
	}
	return path;
}

/** Returns a function that reads the field that `pathFinder` finds. Its result is undefined if there is no such field. */
export function fieldReader(name: string): (json: object) => unknown {
	const find = pathFinder(name);
	return (json) => {
		const path = find(json);
		return path && valueAt(json, path);
	};
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

/** Parses a path such as `address.city`, `tags[0]` or `['Your Message']['text']` into keys. Returns undefined for other text. */
function parsePath(text: string): string[] | undefined {
	SEGMENTS.lastIndex = 0;
	const path: string[] = [];
	while (SEGMENTS.lastIndex < text.length) {
		const match = SEGMENTS.exec(text);
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
