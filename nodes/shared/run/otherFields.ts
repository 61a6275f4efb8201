import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { isMissing } from '../../../client/values/records';
import { composed } from '../text/composed';

/**
 * Returns the fields of an input item for its output item. `error` is renamed, because n8n treats an item with that field as
 * failed.
 */
export function otherFields({ json }: INodeExecutionData): IDataObject {
	if (!Object.hasOwn(json, 'error')) return json;
	const { error, ...rest } = json;
	let name = 'input_error';
	for (let count = 2; Object.hasOwn(rest, name); count++) name = `input_error_${count}`;
	return { ...rest, [name]: error };
}

/**
 * Adds the columns of a result to the fields of its input item. A column replaces the field of its name, and one whose name
 * differs only in the Unicode form of its accents, because a person would see two columns of one name.
 * @returns the output item, and the names of the fields whose values were lost. An empty field loses nothing.
 */
export function addColumns(fields: IDataObject, columns: object): { json: IDataObject; replaced: string[] } {
	const json: IDataObject = { ...fields, ...columns };
	const byName = new Map(Object.entries(columns).map(([name, value]) => [composed(name), { name, value }]));
	const replaced: string[] = [];
	for (const [name, value] of Object.entries(fields)) {
		const column = byName.get(composed(name));
		if (!column) continue;
		if (column.name !== name) delete json[name];
		if (!isMissing(value) && !isSame(value, column.value)) replaced.push(name);
	}
	return { json, replaced };
}

export function isSame(a: unknown, b: unknown): boolean {
	if (a === b) return true;
	const areObjects = typeof a === 'object' && typeof b === 'object';
	return areObjects && JSON.stringify(a) === JSON.stringify(b);
}
