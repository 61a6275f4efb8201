import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

/** The input's fields as they can stand in an output item. A field called `error` would make n8n take the item for a failed one. */
export function otherFields({ json }: INodeExecutionData): IDataObject {
	if (!Object.hasOwn(json, 'error')) return json;
	const { error, ...rest } = json;
	let name = 'input_error';
	for (let count = 2; Object.hasOwn(rest, name); count++) name = `input_error_${count}`;
	return { ...rest, [name]: error };
}
