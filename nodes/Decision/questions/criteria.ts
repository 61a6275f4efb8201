import { isRecord } from '../../../client/values/records';

/**
 * Reads the criteria of a choice in JSON: the trimmed name and the description of each option. Returns undefined for criteria of
 * another form.
 */
export function optionsOf(criteria: unknown): Array<[name: string, description: string]> | undefined {
	if (!isRecord(criteria)) return undefined;
	const options = Object.entries(criteria).map(([name, given]): [string, unknown] => [
		name.trim(),
		textOf(given),
	]);
	return options.every((option): option is [string, string] => typeof option[1] === 'string')
		? options
		: undefined;
}

/** Reads the criteria of a score in JSON: the trimmed levels. Returns undefined for criteria of another form. */
export function levelsOf(criteria: unknown): string[] | undefined {
	if (!Array.isArray(criteria)) return undefined;
	const levels = criteria.map(textOf);
	return levels.every((level) => typeof level === 'string') ? levels.map((level) => level.trim()) : undefined;
}

/**
 * Replaces a null description by empty text. Other services with this endpoint accept null for a missing description, but this
 * service accepts only text.
 */
function textOf(description: unknown): unknown {
	return description ?? '';
}
