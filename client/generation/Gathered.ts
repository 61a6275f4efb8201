import { isRecord } from '../response/isRecord';
import { CONTAINER_SIZE, FIELD_SIZE, LARGEST_RESPONSE, TOO_LARGE } from '../response/ResponseBounds';
import { responseError } from '../ServiceError';

/** Sets a field whose name comes from the service: even `__proto__` is an ordinary one. */
export function setField(record: Record<string, unknown>, name: string, value: unknown): void {
	Object.defineProperty(record, name, { value, configurable: true, enumerable: true, writable: true });
}

/**
 * Assembles records from the parts of a stream, and measures them. Its methods throw a ServiceError of kind `response` when
 * they have become too large.
 */
export class Gathered {
	/** In characters. */
	size = 0;

	/** Counts what is kept, in place of what was kept before. */
	count(value: unknown, before?: unknown): void {
		this.size += sizeOf(value) - sizeOf(before);
		if (this.size > LARGEST_RESPONSE) throw responseError(`The service's response ${TOO_LARGE}`);
	}

	set(record: Record<string, unknown>, name: string, value: unknown): void {
		if (!Object.hasOwn(record, name)) this.size += FIELD_SIZE;
		this.count(value, ownField(record, name));
		setField(record, name, value);
	}

	/** Appends to text; replaces any other value. */
	append(record: Record<string, unknown>, name: string, text: string): void {
		const before = ownField(record, name);
		if (typeof before !== 'string') return this.set(record, name, text);
		this.count(text);
		setField(record, name, before + text);
	}

	/** Merges a piece of what arrives in pieces, texts too. Null changes nothing. */
	grow(record: Record<string, unknown>, name: string, value: unknown): void {
		if (value !== null) this.merge(record, name, value, true);
	}

	/** Merges token usage, which some services send in several events, with zeros in the last. */
	mergeUsage(record: Record<string, unknown>, usage: Record<string, unknown>): void {
		const before = ownField(record, 'usage');
		const isGreater = (name: string) => isRecord(before) && Number(before[name]) > 0;
		const told = Object.entries(usage).filter(([name, tokens]) => tokens !== 0 || !isGreater(name));
		this.merge(record, 'usage', Object.fromEntries(told));
	}

	/** Appends to a list, which is created if there is none. */
	push(record: Record<string, unknown>, name: string, entry: unknown): void {
		const list = ownField(record, name);
		if (!Array.isArray(list)) return this.set(record, name, [entry]);
		this.count(entry);
		list.push(entry);
	}

	/** Lists are joined, fields of objects merged, texts joined if `joinsTexts`, other values replaced. Null changes nothing. */
	merge(record: Record<string, unknown>, name: string, value: unknown, joinsTexts = false): void {
		const before = ownField(record, name);
		if (joinsTexts && typeof value === 'string') return this.append(record, name, value);
		if (value === null && before !== undefined) return;
		if (Array.isArray(before) && Array.isArray(value)) {
			for (const entry of value) this.push(record, name, entry);
		} else if (isRecord(before) && isRecord(value)) {
			for (const [within, part] of Object.entries(value)) this.merge(before, within, part, joinsTexts);
		} else this.set(record, name, value);
	}
}

function ownField(record: Record<string, unknown>, name: string): unknown {
	return Object.hasOwn(record, name) ? record[name] : undefined;
}

function sizeOf(value: unknown): number {
	if (value === undefined) return 0;
	if (typeof value === 'string') return value.length;
	if (typeof value !== 'object' || value === null) return 1;
	let size = CONTAINER_SIZE;
	for (const [name, within] of Object.entries(value)) size += name.length + sizeOf(within);
	return size;
}
