import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

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
