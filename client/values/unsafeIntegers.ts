import { jsonTokensOf } from './jsonTokens';

/** An integer may be inexact only from 16 digits on, as many as `Number.MAX_SAFE_INTEGER` has. */
const MAY_HOLD_UNSAFE_INTEGER = /\d{16}/;

/** Returns the whole numbers in valid JSON text whose last digits `JSON.parse` changes. Most of them are IDs. */
export function unsafeIntegersIn(json: string): string[] {
	if (!MAY_HOLD_UNSAFE_INTEGER.test(json)) return [];
	return [...jsonTokensOf(json)]
		.map(({ text }) => text)
		.filter((text) => /^-?\d+$/.test(text) && !Number.isSafeInteger(Number(text)));
}

/** Returns whether a value is one of the numbers, or holds one at any depth. */
export function holdsNumber(value: unknown, numbers: ReadonlySet<number>): boolean {
	if (numbers.size === 0) return false;
	if (typeof value === 'number') return numbers.has(value);
	return (
		typeof value === 'object' &&
		value !== null &&
		Object.values(value).some((inner) => holdsNumber(inner, numbers))
	);
}
