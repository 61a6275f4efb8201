import { isRecord } from '../../../client/values/records';
import { composed, visibleText } from './composed';
import { once } from '../values/once';

/**
 * Returns a function that finds an own key of one value after another. An accented letter may be written as one character or, as
 * in files of a Mac, as two. Both forms are the same key. The header of a table may have spaces that nobody sees: around a name, two
 * in place of one, or such as do not break a line. So if there is no such key, and only one that looks the same, that one is meant.
 */
export function keyFinder(key: string): (value: unknown) => string | undefined {
	const wanted = composed(key);
	const visible = once(() => visibleText(key));
	return (value) => {
		if (hasField(value, key)) return key;
		if (!isRecord(value)) return undefined;
		const keys = Object.keys(value);
		const sameForm = keys.find((own) => composed(own) === wanted);
		if (sameForm !== undefined) return sameForm;
		const [similar, ...others] = keys.filter((own) => visibleText(own) === visible());
		return others.length === 0 ? similar : undefined;
	};
}

/** Returns whether an object or a list has a field of its own with exactly this name. */
export function hasField(value: unknown, key: string): value is Record<string, unknown> {
	// A list has its length as an own property, but only its entries are sent.
	const mayHave = isRecord(value) || (Array.isArray(value) && /^\d+$/.test(key));
	return mayHave && Object.hasOwn(value, key);
}
