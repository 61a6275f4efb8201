import type { INodeProperties } from 'n8n-workflow';

import { isRecord } from '../../client/isRecord';
import type { Tool, ToolChoice } from '../../contract/types';
import { asText, readList } from '../shared/fieldValues';
import type { ItemCall } from '../shared/ItemCall';
import { ParameterError } from '../shared/ParameterError';
import { readJson } from './jsonParameter';

export const toolOptions: INodeProperties[] = [
	{
		displayName: 'Tool Choice',
		name: 'toolChoice',
		type: 'options',
		options: [
			{ name: 'Auto', value: 'auto', description: 'The model decides' },
			{ name: 'None', value: 'none', description: 'The model calls no tool' },
			{ name: 'Specific Tool', value: 'tool', description: 'The model calls the tool that is named' },
		],
		default: 'auto',
		description: 'Whether, and which, tool the model is to call',
	},
	{
		displayName: 'Tool Name',
		name: 'toolName',
		type: 'string',
		default: '',
		description: 'The tool that the model is to call',
		displayOptions: { show: { toolChoice: ['tool'] } },
	},
	{
		displayName: 'Tools',
		name: 'tools',
		type: 'fixedCollection',
		typeOptions: {
			multipleValues: true,
			multipleValueButtonText: 'Add Tool',
			sortable: true,
			fixedCollection: { itemTitle: '={{ $collection.item.value.name }}' },
		},
		placeholder: 'Add Tool',
		default: {},
		description:
			"Tools for the model to call, and for the workflow to run: a call is in the field 'tool_calls' of the output. Tools that n8n is to run are connected to the node instead.",
		options: [
			{
				displayName: 'Tool',
				name: 'tool',
				values: [
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						default: '',
						placeholder: 'e.g. look_up_order',
						description: 'The name by which the model calls it',
					},
					{
						displayName: 'Description',
						name: 'description',
						type: 'string',
						typeOptions: { rows: 2 },
						default: '',
						placeholder: 'e.g. Finds an order by its number',
						description: 'What the tool does and when to use it',
					},
					{
						displayName: 'Input Schema',
						name: 'inputSchema',
						type: 'json',
						default: '{\n  "type": "object",\n  "properties": {}\n}',
						description: "JSON Schema of the tool's input",
					},
				],
			},
		],
	},
];

/** @throws ParameterError that names the tool */
export function readTools(item: ItemCall): Tool[] {
	return readList(item.parameter('options.tools.tool')).map(readTool);
}

function readTool({ name, description, inputSchema }: Record<string, unknown>, index: number): Tool {
	const toolName = asText(name).trim();
	if (toolName === '') throw new ParameterError(`options.tools: tool ${index + 1}`, 'must have a name');
	const parameter = `options.tools: the input schema of tool "${toolName}"`;
	const schema = readJson(inputSchema, parameter);
	if (!isRecord(schema)) throw new ParameterError(parameter, 'must be a JSON object');
	const toolDescription = asText(description);
	return {
		name: toolName,
		...(toolDescription.trim() === '' ? {} : { description: toolDescription }),
		input_schema: schema,
	};
}

/**
 * The choice to send, undefined when none is set.
 * @param names of the tools that are offered, undefined where they are not known
 * @throws ParameterError
 */
export function readToolChoice(item: ItemCall, names: string[] | undefined): ToolChoice | undefined {
	const choice = item.parameter('options.toolChoice');
	if (choice === undefined || choice === null || choice === '') return undefined;
	if (choice === 'auto' || choice === 'none') return { type: choice };
	if (choice !== 'tool') throw new ParameterError('options.toolChoice', 'must be auto, tool or none');
	const name = item.text('options.toolName').trim();
	if (name === '')
		throw new ParameterError('options.toolName', 'must name the tool that the model is to call');
	if (names && !names.includes(name)) {
		const known = names.length === 0 ? 'there is none' : `which are: ${names.join(', ')}`;
		throw new ParameterError('options.toolName', `must be the name of a tool that is offered (${known})`);
	}
	return { type: 'tool', name };
}
