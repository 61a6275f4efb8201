import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

/** The input's fields, renamed where an output item cannot have them: n8n treats an item with a field `error` as failed. */
export function otherFields({ json }: INodeExecutionData): IDataObject {
	if (!Object.hasOwn(json, 'error')) return json;
	const { error, ...rest } = json;
	let name = 'input_error';
	for (let count = 2; Object.hasOwn(rest, name); count++) name = `input_error_${count}`;
	return { ...rest, [name]: error };
}
