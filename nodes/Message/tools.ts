import { isFilledText, isRecord } from '../../client/values/records';
import type { Tool, ToolChoice } from '../../contract/types';
import { decisive, sentJson, sentText } from '../shared/fields/expressionRules';
import {
	entriesField,
	subjectOf,
	option,
	optionsField,
	refine,
	required,
	shownIf,
	textField,
	trimmed,
} from '../shared/fields/Field';
import { firstDuplicate } from '../shared/values/firstDuplicate';
import { ParameterError } from '../shared/fields/ParameterError';

const TOOL_FIELDS = {
	name: trimmed(
		required(
			decisive(
				textField({
					displayName: 'Name',
					name: 'name',
					placeholder: 'e.g. look_up_order',
					description: 'The name that the model uses to call the tool',
				}),
			),
		),
	),
	description: sentText({
		displayName: 'Description',
		name: 'description',
		typeOptions: { rows: 2 },
		placeholder: 'e.g. Finds an order by its number',
		description: 'What the tool does and when to use it',
	}),
	inputSchema: refine(
		sentJson({
			displayName: 'Input Schema',
			name: 'inputSchema',
			default: '{\n  "type": "object",\n  "properties": {}\n}',
			description: "JSON Schema of the tool's input",
		}),
		(schema, { subject }) => {
			if (isRecord(schema)) return schema;
			throw new ParameterError(subject, 'must be a JSON object');
		},
	),
};

/** Reads Custom Tools, which the workflow runs itself, in the service's format. */
export const tools = option(
	refine(
		entriesField(
			{
				displayName: 'Custom Tools',
				name: 'tools',
				typeOptions: {
					multipleValues: true,
					multipleValueButtonText: 'Add Tool',
					sortable: true,
					fixedCollection: { itemTitle: '={{ $collection.item.value.name }}' },
				},
				placeholder: 'Add Tool',
				default: {},
				description:
					"Tools that the model may call and your workflow runs. The output field 'tool_calls' lists the calls. To have n8n run a tool, connect it to the node instead.",
			},
			{
				displayName: 'Tool',
				name: 'tool',
				fields: TOOL_FIELDS,
				nameOf: ({ name }, position, { subject }) =>
					`${subject}: tool ${isFilledText(name) ? `"${name.trim()}"` : position}`,
			},
		),
		(entries): Tool[] =>
			entries.map(({ name, description, inputSchema }) => ({
				name,
				...(description.trim() === '' ? {} : { description }),
				input_schema: inputSchema,
			})),
	),
);

export const toolChoice = option(
	decisive(
		optionsField({
			displayName: 'Tool Choice',
			name: 'toolChoice',
			options: [
				{ name: 'Auto', value: 'auto', description: 'The model decides' },
				{ name: 'None', value: 'none', description: 'The model calls no tool' },
				{ name: 'Specific Tool', value: 'tool', description: 'The model must call the tool named below' },
			],
			default: 'auto',
			description: 'Whether the model should call a tool, and which one',
		}),
	),
);

export const toolName = shownIf(
	option(
		trimmed(
			textField({
				displayName: 'Tool Name',
				name: 'toolName',
				description: 'The tool that the model should call',
			}),
		),
	),
	[toolChoice, 'tool'],
);

/**
 * Makes the tool choice to send. It returns undefined if the option is not set.
 * @param name the name of the tool that the model must call
 * @param names the names of the offered tools; undefined if Extra Body Fields replaces the tools, so that they are not known
 * @throws ParameterError if `name` is none of the names
 */
export function toToolChoice(
	type: 'auto' | 'none' | 'tool' | undefined,
	name: string | undefined,
	names: string[] | undefined,
): ToolChoice | undefined {
	if (type !== 'tool') return type && { type };
	if (!name) throw new ParameterError(subjectOf(toolName), 'must name the tool that the model should call');
	if (names && !names.includes(name)) {
		const known = names.length === 0 ? 'a tool, but there is none' : `one of the tools: ${names.join(', ')}`;
		throw new ParameterError(subjectOf(toolName), `must be the name of ${known}`);
	}
	return { type, name };
}

/**
 * Checks that no two tools have the same name, because a call could not be matched to one of them.
 * @param list the name of the parameter or input that has the tools, for the error
 * @throws ParameterError that names the tool
 */
export function checkToolNames(names: string[], list: string): void {
	const duplicate = firstDuplicate(names);
	if (duplicate !== undefined) {
		throw new ParameterError(
			`${list}: tool "${duplicate}"`,
			'must have a unique name, but two tools have this name',
		);
	}
}
