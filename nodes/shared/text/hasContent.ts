import { isPlainObject } from '../../../client/values/records';
import { isBlank } from './composed';

/** Returns whether a value is or contains more than null, blank text, and empty lists and objects. */
export function hasContent(value: unknown): boolean {
	if (Array.isArray(value) || isPlainObject(value)) return Object.values(value).some(hasContent);
	return !isBlank(value);
}
