import { parseJson } from '../../client/parseJson';
import type { ItemCall } from '../shared/ItemCall';
import { ParameterError } from '../shared/ParameterError';

/**
 * The value of a parameter that is JSON text, or of an expression that gives the value itself. Undefined when empty.
 * @throws ParameterError when it is not valid JSON
 */
export function readJsonParameter(item: ItemCall, name: string): unknown {
	return readJson(item.parameter(name), name);
}

/** The same for a value that is at hand already. */
export function readJson(value: unknown, name: string): unknown {
	if (value === undefined || value === null) return undefined;
	if (typeof value !== 'string') return value;
	if (value.trim() === '') return undefined;
	const parsed = parseJson(value);
	if (parsed.success) return parsed.value;
	throw new ParameterError(name, `must be valid JSON (${parsed.problem})`);
}
